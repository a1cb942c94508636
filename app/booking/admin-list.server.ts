import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db } from "../db.server.ts";
import { type AdminRow, adminRow } from "./admin-rows.ts";

const LISTED = {
  id: true,
  userId: true,
  title: true,
  notes: true,
  appointmentDate: true,
  duration: true,
  type: true,
  status: true,
  isLiveVideoCall: true,
  paymentId: true,
  paymentAmountCents: true,
  payments: { where: { state: "paid" }, select: { amountCents: true, refundedCents: true } },
  consultationRequestId: true,
  user: { select: { firstName: true, lastName: true } },
} as const;

type Part = { where: Prisma.AppointmentWhereInput; order: "asc" | "desc"; skip?: number; take: number };

/** A part of everybody's appointments, by their start; for the administrator alone. */
export async function listForAdmin(person: Person, { where, order, skip = 0, take }: Part): Promise<AdminRow[]> {
  if (!person.isAdmin) throw new Error("Only the administrator sees everybody's appointments.");
  if (take <= 0) return [];
  const orderBy = [{ appointmentDate: order }, { id: order }];
  const rows = await db.appointment.findMany({ where, orderBy, skip, take, select: LISTED });
  const time = now();
  return rows.map((row) => adminRow(row, time));
}
