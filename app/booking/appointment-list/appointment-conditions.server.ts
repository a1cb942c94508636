import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import { db } from "../../db/client.server.ts";
import { MINUTE_MS } from "../../duration.ts";
import { OPEN_STATUSES, timeStatus } from "../appointment-status.ts";
import { MAX_MINUTES } from "../rules.ts";
import { NOTIFIABLE_STATUSES } from "../manual-notification/manual-notification.ts";

/** Not canceled, with a price that is owed and without a payment, as `balance` decides for one. */
export const UNPAID_CONDITION: Prisma.AppointmentWhereInput = {
  status: { not: "cancelled" },
  waivedAt: null,
  paymentAmountCents: { gt: 0 },
  payments: { none: { state: "paid" } },
};

/** Appointments without an outcome: past ones among them wait for the administrator. */
export const OPEN_STATUS_CONDITION: Prisma.AppointmentWhereInput = { status: { in: OPEN_STATUSES } };

/** Visits of which a person without an account is yet to be told at `time`, as `pendingNotificationText` decides for one. */
export function pendingNotificationCondition(time: Date): Prisma.AppointmentWhereInput {
  return { userId: null, toldAt: null, appointmentDate: { gt: time }, status: { in: NOTIFIABLE_STATUSES } };
}

/** Visits that are over at `time` and have no status, as `needsOutcome` decides for one. */
export async function withoutOutcomeCondition(time: Date): Promise<Prisma.AppointmentWhereInput> {
  return { ...OPEN_STATUS_CONDITION, appointmentDate: { lte: time }, id: { notIn: await runningIds(time) } };
}

/** Visits that still have the status with which they were booked or moved because they are not over at `time`. */
export async function notOverCondition(status: string, time: Date): Promise<Prisma.AppointmentWhereInput> {
  return { status, OR: [{ appointmentDate: { gt: time } }, { id: { in: await runningIds(time) } }] };
}

/** The visits that run at `time`: the end of a visit is no column. */
async function runningIds(time: Date): Promise<number[]> {
  const from = new Date(time.getTime() - MAX_MINUTES * MINUTE_MS);
  const where = { status: { in: OPEN_STATUSES }, appointmentDate: { gte: from, lte: time } };
  const started = await db.appointment.findMany({
    where,
    orderBy: { id: "asc" },
    select: { id: true, appointmentDate: true, duration: true },
  });
  return started.filter((visit) => timeStatus(visit, time) === "now").map(({ id }) => id);
}
