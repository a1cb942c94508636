import { z } from "zod";
import { optionalText } from "../../http/field-schemas.ts";
import { MAX_MINUTES, MIN_MINUTES } from "../rules.ts";
import { mergeStart, startTimeSchema } from "../schemas.ts";
import { parseInstant, practiceTimeParser } from "../start-time.ts";

/** `duration` counts for the administrator only and is ignored for everyone else. */
export const apiMoveSchema = z.object({
  appointmentDate: startTimeSchema(parseInstant),
  duration: z
    .unknown()
    .optional()
    .meta({ type: "integer", minimum: MIN_MINUTES, maximum: MAX_MINUTES, description: "Minutes" }),
});

/** The move dialog's form. A chosen slot takes precedence over a typed time, which is in the practice's `zone`. */
export function moveFormSchema(zone: string) {
  const fields = z.object({
    appointmentDate: startTimeSchema(practiceTimeParser(zone)),
    slot: optionalText("The open time"),
  });
  return z.preprocess((values) => mergeStart(values as Record<string, unknown>), fields);
}
