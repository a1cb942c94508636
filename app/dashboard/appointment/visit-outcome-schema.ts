import { z } from "zod";
import {
  dueDayError,
  optionalFollowUpTextSchema,
  sharedCheckboxSchema,
} from "../../booking/follow-ups/follow-up-schema.ts";
import { IN_PERSON_METHODS } from "../../checkout/payment-methods.ts";
import {
  MAX_REASON_LENGTH as MAX_WAIVE_REASON_LENGTH,
  WAIVE_REASON_REQUIRED_MESSAGE,
} from "../../checkout/payment-schemas.ts";
import { createStartTimeSchema } from "../../booking/booking-schemas.ts";
import { parseInstant } from "../../booking/start-time.ts";
import { optionalMultiLineText } from "../../http/field-schemas.ts";

/** The follow-up lines of the form. */
export const FOLLOW_UP_LINES = [1, 2, 3] as const;
/** Value of the choice not to book a next visit. */
export const NO_NEXT_VISIT_VALUE = "no";
/** Answer to *Is it paid?* if nothing is owed. */
export const WAIVED_VALUE = "waived";
const VISIT_OUTCOMES = ["completed", "no-show"] as const;

type FollowUpLineNumber = (typeof FOLLOW_UP_LINES)[number];
const textFieldName = <N extends FollowUpLineNumber>(line: N) => `followUp${line}` as const;
const dayFieldName = <N extends FollowUpLineNumber>(line: N) => `dueDay${line}` as const;
const sharedFieldName = <N extends FollowUpLineNumber>(line: N) => `isShared${line}` as const;

/**
 * The administrator's record after a visit. `today` is the current day in the practice's time zone. Lines without a
 * text are left out.
 */
export function visitOutcomeSchema(today: string) {
  return z
    .object({
      status: z.enum(VISIT_OUTCOMES, "Say how it went."),
      note: optionalMultiLineText("The note"),
      followUp1: optionalFollowUpTextSchema,
      dueDay1: optionalMultiLineText("The day"),
      isShared1: sharedCheckboxSchema,
      followUp2: optionalFollowUpTextSchema,
      dueDay2: optionalMultiLineText("The day"),
      isShared2: sharedCheckboxSchema,
      followUp3: optionalFollowUpTextSchema,
      dueDay3: optionalMultiLineText("The day"),
      isShared3: sharedCheckboxSchema,
      paid: z
        .preprocess(
          (value) => value || undefined,
          z.enum(["no", WAIVED_VALUE, ...IN_PERSON_METHODS], "Choose how it was paid.").optional(),
        )
        .transform((value) => (value === undefined || value === "no" ? null : value)),
      waiveReason: optionalMultiLineText("The reason", MAX_WAIVE_REASON_LENGTH),
      nextStart: z.preprocess(
        (value) => (value === "" || value === NO_NEXT_VISIT_VALUE ? undefined : value),
        createStartTimeSchema(parseInstant).optional(),
      ),
    })
    .transform((fields, context) => {
      const followUps = FOLLOW_UP_LINES.flatMap((line) => {
        const [words, dueDay] = [fields[textFieldName(line)], fields[dayFieldName(line)]];
        // A line without a text is ignored, because the day of each line is prefilled.
        if (words === undefined) return [];
        const problem = dueDayError(dueDay, today);
        if (problem) context.addIssue({ code: "custom", path: [dayFieldName(line)], message: problem });
        return [{ text: words, dueDay: dueDay ?? "", isShared: fields[sharedFieldName(line)] }];
      });
      if (fields.paid === WAIVED_VALUE && fields.waiveReason === undefined)
        context.addIssue({ code: "custom", path: ["waiveReason"], message: WAIVE_REASON_REQUIRED_MESSAGE });
      return {
        status: fields.status,
        note: fields.note ?? null,
        followUps,
        paid: fields.paid === WAIVED_VALUE ? null : fields.paid,
        waiveReason: fields.paid === WAIVED_VALUE ? (fields.waiveReason ?? null) : null,
        nextStart: fields.nextStart ?? null,
      };
    });
}
