/** Limits of a message's wording, for the form and its schema. Source: docs/product.md, Mail. */
export const MAX_SUBJECT_LENGTH = 120;
export const MAX_BODY_LENGTH = 3000;
