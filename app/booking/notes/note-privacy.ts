/** Hint next to the field of a consultant's note about who can read it. */
export const NOTE_PRIVACY_HINT = "Not shown to the family; part of the copy of its data when it asks for one.";
