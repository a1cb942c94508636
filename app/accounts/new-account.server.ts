import { MINUTE_MS } from "../time-units.ts";
import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { now } from "../clock.ts";
import { db } from "../db/database-client.server.ts";

/**
 * Filter for visits that the consultant marked completed, or that were paid for: a family can't create either alone.
 */
const CONFIRMED_VISIT_CONDITION = {
  status: { notIn: ["cancelled", "no-show"] },
  OR: [{ status: "completed" }, { paymentStatus: { in: ["paid", "partly-refunded"] } }],
};

/**
 * Returns true until the family's first visit has taken place: until it has an appointment whose end is not after
 * now(), and which the consultant marked completed, or which is paid and neither canceled nor a no-show. Inside a
 * transaction, pass it as `database`.
 */
export async function isNewAccount(userId: number, database: Prisma.TransactionClient = db): Promise<boolean> {
  return (await filterNewAccountIds([userId], database)).has(userId);
}

/** Returns those of `userIds` whose first visit has not taken place. */
export async function filterNewAccountIds(
  userIds: readonly number[],
  database: Prisma.TransactionClient,
): Promise<Set<number>> {
  const visits = await database.appointment.findMany({
    where: { ...CONFIRMED_VISIT_CONDITION, userId: { in: [...userIds] }, appointmentDate: { lt: now() } },
    // Appointments that count don't overlap, so the first to start is also the first to end.
    orderBy: [{ userId: "asc" }, { appointmentDate: "asc" }],
    distinct: ["userId"],
    select: { userId: true, appointmentDate: true, duration: true },
  });
  const ended = visits.filter(
    ({ appointmentDate, duration }) => appointmentDate.getTime() + duration * MINUTE_MS <= now().getTime(),
  );
  const establishedIds = new Set(ended.map(({ userId }) => userId));
  return new Set(userIds.filter((id) => !establishedIds.has(id)));
}
