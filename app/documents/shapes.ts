import { z } from "zod";
import { optionalText, parseId, requiredLine } from "../http/fields.ts";
import { LONGEST_DESCRIPTION, LONGEST_NAME, SAYS } from "./rules.ts";

/** Marks that turn the direction of writing around would hide what a name says; what they divided stays divided. */
const DIRECTION_CHANGES = /[\u202a-\u202e\u2066-\u2069]+/gu;

const name = z.preprocess(
  (value) => (typeof value === "string" ? value.replace(DIRECTION_CHANGES, " ") : value),
  requiredLine("The document's name", LONGEST_NAME, SAYS.noName),
);

const choice = z
  .preprocess(
    (value) => (value === "" ? undefined : value),
    z.enum(["true", "false"], "Choose true or false.").optional(),
  )
  .transform((value) => value !== "false");

const id = (message: string) =>
  z.preprocess(
    (value) => value || undefined,
    z
      .string()
      .transform((value, context) => {
        const read = parseId(value);
        if (read !== null) return read;
        context.addIssue({ code: "custom", message });
        return z.NEVER;
      })
      .optional(),
  );

/** The fields beside the file; a form can only send text. Anything else that is sent is ignored. */
export const uploadShape = z.object({
  customFileName: name,
  description: optionalText("The description", LONGEST_DESCRIPTION),
  isSharedWithClient: choice,
  /** Whose document it is, where the administrator sends it. */
  userId: id("Choose a family."),
  appointmentId: id("Choose an appointment."),
});

export type UploadFields = z.output<typeof uploadShape>;

export const UPLOAD_FIELDS = [
  "customFileName",
  "description",
  "isSharedWithClient",
  "userId",
  "appointmentId",
] as const;
