import { z } from "zod";
import { requiredId } from "../../http/field-schemas.ts";

const DISMISSIBLE_WARNINGS = ["payment script", "restored backup"] as const;
export type DismissibleWarning = (typeof DISMISSIBLE_WARNINGS)[number];

/** The last event of a part of the system that the consultant has seen. */
export const markAsSeenSchema = z.object({
  part: z.enum(DISMISSIBLE_WARNINGS).default("payment script"),
  upTo: requiredId("Choose what to mark as seen."),
});
