import { z } from "zod";
import { optionalId, optionalMultiLineText, requiredSingleLine } from "../http/field-schemas.ts";
import { MAX_DESCRIPTION_LENGTH, MAX_DOCUMENT_NAME_LENGTH, UPLOAD_MESSAGES } from "./document-file-rules.ts";

/** Bidirectional control characters, which could disguise a file name. Each run becomes a space. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]+/gu;

const nameSchema = z.preprocess(
  (value) => (typeof value === "string" ? value.replace(BIDI_CONTROLS, " ") : value),
  requiredSingleLine("The document's name", MAX_DOCUMENT_NAME_LENGTH, UPLOAD_MESSAGES.noName),
);

const sharingSchema = z
  .preprocess(
    (value) => (value === "" ? undefined : value),
    z.enum(["true", "false"], "Choose true or false.").optional(),
  )
  .transform((value) => value !== "false");

/** The text fields of an upload. Unknown fields are ignored. */
export const uploadSchema = z.object({
  customFileName: nameSchema,
  description: optionalMultiLineText("The description", MAX_DESCRIPTION_LENGTH),
  isSharedWithClient: sharingSchema,
  /** The family that the document is for. Ignored unless the administrator uploads. */
  userId: optionalId("Choose a family."),
  appointmentId: optionalId("Choose an appointment."),
});

export type UploadValues = z.output<typeof uploadSchema>;

export const UPLOAD_FIELD_NAMES = [
  "customFileName",
  "description",
  "isSharedWithClient",
  "userId",
  "appointmentId",
] as const;
