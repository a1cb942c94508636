import { z } from "zod";
import { bookingSchemaWithoutStart, MAX_TITLE_LENGTH } from "../../booking/booking-schemas.ts";
import { toDateTimeFields, parseInstant, parseWallTimeToInstant } from "../../booking/start-time.ts";
import { optionalMultiLineText, requiredSingleLine } from "../../http/field-schemas.ts";

const DATE_LENGTH = 10;
const TIME_LENGTH = 5;
const CHECKED_VALUE = "on";

/**
 * Merges the fields for the start. Priority: a button that takes another time (`take`); a typed time that differs from
 * the initial one (`shownTime`); a slot, which may have been preselected; any other time. A slot is an instant, or a
 * time of day on the day of the date field.
 */
function mergeTimes(zone: string) {
  return (fields: unknown) => {
    const { take, shownTime, time, ...rest } = fields as Record<string, unknown>;
    const isTyped = Boolean(time) && shownTime !== undefined && time !== shownTime;
    const slot = isTyped ? "" : rest.slot;
    const offered = [take, slot].map((value) => (typeof value === "string" ? parseInstant(value) : null));
    const chosen = offered.find((value) => value instanceof Date);
    return chosen instanceof Date ? { ...rest, ...toDateTimeFields(chosen, zone) } : { ...rest, time: slot || time };
  };
}

const startFields = {
  date: requiredSingleLine("The date", DATE_LENGTH, "Choose a date."),
  time: requiredSingleLine("The time", TIME_LENGTH, "Choose a time."),
  slot: z.unknown().optional(),
  shownTime: z.unknown().optional(),
  take: z.unknown().optional(),
  anyway: optionalMultiLineText("The answer"),
};

function parseStartFromWallTime(zone: string) {
  return <T extends { date: string; time: string }>(fields: T, context: z.RefinementCtx) => {
    const start = parseWallTimeToInstant(fields.date, fields.time, zone);
    if (typeof start !== "string") return { ...fields, start };
    context.addIssue({ code: "custom", path: ["time"], message: start });
    return z.NEVER;
  };
}

/** Schema of the dialog that schedules a consultation request. Times are local to `zone`. */
export function scheduleRequestDialogSchema(zone: string) {
  const fields = z.object({
    title: requiredSingleLine("The title", MAX_TITLE_LENGTH, "Enter a title."),
    duration: bookingSchemaWithoutStart.shape.duration,
    ...startFields,
    isLiveVideoCall: z.preprocess((value) => value === CHECKED_VALUE, z.boolean()),
    place: bookingSchemaWithoutStart.shape.place,
    userId: optionalMultiLineText("The account").transform((text) => text && Number(text)),
  });
  return z.preprocess(mergeTimes(zone), fields.transform(parseStartFromWallTime(zone)));
}

/** Schema of the dialog in which the administrator books for a family. Times are local to `zone`. */
export function familyBookingSchema(zone: string) {
  return z.preprocess(
    mergeTimes(zone),
    bookingSchemaWithoutStart.extend(startFields).transform(parseStartFromWallTime(zone)),
  );
}

export function rescheduleSchema(zone: string) {
  return z.preprocess(mergeTimes(zone), z.object(startFields).transform(parseStartFromWallTime(zone)));
}
