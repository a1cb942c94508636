import { z } from "zod";
import { requiredId, textSchema } from "../../http/field-schemas.ts";
import { INVALID_DURATION, isValidDuration } from "../rules.ts";
import { parseDay } from "../wall-time.ts";

const DAY_REQUIRED = "Choose a day.";

/** The day ("2026-12-07", in the practice's zone) and the length (minutes) of the visit that a family waits for. */
export const waitingListSchema = z.object({
  day: textSchema(DAY_REQUIRED, "The day must be text.").refine((value) => parseDay(value) !== null, DAY_REQUIRED),
  duration: z.number(INVALID_DURATION).refine(isValidDuration, INVALID_DURATION),
});

/** One of the family's places on the list, or a time that is offered, and what is to be done with it. */
export const waitingListChangeSchema = z.object({
  id: requiredId("Choose a day."),
  change: z.enum(["leave", "take", "decline"], "Choose what to do."),
});
