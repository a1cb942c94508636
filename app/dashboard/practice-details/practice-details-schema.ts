import { z } from "zod";
import { optionalSingleLine } from "../../http/field-schemas.ts";

const MAX_DETAIL_LENGTH = 200;
const TAX_ID_PATTERN = /^[\w-]{4,20}$/;

/**
 * The details of the practice that the consultant can set. The environment variables PRACTICE_… have the same limits.
 */
export const practiceDetailsSchema = z.object({
  address: optionalSingleLine("The address", MAX_DETAIL_LENGTH),
  taxId: optionalSingleLine("The tax number", MAX_DETAIL_LENGTH).refine(
    (taxId) => taxId === undefined || TAX_ID_PATTERN.test(taxId),
    "Enter a tax number such as 12-3456789.",
  ),
  meetingPlace: optionalSingleLine("The place", MAX_DETAIL_LENGTH),
});
