import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { isReasonOfCancellation } from "../checkout/cancellation/refund-reasons.ts";
import { parseStoredBooking, type StoredBooking } from "../checkout/find-payment.server.ts";
import { db } from "../db/database-client.server.ts";
import { isUnreadable, UNREADABLE_PLACEHOLDER } from "../db/text-encryption.server.ts";

// Reads rows for exports, of a family or of a person without an account. The caller must check access.

const PAGE_SIZE = 100;
type Page = { take: number; orderBy: { id: "asc" }; where: { id: { gt: number } } };

/** Reads a table in pages, so that the whole table is never in memory. */
export async function* readInPages<Row extends { id: number }>(
  read: (page: Page) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let lastId = 0;
  for (;;) {
    const rows = await read({ take: PAGE_SIZE, orderBy: { id: "asc" }, where: { id: { gt: lastId } } });
    yield* rows;
    if (rows.length < PAGE_SIZE) return;
    lastId = rows.at(-1)?.id ?? lastId;
  }
}

export function readConsultationRequests(condition: Prisma.ConsultationRequestWhereInput) {
  const omit = { network: true, wideNetwork: true } as const;
  return readInPages(({ where, ...page }) =>
    db.consultationRequest.findMany({ ...page, where: { AND: [where, condition] }, omit }),
  );
}

export function readAppointments(condition: Prisma.AppointmentWhereInput) {
  const omit = { network: true, wideNetwork: true, calendarSequence: true } as const;
  const include = { visitAnswers: { omit: { appointmentId: true } } } as const;
  return readInPages(({ where, ...page }) =>
    db.appointment.findMany({ ...page, where: { AND: [where, condition] }, omit, include }),
  );
}

/**
 * Yields every payment attempt, including declined ones, with the booking details, because the visit may be deleted or
 * was never created. The id of a paid one is its receipt number. `withNotes` includes the consultant's own remarks.
 */
export async function* readPayments(condition: Prisma.PaymentWhereInput, { withNotes }: { withNotes: boolean }) {
  const refunds = { orderBy: { id: "asc" }, select: REFUND_SELECT } as const;
  const rows = readInPages(({ where, ...page }) =>
    db.payment.findMany({ ...page, where: { AND: [where, condition] }, select: { ...PAYMENT_SELECT, refunds } }),
  );
  for await (const { booking, note, refunds: ownRefunds, ...row } of rows) {
    const fields: Partial<StoredBooking> = parseStoredBooking({ booking }) ?? {};
    const { title = UNREADABLE_PLACEHOLDER, appointmentDate = null, notes = null, place = null } = fields;
    const { description = null, meetingLink = null } = fields;
    const redactedRefunds = ownRefunds.map(({ reason, ...refund }) =>
      withNotes || isReasonOfCancellation(reason) ? { ...refund, reason } : refund,
    );
    const texts = { description, notes, meetingLink, place };
    yield { ...row, title, appointmentDate, ...texts, note: withNotes ? note : null, refunds: redactedRefunds };
  }
}

const PAYMENT_SELECT = {
  id: true,
  appointmentId: true,
  method: true,
  provider: true,
  providerPaymentId: true,
  booking: true,
  amountCents: true,
  refundedCents: true,
  state: true,
  note: true,
  paidAt: true,
  createdAt: true,
} as const;
const REFUND_SELECT = { id: true, amountCents: true, reason: true, state: true, createdAt: true } as const;

export async function* readMessages(condition: Prisma.MessageWhereInput) {
  const rows = readInPages(({ where, ...page }) =>
    db.message.findMany({ ...page, where: { AND: [where, condition] }, select: MESSAGE_SELECT }),
  );
  for await (const { content, ...row } of rows) yield { ...row, content: parseStoredJson(content) };
}

const MESSAGE_SELECT = {
  id: true,
  event: true,
  address: true,
  content: true,
  state: true,
  sentAt: true,
  createdAt: true,
} as const;

/** Returns the parsed JSON of a row, or `UNREADABLE_PLACEHOLDER` if it can't be decrypted. */
export function parseStoredJson(json: string): unknown {
  return isUnreadable(json) ? UNREADABLE_PLACEHOLDER : (JSON.parse(json) as unknown);
}
