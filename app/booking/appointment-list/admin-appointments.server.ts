import { assertAdministrator } from "../../accounts/authorization.server.ts";
import { recordListRead } from "../../audit/record-list-reads.server.ts";
import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db } from "../../db/database-client.server.ts";
import { type AdminRow, toAdminAppointmentRow } from "./admin-appointment-row-data.ts";

const LIST_SELECT = {
  id: true,
  userId: true,
  title: true,
  notes: true,
  appointmentDate: true,
  duration: true,
  type: true,
  status: true,
  isLiveVideoCall: true,
  meetingLink: true,
  place: true,
  paymentId: true,
  paymentStatus: true,
  waivedAt: true,
  callEndedAt: true,
  paymentAmountCents: true,
  payments: { where: { state: "paid" }, select: { amountCents: true, refundedCents: true } },
  consultationRequestId: true,
  toldAt: true,
  user: { select: { firstName: true, lastName: true } },
} as const;

/** Sort orders: by start, by the account's name, or by price, highest first. */
const SORT_ORDERS = {
  asc: [{ appointmentDate: "asc" }],
  desc: [{ appointmentDate: "desc" }],
  family: [{ user: { lastName: "asc" } }, { user: { firstName: "asc" } }, { appointmentDate: "desc" }],
  money: [{ paymentAmountCents: { sort: "desc", nulls: "last" } }, { appointmentDate: "desc" }],
} satisfies Record<string, Prisma.AppointmentOrderByWithRelationInput[]>;

type ListOptions = {
  where: Prisma.AppointmentWhereInput;
  order: keyof typeof SORT_ORDERS;
  skip?: number;
  take: number;
};

/**
 * Lists a page of all appointments, for the administrator. Throws for anyone else. Recorded in the access log as a
 * list.
 */
export async function listAdminAppointmentsWithAudit(
  person: Person,
  { where, order, skip = 0, take }: ListOptions,
): Promise<AdminRow[]> {
  assertAdministrator(person);
  if (take <= 0) return [];
  await recordListRead();
  const orderBy = [...SORT_ORDERS[order], { id: order === "asc" ? ("asc" as const) : ("desc" as const) }];
  const rows = await db.appointment.findMany({ where, orderBy, skip, take, select: LIST_SELECT });
  const currentTime = now();
  return rows.map((row) => toAdminAppointmentRow(row, currentTime));
}
