/** Who reads a note of the consultant's, beside its field. */
export const NOTE_PRIVACY_HINT = "Not shown to the family; part of the copy of its data when it asks for one.";
