import { z } from "zod";
import { optionalText } from "../../http/field-schemas.ts";
import { MAX_MINUTES, MIN_MINUTES } from "../rules.ts";
import { resolveAppointmentStart, startTimeSchema } from "../schemas.ts";
import { parseInstant, practiceTimeParser } from "../start-time.ts";

/** Accepts `duration` from the administrator only; it is ignored for everyone else. */
export const apiMoveSchema = z.object({
  appointmentDate: startTimeSchema(parseInstant),
  duration: z
    .unknown()
    .optional()
    .meta({ type: "integer", minimum: MIN_MINUTES, maximum: MAX_MINUTES, description: "Minutes" }),
});

/**
 * Returns the schema of the move dialog's form. A chosen slot takes precedence over a typed time, which is in the
 * practice's time zone `zone`.
 */
export function moveFormSchema(zone: string) {
  const fields = z.object({
    appointmentDate: startTimeSchema(practiceTimeParser(zone)),
    slot: optionalText("The open time"),
  });
  return z.preprocess((values) => resolveAppointmentStart(values as Record<string, unknown>), fields);
}
