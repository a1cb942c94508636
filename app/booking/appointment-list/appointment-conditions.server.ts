import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import { db } from "../../db/database-client.server.ts";
import { MINUTE_MS } from "../../time-units.ts";
import { OPEN_STATUSES, timeStatus } from "../appointment-status.ts";
import { MAX_VISIT_MINUTES } from "../booking-rules.ts";
import { NOTIFIABLE_STATUSES } from "../manual-notification/manual-notification.ts";

/**
 * Prisma filter for appointments that are not canceled and whose price was neither paid nor waived, as `balance`
 * decides for a single appointment.
 */
export const UNPAID_CONDITION: Prisma.AppointmentWhereInput = {
  status: { not: "cancelled" },
  waivedAt: null,
  paymentAmountCents: { gt: 0 },
  payments: { none: { state: "paid" } },
};

/** Prisma filter for appointments without an outcome. The administrator must still set it for past ones. */
export const OPEN_STATUS_CONDITION: Prisma.AppointmentWhereInput = { status: { in: OPEN_STATUSES } };

/**
 * Prisma filter for visits of people without an account who must still be notified at `time`, as
 * `pendingNotificationText` decides for a single visit.
 */
export function pendingNotificationCondition(time: Date): Prisma.AppointmentWhereInput {
  return { userId: null, toldAt: null, appointmentDate: { gt: time }, status: { in: NOTIFIABLE_STATUSES } };
}

/**
 * Returns the Prisma filter for visits that are over at `time` and have no outcome, as `isMissingOutcome` decides for one
 * visit.
 */
export async function needsOutcomeCondition(time: Date): Promise<Prisma.AppointmentWhereInput> {
  return { ...OPEN_STATUS_CONDITION, appointmentDate: { lte: time }, id: { notIn: await findRunningVisitIds(time) } };
}

/**
 * Returns the Prisma filter for visits that are not over at `time` and therefore still have the status set on booking
 * or moving.
 */
export async function upcomingOrRunningCondition(status: string, time: Date): Promise<Prisma.AppointmentWhereInput> {
  return { status, OR: [{ appointmentDate: { gt: time } }, { id: { in: await findRunningVisitIds(time) } }] };
}

/**
 * Returns the ids of the visits in progress at `time`. Needs its own query, because the end of a visit is not a column.
 */
async function findRunningVisitIds(time: Date): Promise<number[]> {
  const from = new Date(time.getTime() - MAX_VISIT_MINUTES * MINUTE_MS);
  const where = { status: { in: OPEN_STATUSES }, appointmentDate: { gte: from, lte: time } };
  const started = await db.appointment.findMany({
    where,
    orderBy: { id: "asc" },
    select: { id: true, appointmentDate: true, duration: true },
  });
  return started.filter((visit) => timeStatus(visit, time) === "now").map(({ id }) => id);
}
