import { z } from "zod";
import { requiredId, stringSchemaWithMessages } from "../../http/field-schemas.ts";
import { parseDay } from "../wall-time.ts";
import { WAITING_LIST_VISIT_MINUTES } from "./waiting-list-visit-lengths.ts";

const DAY_REQUIRED_MESSAGE = "Choose a day.";
const DURATION_REQUIRED_MESSAGE = `Choose ${WAITING_LIST_VISIT_MINUTES.join(" or ")} minutes.`;

/** Day ("2026-12-07", in the practice's time zone) and length (minutes) of the visit that a family waits for. */
export const waitingListSchema = z.object({
  day: stringSchemaWithMessages(DAY_REQUIRED_MESSAGE, "The day must be text.").refine(
    (value) => parseDay(value) !== null,
    DAY_REQUIRED_MESSAGE,
  ),
  duration: z
    .number(DURATION_REQUIRED_MESSAGE)
    .refine((value) => WAITING_LIST_VISIT_MINUTES.some((minutes) => minutes === value), DURATION_REQUIRED_MESSAGE),
});

/** One of the family's entries or an offered time, and the action on it. */
export const waitingListChangeSchema = z.object({
  id: requiredId("Choose a day."),
  change: z.enum(["leave", "take", "decline"], "Choose what to do."),
});
