import { z } from "zod";
import { requiredText } from "../../http/field-schemas.ts";

export const noteSchema = z.object({ text: requiredText("The note", undefined, "Write a note.") });
