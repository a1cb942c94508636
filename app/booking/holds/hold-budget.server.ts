import { now } from "../../clock.ts";
import type { Transaction } from "../../db/client.server.ts";
import { DAY_MS } from "../../duration.ts";
import { env } from "../../env.server.ts";

/**
 * Maximum minutes for which a family can hold times within 24 hours, including released holds. Source: docs/product.md,
 * Holding a time.
 */
const MAX_MINUTES_A_DAY = 240;

/**
 * Reserves up to `minutes` of the family's budget, which is reset 24 hours after its first hold. Returns how many of
 * them were available; with RATE_LIMITS=off, always `minutes`. Must run in the transaction of the hold.
 */
export async function spendHoldBudget(transaction: Transaction, userId: number, minutes: number): Promise<number> {
  if (!env.rateLimits) return minutes;
  // Increments first, so that the database admits one writer of this row at a time.
  const row = await transaction.holdUsage.upsert({
    where: { userId },
    create: { userId, since: now(), minutes },
    update: { minutes: { increment: minutes } },
  });
  const isOver = row.since.getTime() <= now().getTime() - DAY_MS;
  const reserved = isOver ? minutes : Math.min(row.minutes, MAX_MINUTES_A_DAY);
  if (reserved !== row.minutes || isOver)
    await transaction.holdUsage.update({
      where: { userId },
      data: { minutes: reserved, since: isOver ? now() : row.since },
    });
  return isOver ? minutes : Math.max(0, minutes - (row.minutes - reserved));
}

/** Returns unused reserved minutes to the family's budget after a hold ended early. */
export async function creditHoldBudget(transaction: Transaction, userId: number, minutes: number): Promise<void> {
  if (minutes <= 0) return;
  await transaction.holdUsage.updateMany({
    where: { userId, minutes: { gte: minutes } },
    data: { minutes: { decrement: minutes } },
  });
}
