import { recordAuditRead } from "../audit/record-audit.server.ts";
import { fullName, type Person } from "../accounts/person.ts";
import { db } from "../db/database-client.server.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { UNREADABLE_SENTENCE } from "../db/text-encryption.server.ts";
import { parseStoredBooking } from "./find-payment.server.ts";

/**
 * Finds the receipt of a paid payment with its refunds: a client's own, any for the administrator. Amounts are US
 * cents, instants UTC. Refusals: notFound, conflict (the booking can't be decrypted).
 */
export async function findReceiptWithAudit(person: Person, id: number | null): Promise<Outcome<Receipt>> {
  const scope = person.isAdmin ? {} : { userId: person.id };
  const row =
    id === null ? null : await db.payment.findFirst({ where: { id, state: "paid", ...scope }, select: RECEIPT_SELECT });
  if (!row) return refused("notFound", "There is no such receipt.");
  const { user, userId, refunds, appointment, ...payment } = row;
  const booking = parseStoredBooking(payment);
  if (!booking) return refused("conflict", UNREADABLE_SENTENCE);
  await recordAuditRead({ action: "receipt-opened", familyId: userId, objectId: row.id });
  const { title } = booking;
  // The visit may have been moved since the payment.
  const appointmentDate = appointment?.appointmentDate ?? booking.appointmentDate;
  const validRefunds = refunds.filter(({ state }) => state !== "failed");
  return accepted({
    ...payment,
    userId,
    name: user ? fullName(user) : null,
    title,
    appointmentDate,
    isCanceled: appointment?.status === "cancelled",
    refunds: validRefunds,
  });
}

const MAX_LISTED_RECEIPTS = 500;

/**
 * Lists a family's own receipts, newest first, at most 500. Amounts are US cents, instants UTC. `appointmentDate` is
 * the current start of the visit. It and the title are null when the booking can't be decrypted.
 */
export async function listReceipts(person: Person) {
  const rows = await db.payment.findMany({
    where: { userId: person.id, state: "paid" },
    orderBy: [{ paidAt: "desc" }, { id: "desc" }],
    take: MAX_LISTED_RECEIPTS,
    select: RECEIPT_LIST_SELECT,
  });
  return rows.map(({ appointment, ...payment }) => {
    const booking = parseStoredBooking(payment);
    const appointmentDate = appointment?.appointmentDate ?? booking?.appointmentDate ?? null;
    return { ...payment, title: booking?.title ?? null, appointmentDate };
  });
}

const RECEIPT_LIST_SELECT = {
  id: true,
  method: true,
  booking: true,
  amountCents: true,
  refundedCents: true,
  paidAt: true,
  appointment: { select: { appointmentDate: true } },
} as const;

const RECEIPT_SELECT = {
  id: true,
  userId: true,
  method: true,
  booking: true,
  amountCents: true,
  refundedCents: true,
  paidAt: true,
  user: { select: { firstName: true, lastName: true } },
  appointment: { select: { appointmentDate: true, status: true } },
  refunds: { orderBy: { id: "asc" }, select: { id: true, amountCents: true, state: true, createdAt: true } },
} as const;

type Receipt = {
  id: number;
  userId: number | null;
  name: string | null;
  title: string;
  appointmentDate: Date;
  isCanceled: boolean;
  method: string;
  amountCents: number;
  refundedCents: number;
  paidAt: Date | null;
  refunds: { id: number; amountCents: number; state: string; createdAt: Date }[];
};
