import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db, inTransaction } from "../db/client.server.ts";
import { cancelForPractice } from "./cancel.server.ts";
import { releaseHoldsOf } from "../booking/holds.server.ts";
import { FINAL_STATUSES } from "../booking/appointment-status.ts";

/** `left` could not be cancelled because their payment is still being settled; amounts are cents. */
export type Released = { cancelled: number; refundCents: number; areRefundsSent: boolean; left: number };

/** What a family has booked that has not begun, soonest first. */
export function upcomingOf(userId: number) {
  return db.appointment.findMany({
    where: { userId, appointmentDate: { gt: now() }, status: { notIn: FINAL_STATUSES } },
    orderBy: [{ appointmentDate: "asc" }, { id: "asc" }],
    select: { id: true, payments: { where: { state: "paid", provider: { not: null } }, select: REFUNDABLE } },
  });
}

const REFUNDABLE = { amountCents: true, refundedCents: true } as const;

/**
 * Frees every time of a family that has not begun: its holds end, its appointments are cancelled, and what was paid
 * online for them goes back in full, as in every cancellation by the practice. Safe to repeat. For the administrator.
 */
export async function releaseTimes(admin: Person, userId: number): Promise<Released> {
  if (!admin.isAdmin) throw new Error("Only the administrator frees a family's times.");
  await inTransaction((transaction) => releaseHoldsOf(transaction, userId));
  const released: Released = { cancelled: 0, refundCents: 0, areRefundsSent: true, left: 0 };
  for (const { id } of await upcomingOf(userId)) {
    const ended = await cancelForPractice(admin, id);
    if (ended.ok) {
      released.cancelled += 1;
      released.refundCents += ended.value.refundCents ?? 0;
      released.areRefundsSent &&= ended.value.isSent;
    }
  }
  released.left = (await upcomingOf(userId)).length;
  return released;
}
