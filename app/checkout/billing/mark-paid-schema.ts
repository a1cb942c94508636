import { z } from "zod";
import { parseId } from "../../http/field-schemas.ts";
import { inPersonPaymentSchema } from "../schemas.ts";

/** Maximum number of visits that can be marked as paid at once. Each visit is a separate transaction. */
export const MAX_MARKED = 100;

const VISIT_REQUIRED = "Choose at least one visit.";

/** The visits that were paid in person, and the payment method. */
export const markPaidSchema = inPersonPaymentSchema.extend({
  visit: z.preprocess(
    (value) => (value === undefined || value === "" ? [] : [value].flat()),
    z
      .array(z.string(VISIT_REQUIRED), VISIT_REQUIRED)
      .min(1, VISIT_REQUIRED)
      .max(MAX_MARKED, `Choose at most ${MAX_MARKED} visits at once.`)
      .transform((texts, context) => {
        const ids = texts.map(parseId);
        if (!ids.includes(null)) return [...new Set(ids as number[])];
        context.addIssue({ code: "custom", message: VISIT_REQUIRED });
        return z.NEVER;
      }),
  ),
});
