import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import { assertAdministrator } from "../../accounts/authorization.server.ts";
import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db } from "../../db/database-client.server.ts";
import { UNPAID_CONDITION } from "./appointment-conditions.server.ts";

/** Instants are ISO 8601 UTC. `dueCents` is the amount due in US cents for visits that have begun. */
export type FamilyVisitSummary = { next: string | null; last: string | null; dueCents: number };

const NOT_CANCELED_CONDITION = { status: { not: "cancelled" } };

/** Prisma filter for families with an unpaid visit that has begun at `time`. */
export function familyWithBalanceDueCondition(time: Date): Prisma.UserWhereInput {
  return { appointments: { some: { ...UNPAID_CONDITION, appointmentDate: { lte: time } } } };
}

/** Prisma filter for families without an upcoming visit at `time`. */
export function familyWithoutUpcomingVisitCondition(time: Date): Prisma.UserWhereInput {
  return { appointments: { none: { ...NOT_CANCELED_CONDITION, appointmentDate: { gt: time } } } };
}

/**
 * Returns the next and the last visit of each family in `ids`, and the amount it owes, in three queries. For the
 * administrator.
 */
export async function summarizeVisitsByFamily(
  person: Person,
  ids: readonly number[],
): Promise<Map<number, FamilyVisitSummary>> {
  assertAdministrator(person);
  if (ids.length === 0) return new Map();
  const time = now();
  const familyCondition = { userId: { in: [...ids] } };
  const [coming, past, due] = await Promise.all([
    db.appointment.groupBy({
      by: ["userId"],
      where: { ...familyCondition, ...NOT_CANCELED_CONDITION, appointmentDate: { gt: time } },
      _min: { appointmentDate: true },
    }),
    db.appointment.groupBy({
      by: ["userId"],
      where: { ...familyCondition, ...NOT_CANCELED_CONDITION, appointmentDate: { lte: time } },
      _max: { appointmentDate: true },
    }),
    db.appointment.groupBy({
      by: ["userId"],
      where: { ...familyCondition, ...UNPAID_CONDITION, appointmentDate: { lte: time } },
      _sum: { paymentAmountCents: true },
    }),
  ]);
  const summaryOf = (id: number): FamilyVisitSummary => ({
    next: findFamilyRow(coming, id)?._min.appointmentDate?.toISOString() ?? null,
    last: findFamilyRow(past, id)?._max.appointmentDate?.toISOString() ?? null,
    dueCents: findFamilyRow(due, id)?._sum.paymentAmountCents ?? 0,
  });
  return new Map(ids.map((id) => [id, summaryOf(id)]));
}

function findFamilyRow<Row extends { userId: number | null }>(rows: readonly Row[], id: number): Row | undefined {
  return rows.find(({ userId }) => userId === id);
}
