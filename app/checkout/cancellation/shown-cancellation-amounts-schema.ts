import { z } from "zod";

/** An amount in a hidden field, in cents. An invalid one becomes NaN, which differs from every amount. */
const shownCentsSchema = z.coerce.number().optional().catch(Number.NaN);

/** The amounts that a cancellation form showed. */
export const shownCancellationAmountsSchema = z.object({ refundCents: shownCentsSchema, feeCents: shownCentsSchema });
