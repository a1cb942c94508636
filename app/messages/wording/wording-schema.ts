import { z } from "zod";
import { requiredLine, requiredText } from "../../http/field-schemas.ts";
import { wordingProblem } from "../../mail/wording.ts";

export const MAX_SUBJECT_LENGTH = 120;
export const MAX_BODY_LENGTH = 3000;

const TAG = /<\/?[a-z!][^<>]*>/i;
const NO_TAGS = "Write plain text: families would see a tag such as <b> as it is.";

/** The wording of a message with these placeholders; `required` are those that its text must have. */
export function wordingSchema(placeholders: { allowed: readonly string[]; required: readonly string[] }) {
  return z
    .object({
      subject: requiredLine("The subject", MAX_SUBJECT_LENGTH, "Enter a subject."),
      body: requiredText("The text", MAX_BODY_LENGTH, "Enter the text."),
    })
    .superRefine((wording, context) => {
      for (const field of ["subject", "body"] as const)
        if (TAG.test(wording[field])) context.addIssue({ code: "custom", path: [field], message: NO_TAGS });
      const problem = wordingProblem(wording, placeholders);
      if (problem) context.addIssue({ code: "custom", path: [problem.field], message: problem.message });
    });
}
