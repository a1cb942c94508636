import { join, type Sql, sqltag as sql } from "@prisma/client/runtime/client";
import { now } from "../clock.ts";
import { type Transaction } from "../db/client.server.ts";
import { endTime, MAX_MINUTES } from "./rules.ts";

/** How long a time is kept for a family that is paying (decisions §5.7). */
export const HOLD_MINUTES = 15;

const MINUTE_MS = 60_000;
/** The provider may be charging at this very moment: such a hold ends only with the answer. */
const IN_FLIGHT_STATES = ["started", "authorized"];

type HeldPayment = { id: number; version: number; state: string };
type HoldReleasedHandler = (transaction: Transaction, payment: HeldPayment) => Promise<void>;

let onHoldReleased: HoldReleasedHandler = async () => {};

/** Registers what happens, in the same transaction, to the payment of a hold that is released before it expires. */
export function registerHoldReleasedHandler(handler: HoldReleasedHandler): void {
  onHoldReleased = handler;
}

type SlotFields = { appointmentDate: Date; duration: number };

/**
 * A question for the held times that begin between two instants and stand in the way of `userId`'s booking; null is
 * nobody in particular. Its columns are `appointmentDate` and `duration`.
 */
export function blockingHolds(from: Date, to: Date, userId: number | null): Sql {
  return sql`SELECT h."appointmentDate", h."duration" FROM "holds" h JOIN "payments" p ON p."id" = h."paymentId"
    WHERE h."appointmentDate" > ${from} AND h."appointmentDate" < ${to}
    AND (p."state" IN (${join(IN_FLIGHT_STATES)}) OR (h."expiresAt" > ${now()} AND h."userId" <> ${userId ?? 0}))`;
}

/**
 * Makes way for a booking of `userId`: ends the holds over this time that have expired, and the family's own earlier
 * one unless it is in flight, or is what is now being booked (`paymentId`). What is left is in the way, and the
 * database refuses the booking.
 */
export async function releaseObsoleteHolds(
  transaction: Transaction,
  slot: SlotFields,
  { userId, paymentId = 0 }: { userId: number | null; paymentId?: number },
): Promise<void> {
  const to = endTime({ start: slot.appointmentDate, duration: slot.duration });
  const rows = await transaction.hold.findMany({
    where: {
      appointmentDate: { gt: new Date(slot.appointmentDate.getTime() - MAX_MINUTES * MINUTE_MS), lt: to },
      OR: [{ expiresAt: { lte: now() } }, ...(userId === null ? [] : [{ userId }])],
      payment: { state: { notIn: IN_FLIGHT_STATES } },
      paymentId: { not: paymentId },
    },
    // In one order, so that two who clear the same way wait for each other instead of for ever.
    orderBy: { id: "asc" },
    select: { id: true, userId: true, payment: { select: { id: true, version: true, state: true } } },
  });
  for (const { id, userId: ownerId, payment } of rows) {
    await transaction.hold.deleteMany({ where: { id } });
    if (ownerId === userId) await onHoldReleased(transaction, payment);
  }
}

/** Ends all holds of a family but those whose payment is in flight. */
export async function releaseHoldsOf(transaction: Transaction, userId: number): Promise<void> {
  const rows = await transaction.hold.findMany({
    where: { userId, payment: { state: { notIn: IN_FLIGHT_STATES } } },
    orderBy: { id: "asc" },
    select: { id: true, payment: { select: { id: true, version: true, state: true } } },
  });
  for (const { id, payment } of rows) {
    await transaction.hold.deleteMany({ where: { id } });
    await onHoldReleased(transaction, payment);
  }
}
