import { z } from "zod";
import { optionalMultiLineText } from "../../http/field-schemas.ts";
import { MAX_VISIT_MINUTES, MIN_VISIT_MINUTES, START_REQUIRED_MESSAGE } from "../booking-rules.ts";
import { MAX_PLACE_LENGTH, withResolvedAppointmentStart, createStartTimeSchema } from "../booking-schemas.ts";
import { parseInstant, createPracticeTimeParser } from "../start-time.ts";

const blankToUndefined = (value: unknown) =>
  value === null || (typeof value === "string" && value.trim() === "") ? undefined : value;

/**
 * Accepts `duration` and `place` from the administrator only; they are ignored for everyone else. The start may be
 * absent where only the place is set.
 */
export const apiChangeSchema = z
  .object({
    appointmentDate: z
      .preprocess(blankToUndefined, createStartTimeSchema(parseInstant).optional())
      .meta({ description: "The start; only the administrator can leave it out, to set the place alone" }),
    duration: z
      .unknown()
      .optional()
      .meta({ type: "integer", minimum: MIN_VISIT_MINUTES, maximum: MAX_VISIT_MINUTES, description: "Minutes" }),
    place: z
      .unknown()
      .optional()
      .meta({
        type: ["string", "null"],
        maxLength: MAX_PLACE_LENGTH,
        description: "From the administrator alone: where this visit in person takes place; null: no place of its own",
      }),
  })
  .refine(
    ({ appointmentDate, duration, place }) =>
      appointmentDate !== undefined || (place !== undefined && blankToUndefined(duration) === undefined),
    { path: ["appointmentDate"], error: START_REQUIRED_MESSAGE },
  );

/**
 * Returns the schema of the move dialog's form. A chosen slot takes precedence over a typed time, which is in the
 * practice's time zone `zone`.
 */
export function createMoveFormSchema(zone: string) {
  const fields = z.object({
    appointmentDate: createStartTimeSchema(createPracticeTimeParser(zone)),
    slot: optionalMultiLineText("The open time"),
  });
  return z.preprocess((values) => withResolvedAppointmentStart(values as Record<string, unknown>), fields);
}
