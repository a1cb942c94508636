import { join, type Sql, sqltag as sql } from "@prisma/client/runtime/client";
import { now } from "../../clock.ts";
import { db } from "../../db/database-client.server.ts";
import type { AppointmentType } from "../booking-rules.ts";

/** Payment states in which the provider may be charging the card. A hold then ends only with the payment's result. */
export const IN_FLIGHT_PAYMENT_STATES = ["started", "authorized"];

/**
 * Returns SQL for the holds that start between two instants and block a booking by `userId` (null: by anyone). Its
 * columns are `appointmentDate` and `duration` (minutes).
 */
export function blockingHoldsSql(from: Date, to: Date, userId: number | null): Sql {
  return sql`SELECT h."appointmentDate", h."duration" FROM "holds" h LEFT JOIN "payments" p ON p."id" = h."paymentId"
    WHERE h."appointmentDate" > ${from} AND h."appointmentDate" < ${to}
    AND (p."state" IN (${join(IN_FLIGHT_PAYMENT_STATES)}) OR (h."expiresAt" > ${now()} AND h."userId" <> ${userId ?? 0}))`;
}

/**
 * Checks whether the family `userId` holds the time that begins at `start` (an instant), because it chose the time or
 * has an open payment. A hold for an emergency does not count: no notice was required for it.
 */
export async function hasNonEmergencyHold(userId: number | null, start: Date): Promise<boolean> {
  const type = { not: "emergency" satisfies AppointmentType };
  const where = { userId: userId ?? 0, appointmentDate: start, type, expiresAt: { gt: now() } };
  return (await db.hold.count({ where })) > 0;
}
