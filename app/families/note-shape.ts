import { z } from "zod";
import { requiredText } from "../http/fields.ts";

export const noteSchema = z.object({ text: requiredText("The note", undefined, "Write a note.") });
