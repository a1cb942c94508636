import { z } from "zod";
import { requiredId } from "../http/field-schemas.ts";

/** At least as many as a group of the dashboard lists. */
const MAX_IDS = 20;
const RELOAD_MESSAGE = "Reload the page.";

/** One or several ids of a list. Absent if the form of the other group was submitted. */
const listedIdsSchema = z.preprocess(
  (value) => (value === undefined ? [] : [value].flat()),
  z.array(requiredId(RELOAD_MESSAGE), RELOAD_MESSAGE).max(MAX_IDS, RELOAD_MESSAGE),
);

/** `until` is the instant (ISO 8601 UTC) at which the dashboard was loaded. The ids are those of its lists. */
export const markAsReadSchema = z.object({
  until: z.iso.datetime(RELOAD_MESSAGE).transform((text) => new Date(text)),
  document: listedIdsSchema,
  formOf: listedIdsSchema,
});
