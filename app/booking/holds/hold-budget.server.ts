import { now } from "../../clock.ts";
import type { Transaction } from "../../db/database-client.server.ts";
import { DAY_MS, MINUTE_MS } from "../../time-units.ts";
import { env } from "../../env.server.ts";

/**
 * Maximum minutes for which a family can hold times within 24 hours, including released holds. Source: docs/product.md,
 * Holding a time.
 */
const MAX_HOLD_MINUTES_PER_DAY = 240;

/** Maximum minutes of a hold since the time was chosen, regardless of renewals. */
export const MAX_HOLD_MINUTES = 45;

/** Returns how many of the 45 minutes of a hold that began at `heldSince` are left at `instant`, in whole minutes. */
function minutesLeft(heldSince: Date, instant: Date): number {
  return MAX_HOLD_MINUTES - Math.ceil((instant.getTime() - heldSince.getTime()) / MINUTE_MS);
}

/**
 * Reserves what is left of the 45 minutes of a time that is held since `heldSince`; null for one that is held from now
 * on. Returns since when the hold counts as held: earlier if the family's budget is nearly used up, so that the hold
 * ends with the budget.
 */
export async function reserveHoldBudget(
  transaction: Transaction,
  userId: number,
  heldSince: Date | null,
): Promise<Date> {
  const instant = now();
  const since = heldSince ?? instant;
  const requestedMinutes = minutesLeft(since, instant);
  const minutes = requestedMinutes > 0 ? await consumeHoldBudget(transaction, userId, requestedMinutes) : 0;
  return new Date(since.getTime() - Math.max(0, requestedMinutes - minutes) * MINUTE_MS);
}

/**
 * Reserves up to `minutes` of the family's budget, which is reset 24 hours after its first hold. Returns how many of
 * them were available; with RATE_LIMITS=off, always `minutes`. Must run in the transaction of the hold.
 */
async function consumeHoldBudget(transaction: Transaction, userId: number, minutes: number): Promise<number> {
  if (!env.isRateLimitingEnabled) return minutes;
  // Increments first, so that the database admits one writer of this row at a time.
  const row = await transaction.holdUsage.upsert({
    where: { userId },
    create: { userId, since: now(), minutes },
    update: { minutes: { increment: minutes } },
  });
  const isPeriodOver = row.since.getTime() <= now().getTime() - DAY_MS;
  const reserved = isPeriodOver ? minutes : Math.min(row.minutes, MAX_HOLD_MINUTES_PER_DAY);
  if (reserved !== row.minutes || isPeriodOver)
    await transaction.holdUsage.update({
      where: { userId },
      data: { minutes: reserved, since: isPeriodOver ? now() : row.since },
    });
  return isPeriodOver ? minutes : Math.max(0, minutes - (row.minutes - reserved));
}

/** Returns the minutes that were reserved for a hold of a chosen time and not used to the family's budget. */
export async function creditUnusedHoldBudget(
  transaction: Transaction,
  userId: number,
  { heldSince, expiresAt }: { heldSince: Date; expiresAt: Date },
): Promise<void> {
  const minutes = minutesLeft(heldSince, new Date(Math.min(now().getTime(), expiresAt.getTime())));
  if (minutes <= 0) return;
  await transaction.holdUsage.updateMany({
    where: { userId, minutes: { gte: minutes } },
    data: { minutes: { decrement: minutes } },
  });
}
