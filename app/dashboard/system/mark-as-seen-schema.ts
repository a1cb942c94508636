import { z } from "zod";
import { requiredId } from "../../http/field-schemas.ts";

const SEEN_PARTS = ["payment script", "restored backup"] as const;
export type SeenPart = (typeof SEEN_PARTS)[number];

/** The last event of a part of the system that the consultant has seen. */
export const markAsSeenSchema = z.object({
  part: z.enum(SEEN_PARTS).default("payment script"),
  upTo: requiredId("Choose what to mark as seen."),
});
