import { z } from "zod";
import { requiredId } from "../http/field-schemas.ts";

/** More than a group of the dashboard lists. */
const MAX_LISTED = 20;
const RELOAD = "Reload the page.";

/** A list's one or several ids; absent when the other group was sent. */
const listedIds = z.preprocess(
  (value) => (value === undefined ? [] : [value].flat()),
  z.array(requiredId(RELOAD), RELOAD).max(MAX_LISTED, RELOAD),
);

/** `until` is ISO 8601 UTC: when the dashboard was loaded. The ids are those of its lists. */
export const reviewedSchema = z.object({
  until: z.iso.datetime(RELOAD).transform((text) => new Date(text)),
  document: listedIds,
  formOf: listedIds,
});
