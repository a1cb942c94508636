import { MINUTE_MS } from "../../time-units.ts";
import { now } from "../../clock.ts";
import type { Transaction } from "../../db/database-client.server.ts";
import { endTime, MAX_VISIT_MINUTES } from "../booking-rules.ts";
import { IN_FLIGHT_PAYMENT_STATES } from "./blocking-holds.server.ts";
import { creditUnusedHoldBudget } from "./hold-budget.server.ts";

const NOT_IN_FLIGHT_CONDITION = { state: { notIn: IN_FLIGHT_PAYMENT_STATES } };

type HeldPayment = { id: number; version: number; state: string };
type HoldReleasedHandler = (transaction: Transaction, payment: HeldPayment) => Promise<void>;

let onHoldReleased: HoldReleasedHandler = async () => {};

/**
 * Registers the handler that runs, in the same transaction, for the payment of a hold that is released before it
 * expires.
 */
export function registerHoldReleasedHandler(handler: HoldReleasedHandler): void {
  onHoldReleased = handler;
}

type SlotFields = { appointmentDate: Date; duration: number };

/**
 * Deletes holds that overlap this slot and no longer block it: expired holds, and the family's own holds unless their
 * payment is in flight or is the one now being booked (`paymentId`). If other holds overlap, the database rejects the
 * booking. The unused minutes of a chosen time return to the budget of its family.
 */
export async function releaseObsoleteHolds(
  transaction: Transaction,
  slot: SlotFields,
  { userId, paymentId = 0 }: { userId: number | null; paymentId?: number },
): Promise<void> {
  const to = endTime({ start: slot.appointmentDate, duration: slot.duration });
  const rows = await transaction.hold.findMany({
    where: {
      appointmentDate: { gt: new Date(slot.appointmentDate.getTime() - MAX_VISIT_MINUTES * MINUTE_MS), lt: to },
      OR: [{ expiresAt: { lte: now() } }, ...(userId === null ? [] : [{ userId }])],
      AND: { OR: [{ paymentId: null }, { paymentId: { not: paymentId }, payment: NOT_IN_FLIGHT_CONDITION }] },
    },
    // A fixed order prevents deadlocks between concurrent bookings.
    orderBy: { id: "asc" },
    select: {
      id: true,
      userId: true,
      chosenByUserId: true,
      appointmentDate: true,
      duration: true,
      heldSince: true,
      expiresAt: true,
      payment: { select: { id: true, version: true, state: true } },
    },
  });
  const released: (typeof rows)[number][] = [];
  for (const row of rows) {
    const { id, userId: ownerId, chosenByUserId, payment, appointmentDate: start, duration } = row;
    if (endTime({ start, duration }) <= slot.appointmentDate) continue;
    const { count } = await transaction.hold.deleteMany({ where: { id } });
    if (count > 0 && chosenByUserId !== null) released.push(row);
    if (payment && ownerId === userId) await onHoldReleased(transaction, payment);
  }
  // Last and in a fixed order, because two requests that each wait for a row of the other would deadlock.
  for (const hold of released.toSorted((one, other) => one.userId - other.userId))
    await creditUnusedHoldBudget(transaction, hold.userId, hold);
}

/** Releases all holds of a family except those whose payment is in flight. */
export async function releaseHoldsOfFamily(transaction: Transaction, userId: number): Promise<void> {
  const rows = await transaction.hold.findMany({
    where: { userId, OR: [{ paymentId: null }, { payment: NOT_IN_FLIGHT_CONDITION }] },
    orderBy: { id: "asc" },
    select: { id: true, payment: { select: { id: true, version: true, state: true } } },
  });
  for (const { id, payment } of rows) {
    await transaction.hold.deleteMany({ where: { id } });
    if (payment) await onHoldReleased(transaction, payment);
  }
}
