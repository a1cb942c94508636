import { z } from "zod";
import { optionalMultiLineText, requiredSingleLine } from "../http/field-schemas.ts";

const MAX_NAME_LENGTH = 201;
const MAX_VERSION_LENGTH = 20;
const MAX_DETAILS_LENGTH = 1000;

/** Schema of the form below a document. `version` is the version that the family read. */
export const signConsentSchema = z.object({
  version: requiredSingleLine("The version", MAX_VERSION_LENGTH, "Please read the text, then sign it."),
  details: optionalMultiLineText("This", MAX_DETAILS_LENGTH),
  signedName: requiredSingleLine("Your name", MAX_NAME_LENGTH, "Type your full name to sign."),
});

export type SignConsentValues = z.output<typeof signConsentSchema>;
