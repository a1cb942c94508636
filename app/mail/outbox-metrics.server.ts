import { now } from "../clock.ts";
import { db } from "../db/database-client.server.ts";
import { SECOND_MS } from "../time-units.ts";
import { FAILURE_DISPLAY_PERIOD_MS } from "./undelivered-mail.server.ts";

/**
 * Number of messages waiting to be sent, seconds since the oldest of them was created, and number of messages from the
 * last two weeks that were given up.
 */
export type OutboxMetrics = { pending: number; oldestSeconds: number; failed: number };

/** Counts messages, except those that are only due later. Contains no personal data. */
export async function readOutboxMetrics(): Promise<OutboxMetrics> {
  const at = now();
  const failedAfter = new Date(at.getTime() - FAILURE_DISPLAY_PERIOD_MS);
  const due = [{ attempts: { gt: 0 } }, { nextAttemptAt: { lte: at } }];
  const [pending, failed] = await Promise.all([
    db.message.aggregate({ where: { state: "pending", OR: due }, _count: true, _min: { createdAt: true } }),
    db.message.count({ where: { state: "failed", createdAt: { gt: failedAfter } } }),
  ]);
  const oldest = pending._min.createdAt;
  const oldestPendingSeconds = oldest ? Math.max(0, Math.round((now().getTime() - oldest.getTime()) / SECOND_MS)) : 0;
  return { pending: pending._count, oldestSeconds: oldestPendingSeconds, failed };
}
