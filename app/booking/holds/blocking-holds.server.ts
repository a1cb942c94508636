import { join, type Sql, sqltag as sql } from "@prisma/client/runtime/client";
import { now } from "../../clock.ts";
import { db } from "../../db/client.server.ts";

/** While the provider may be charging, a hold ends only with the result. */
export const IN_FLIGHT_STATES = ["started", "authorized"];

/**
 * SQL for the holds that start between two instants and block a booking of `userId` (null: of anyone). Its columns are
 * `appointmentDate` and `duration` (minutes).
 */
export function blockingHoldsSql(from: Date, to: Date, userId: number | null): Sql {
  return sql`SELECT h."appointmentDate", h."duration" FROM "holds" h LEFT JOIN "payments" p ON p."id" = h."paymentId"
    WHERE h."appointmentDate" > ${from} AND h."appointmentDate" < ${to}
    AND (p."state" IN (${join(IN_FLIGHT_STATES)}) OR (h."expiresAt" > ${now()} AND h."userId" <> ${userId ?? 0}))`;
}

/** Whether the family `userId` holds the time that begins at `start` (an instant), by its choice or an open payment. */
export async function isHeldByFamily(userId: number | null, { start }: { start: Date }): Promise<boolean> {
  const where = { userId: userId ?? 0, appointmentDate: start, expiresAt: { gt: now() } };
  return (await db.hold.count({ where })) > 0;
}
