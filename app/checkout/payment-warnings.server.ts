import { MINUTE_MS } from "../time-units.ts";
import { now } from "../clock.ts";
import { db } from "../db/database-client.server.ts";
import { IN_PROGRESS_STATES } from "./payment-transitions.server.ts";
import { reconcilerFailingSince } from "./reconciler.server.ts";
import { formatCountWithNoun } from "../format-count-with-noun.ts";

/** The reconciler finishes most payments within a minute. Older unfinished payments have a lasting problem. */
const STUCK_AFTER_MS = 10 * MINUTE_MS;
const REPORTED_DAYS = 30;

/** Returns warnings for the dashboard about payments and refunds that need attention; empty when there are none. */
export async function findPaymentWarnings(): Promise<string[]> {
  const stuckBefore = new Date(now().getTime() - STUCK_AFTER_MS);
  const recentlyAfter = new Date(now().getTime() - REPORTED_DAYS * 24 * 60 * MINUTE_MS);
  const [payments, mismatched, refunds] = await Promise.all([
    db.payment.count({
      where: {
        OR: [
          { state: { in: IN_PROGRESS_STATES }, createdAt: { lte: stuckBefore } },
          { state: "waiting", leaseEndsAt: { lte: stuckBefore } },
        ],
      },
    }),
    db.payment.count({ where: { mismatch: { not: null }, createdAt: { gte: recentlyAfter } } }),
    db.refund.count({ where: { state: "asked", createdAt: { lte: stuckBefore } } }),
  ]);
  const failingSince = reconcilerFailingSince();
  return [
    ...(payments > 0
      ? [
          `${formatCountWithNoun(payments, "card payment is", "card payments are")} not settled yet. We keep asking the card provider. If this stays for an hour, look at its own page.`,
        ]
      : []),
    ...(mismatched > 0
      ? [
          `${formatCountWithNoun(mismatched, "payment was", "payments were")} not taken as we asked in the last ${REPORTED_DAYS} days: another amount, currency or order. Nothing was booked for ${mismatched === 1 ? "it" : "them"}. What was taken goes back; look at the card provider's own page.`,
        ]
      : []),
    ...(refunds > 0
      ? [
          `${formatCountWithNoun(refunds, "refund has", "refunds have")} not reached the card provider yet. We keep trying. If this stays for a day, give the money back on its own page.`,
        ]
      : []),
    ...(failingSince && failingSince <= stuckBefore
      ? [
          "Card payments have not been looked after for ten minutes. Ask the person who installed this site to look at its log.",
        ]
      : []),
  ];
}

/** Counts the card payments in each state (see payment-states.ts). */
export async function countPaymentsByState(): Promise<Record<string, number>> {
  const groups = await db.payment.groupBy({ by: ["state"], where: { provider: { not: null } }, _count: true });
  return Object.fromEntries(groups.map(({ state, _count }) => [state, _count]));
}
