import { z } from "zod";
import { optionalSingleLine, optionalMultiLineText, requiredSingleLine } from "../../http/field-schemas.ts";

/** What families read about the consultant. The environment variables CONSULTANT_… have the same limits. */
export const consultantProfileSchema = z.object({
  name: requiredSingleLine("Your name", 80, "Please enter the name that families know you by."),
  bio: optionalMultiLineText("What families read", 600),
  license: optionalSingleLine("The license line", 160),
  removePortrait: z.enum(["on"], "Remove the picture must be a checkbox.").optional(),
});
