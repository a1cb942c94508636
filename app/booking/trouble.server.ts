import { now } from "../clock.ts";
import { db } from "../db.server.ts";
import { IN_PROGRESS, reconcilingFailsSince } from "./reconcile.server.ts";

const MINUTE = 60_000;
/** The reconciler settles what it can within a minute; what is older has met something that lasts. */
const STUCK_MS = 10 * MINUTE;
const REPORTED_DAYS = 30;

/** What the consultant should know of payments that don't come to an end by themselves (decisions §5.7). */
export async function paymentTroubles(): Promise<string[]> {
  const before = new Date(now().getTime() - STUCK_MS);
  const lately = new Date(now().getTime() - REPORTED_DAYS * 24 * 60 * MINUTE);
  const [payments, mismatched, refunds, failed] = await Promise.all([
    db.payment.count({ where: { state: { in: IN_PROGRESS }, createdAt: { lte: before } } }),
    db.payment.count({ where: { mismatch: { not: null }, createdAt: { gte: lately } } }),
    db.refund.count({ where: { state: "asked", createdAt: { lte: before } } }),
    db.refund.count({ where: { state: "failed", createdAt: { gte: lately } } }),
  ]);
  const since = reconcilingFailsSince();
  return [
    ...(payments > 0
      ? [
          `${several(payments, "card payment is", "card payments are")} not settled yet. We keep asking the card provider. If this stays for an hour, look at its own page.`,
        ]
      : []),
    ...(mismatched > 0
      ? [
          `${several(mismatched, "payment was", "payments were")} not taken as we asked in the last ${REPORTED_DAYS} days: another amount, currency or order. Nothing was booked for ${mismatched === 1 ? "it" : "them"}. What was taken goes back; look at the card provider's own page.`,
        ]
      : []),
    ...(refunds > 0
      ? [
          `${several(refunds, "refund has", "refunds have")} not reached the card provider yet. We keep trying. If this stays for a day, give the money back on its own page.`,
        ]
      : []),
    ...(failed > 0
      ? [
          `${several(failed, "refund was", "refunds were")} turned down by the card provider in the last ${REPORTED_DAYS} days. Open the appointment's payment to give the money back another way.`,
        ]
      : []),
    ...(since && since <= before
      ? ["Card payments have not been looked after for ten minutes. Ask whoever runs this site to look at its log."]
      : []),
  ];
}

function several(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
