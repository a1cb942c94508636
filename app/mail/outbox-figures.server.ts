import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";
import { SECOND_MS } from "../duration.ts";
import { FAILURES_SHOWN_FOR_MS } from "./undelivered-mail.server.ts";

/** Mail that waits to be sent, the seconds since the oldest of it was written, and mail that was given up within two weeks. */
export type OutboxFigures = { pending: number; oldestSeconds: number; failed: number };

/** Counts mail, without what is not due before a later moment; contains no personal data. */
export async function readOutboxFigures(): Promise<OutboxFigures> {
  const at = now();
  const failedAfter = new Date(at.getTime() - FAILURES_SHOWN_FOR_MS);
  const due = [{ attempts: { gt: 0 } }, { nextAttemptAt: { lte: at } }];
  const [pending, failed] = await Promise.all([
    db.message.aggregate({ where: { state: "pending", OR: due }, _count: true, _min: { createdAt: true } }),
    db.message.count({ where: { state: "failed", createdAt: { gt: failedAfter } } }),
  ]);
  const oldest = pending._min.createdAt;
  const oldestSeconds = oldest ? Math.max(0, Math.round((now().getTime() - oldest.getTime()) / SECOND_MS)) : 0;
  return { pending: pending._count, oldestSeconds, failed };
}
