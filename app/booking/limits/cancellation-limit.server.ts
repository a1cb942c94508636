import { CANCELLATION_WINDOW_DAYS } from "../../accounts/cancellation-count.server.ts";
import { now } from "../../clock.ts";
import type { Transaction } from "../../db/database-client.server.ts";
import { DAY_MS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import type { Refusal } from "../../http/outcome.ts";
import { formatLongDate } from "../../ui/format-date-time.ts";
import { rateLimitRefusal } from "./rate-limit-refusal.server.ts";

/** Limit for unpaid and for paid visits, counted separately. Source: docs/product.md, Limits. */
const MAX_CANCELLATIONS = 20;

/**
 * Returns a refusal (tooMany) when the family has canceled 20 unpaid or 20 paid visits within seven days (168 hours),
 * otherwise null. Needed because canceled visits stay in its list and no other limit counts them. Cancellations before
 * the last password change don't count (`resetCancellationCountIfDue`). Disabled by RATE_LIMITS=off. Source:
 * docs/decisions/0017.
 */
export async function checkCancellationLimit(transaction: Transaction, userId: number): Promise<Refusal | null> {
  if (!env.isRateLimitingEnabled) return null;
  const since = await findCancellationCountStart(transaction, userId);
  const limits = [
    await findLimitingCancellation(transaction, { userId, since, paymentId: null }),
    await findLimitingCancellation(transaction, { userId, since, paymentId: { not: null } }),
  ];
  const ends = limits.flatMap((row) => (row ? [row.updatedAt.getTime() + CANCELLATION_WINDOW_DAYS * DAY_MS] : []));
  if (ends.length === 0) return null;
  const end = new Date(Math.max(...ends));
  const day = formatLongDate(end, env.practice.timeZone);
  return rateLimitRefusal(
    end,
    `You have canceled ${MAX_CANCELLATIONS} visits in ${CANCELLATION_WINDOW_DAYS} days, so you can't book here again until ${day}. Please call us at ${env.practice.phone}.`,
  );
}

/** Returns the instant (UTC) after which the family's cancellations count. */
async function findCancellationCountStart(transaction: Transaction, userId: number): Promise<Date> {
  const account = await transaction.user.findUnique({
    where: { id: userId },
    select: { cancellationsCountedFrom: true },
  });
  const windowStart = now().getTime() - CANCELLATION_WINDOW_DAYS * DAY_MS;
  return new Date(Math.max(windowStart, account?.cancellationsCountedFrom?.getTime() ?? 0));
}

/**
 * Returns the 20th most recent counted cancellation. The family can book again once it is seven days old. `updatedAt`
 * is the time of the cancellation, because a canceled visit is never changed again.
 */
function findLimitingCancellation(
  transaction: Transaction,
  { userId, since, paymentId }: { userId: number; since: Date; paymentId: null | { not: null } },
) {
  return transaction.appointment.findFirst({
    where: {
      userId,
      paymentId,
      status: "cancelled",
      OR: [{ cancelledBy: null }, { cancelledBy: "family" }],
      updatedAt: { gt: since },
    },
    orderBy: [{ updatedAt: "desc" }, { id: "desc" }],
    skip: MAX_CANCELLATIONS - 1,
    select: { updatedAt: true },
  });
}
