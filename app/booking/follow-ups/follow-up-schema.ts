import { z } from "zod";
import { optionalMultiLineText, requiredId, requiredMultiLineText } from "../../http/field-schemas.ts";
import { parseDay } from "../wall-time.ts";

const MAX_FOLLOW_UP_LENGTH = 300;
const DAY_REQUIRED_MESSAGE = "Choose when it is due.";
const DUE_DAY_IN_PAST_MESSAGE = "That day is over. Choose today or a later day.";
const FOLLOW_UP_REQUIRED_MESSAGE = "Write what needs to be done.";

export const followUpTextSchema = requiredMultiLineText(
  "The follow-up",
  MAX_FOLLOW_UP_LENGTH,
  FOLLOW_UP_REQUIRED_MESSAGE,
);
export const optionalFollowUpTextSchema = optionalMultiLineText("The follow-up", MAX_FOLLOW_UP_LENGTH);
export const sharedCheckboxSchema = z.preprocess((value) => value === "on", z.boolean());

/**
 * Returns why a follow-up can't be due on a day, otherwise null. `today` is the current day in the practice's time
 * zone.
 */
export function dueDayError(day: string | undefined, today: string): string | null {
  const parsed = parseDay(day ?? "");
  if (parsed === null) return DAY_REQUIRED_MESSAGE;
  return parsed < today ? DUE_DAY_IN_PAST_MESSAGE : null;
}

/** Returns the schema of a follow-up on a family's page. `today` is the current day in the practice's time zone. */
export function createFollowUpSchema(today: string) {
  return z
    .object({ followUp: followUpTextSchema, dueDay: optionalMultiLineText("The day"), isShared: sharedCheckboxSchema })
    .transform(({ followUp, dueDay = "", isShared }, context) => {
      const message = dueDayError(dueDay, today);
      if (message === null) return { text: followUp, dueDay, isShared };
      context.addIssue({ code: "custom", path: ["dueDay"], message });
      return z.NEVER;
    });
}

/** Actions of the buttons in a list of follow-ups. Deleting has its own confirmation page. */
export const FOLLOW_UP_CHANGES = ["done", "reopened"] as const;

/** The button of a shared follow-up on the family's dashboard. */
export const sharedFollowUpSchema = z.object({
  followUp: requiredId("Reload the page."),
  intent: z.enum(FOLLOW_UP_CHANGES, "Reload the page."),
});
