import { z } from "zod";

/** ISO 8601 UTC: when the dashboard was loaded. */
export const reviewedSchema = z.object({
  until: z.iso.datetime("Reload the page.").transform((text) => new Date(text)),
});
