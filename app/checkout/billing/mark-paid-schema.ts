import { z } from "zod";
import { parseId } from "../../http/field-schemas.ts";
import { inPersonPaymentSchema } from "../schemas.ts";

/** Maximum number of visits that can be marked as paid at once. Each visit is a separate transaction. */
export const MAX_MARKED = 100;

const ONE_VISIT = "Choose at least one visit.";

/** The visits that were paid in person, and the payment method. */
export const markPaidSchema = inPersonPaymentSchema.extend({
  visit: z.preprocess(
    (value) => (value === undefined || value === "" ? [] : [value].flat()),
    z
      .array(z.string(ONE_VISIT), ONE_VISIT)
      .min(1, ONE_VISIT)
      .max(MAX_MARKED, `Choose at most ${MAX_MARKED} visits at once.`)
      .transform((texts, context) => {
        const ids = texts.map(parseId);
        if (!ids.includes(null)) return [...new Set(ids as number[])];
        context.addIssue({ code: "custom", message: ONE_VISIT });
        return z.NEVER;
      }),
  ),
});
