import { z } from "zod";
import { optionalId, requiredMultiLineText } from "../../http/field-schemas.ts";

export const noteSchema = z.object({ text: requiredMultiLineText("The note", undefined, "Write a note.") });

/** Schema of the form on a family's page. `visit` is the id of the visit that the note is about. */
export const familyNoteSchema = noteSchema.extend({
  visit: optionalId("Choose one of the listed visits, or none."),
});
