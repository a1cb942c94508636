import { z } from "zod";
import { parseId } from "../../http/field-schemas.ts";
import { inPersonPaymentSchema } from "../payment-schemas.ts";

/** Maximum number of visits that can be marked as paid at once. Each visit is a separate transaction. */
export const MAX_MARKED_VISITS = 100;

const VISIT_REQUIRED_MESSAGE = "Choose at least one visit.";

/** The visits that were paid in person, and the payment method. */
export const markPaidSchema = inPersonPaymentSchema.extend({
  visit: z.preprocess(
    (value) => (value === undefined || value === "" ? [] : [value].flat()),
    z
      .array(z.string(VISIT_REQUIRED_MESSAGE), VISIT_REQUIRED_MESSAGE)
      .min(1, VISIT_REQUIRED_MESSAGE)
      .max(MAX_MARKED_VISITS, `Choose at most ${MAX_MARKED_VISITS} visits at once.`)
      .transform((texts, context) => {
        const ids = texts.map(parseId);
        if (!ids.includes(null)) return [...new Set(ids as number[])];
        context.addIssue({ code: "custom", message: VISIT_REQUIRED_MESSAGE });
        return z.NEVER;
      }),
  ),
});
