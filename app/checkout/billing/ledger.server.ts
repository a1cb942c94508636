import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import { assertAdministrator } from "../../accounts/authorization.server.ts";
import { fullName, type Person } from "../../accounts/person.ts";
import { recordAuditNow } from "../../audit/record-audit.server.ts";
import { startOfDay, toWallTime } from "../../booking/wall-time.ts";
import { readRowsInBatches } from "../../db/batches.server.ts";
import { db } from "../../db/database-client.server.ts";
import { env } from "../../env.server.ts";
import { parseStoredBooking } from "../find-payment.server.ts";
import { formatCents } from "../../ui/format-currency.ts";
import { METHOD_LABELS } from "../payment-methods.ts";
import type { CsvCell } from "./csv.ts";
import { periodDayRange } from "./billing-period.ts";

/** Maximum number of families that the page lists for a period. The CSV file contains all of them. */
const MAX_FAMILIES = 100;

/**
 * Prisma filters for payments made in a period, for refunds created in it that have not failed, and for visits waived
 * in it.
 */
function ledgerConditions(period: string) {
  const { timeZone } = env.practice;
  const { from, before } = periodDayRange(period);
  const range = { gte: startOfDay(from, timeZone), lt: startOfDay(before, timeZone) };
  return {
    paid: { state: "paid", paidAt: range },
    refunded: { state: { not: "failed" }, createdAt: range },
    waived: { waivedAt: range, status: { not: "cancelled" }, payments: { none: { state: "paid" } } },
  };
}

/**
 * Sums the payments and refunds of a period ("2026-11" or "2026", in the practice's time zone) in US cents: in total,
 * and for the 100 families with the largest sums. `userId` is null for payments without an account. For the
 * administrator; throws for anyone else.
 */
export async function loadLedgerSummary(person: Person, period: string) {
  assertAdministrator(person);
  const { paid, refunded, waived } = ledgerConditions(period);
  const waivedSum = await db.appointment.aggregate({ where: waived, _sum: { paymentAmountCents: true } });
  const payments = await db.payment.groupBy({ by: ["userId"], where: paid, _sum: { amountCents: true } });
  const sums = new Map<number | null, { paidCents: number; refundedCents: number }>();
  const getOrCreateSum = (userId: number | null) => {
    const sum = sums.get(userId) ?? { paidCents: 0, refundedCents: 0 };
    sums.set(userId, sum);
    return sum;
  };
  for (const { userId, _sum } of payments) getOrCreateSum(userId).paidCents += _sum.amountCents ?? 0;
  const refundColumns = { id: true, amountCents: true, payment: { select: { userId: true } } } as const;
  for await (const { amountCents, payment } of readRowsInBatches((after, take) =>
    db.refund.findMany({
      where: { ...refunded, id: { gt: after } },
      orderBy: { id: "asc" },
      take,
      select: refundColumns,
    }),
  ))
    getOrCreateSum(payment.userId).refundedCents += amountCents;
  const ranked = [...sums].toSorted(([, one], [, other]) => other.paidCents - one.paidCents);
  const shown = ranked.slice(0, MAX_FAMILIES);
  return {
    paidCents: ranked.reduce((total, [, { paidCents }]) => total + paidCents, 0),
    refundedCents: ranked.reduce((total, [, { refundedCents }]) => total + refundedCents, 0),
    waivedCents: waivedSum._sum.paymentAmountCents ?? 0,
    familyCount: ranked.length,
    families: shown.map(([userId, sum]) => ({ userId, ...sum })),
  };
}

const PAYMENT_SELECT = {
  id: true,
  userId: true,
  method: true,
  booking: true,
  amountCents: true,
  providerPaymentId: true,
  paidAt: true,
  user: { select: { firstName: true, lastName: true } },
  appointment: { select: { appointmentDate: true } },
} as const;

/**
 * Returns the payments, refunds and waived amounts of a period as a table sorted by day. Days are in the practice's
 * time zone; refunds are negative. Adds an entry to the access log of each family in the table. For the administrator;
 * throws for anyone else.
 */
export async function loadLedgerTableWithAudit(person: Person, period: string): Promise<CsvCell[][]> {
  assertAdministrator(person);
  const { paid, refunded, waived } = ledgerConditions(period);
  const headerCells = [
    `Day (${env.practice.timeZone})`,
    "What",
    "Receipt",
    "Family",
    "Service",
    "Visit",
    "Method",
    "USD",
  ];
  const entries: { at: Date; familyId: number | null; cells: CsvCell[] }[] = [];
  for await (const payment of readRowsInBatches((after, take) =>
    db.payment.findMany({
      where: { ...paid, id: { gt: after } },
      orderBy: { id: "asc" },
      take,
      select: PAYMENT_SELECT,
    }),
  )) {
    const at = payment.paidAt ?? new Date(0);
    entries.push({ at, familyId: payment.userId, cells: toLedgerCells(payment, at, "Payment", payment.amountCents) });
  }
  for await (const refund of readRowsInBatches((after, take) =>
    db.refund.findMany({
      where: { ...refunded, id: { gt: after } },
      orderBy: { id: "asc" },
      take,
      select: { id: true, amountCents: true, state: true, createdAt: true, payment: { select: PAYMENT_SELECT } },
    }),
  )) {
    const entryType = refund.state === "done" ? "Refund" : "Refund, on its way";
    const cells = toLedgerCells(refund.payment, refund.createdAt, entryType, -refund.amountCents);
    entries.push({ at: refund.createdAt, familyId: refund.payment.userId, cells });
  }
  for await (const visit of readRowsInBatches((after, take) =>
    db.appointment.findMany({
      where: { ...waived, id: { gt: after } },
      orderBy: { id: "asc" },
      take,
      select: WAIVED_SELECT,
    }),
  ))
    entries.push({ at: visit.waivedAt ?? new Date(0), familyId: visit.userId, cells: waivedCells(visit) });
  const families = [...new Set(entries.map(({ familyId }) => familyId))];
  await recordAuditNow(...families.map((familyId) => ({ action: "payments-exported" as const, familyId })));
  return [[...headerCells, "Card provider's number"], ...entries.toSorted(compareByTime).map(({ cells }) => cells)];
}

type PaymentRow = Parameters<typeof parseStoredBooking>[0] & {
  id: number;
  method: string;
  providerPaymentId: string | null;
  user: { firstName: string; lastName: string } | null;
  appointment: { appointmentDate: Date } | null;
};

function toLedgerCells(payment: PaymentRow, at: Date, entryType: string, cents: number): CsvCell[] {
  const booking = parseStoredBooking(payment);
  // The visit may have been moved since the payment.
  const visitStart = payment.appointment?.appointmentDate ?? booking?.appointmentDate;
  return [
    toPracticeDay(at),
    entryType,
    String(payment.id),
    payment.user ? fullName(payment.user) : "",
    booking?.title ?? "",
    visitStart ? toPracticeDay(visitStart) : "",
    METHOD_LABELS[payment.method] ?? payment.method,
    { cents },
    payment.providerPaymentId ?? "",
  ];
}

const WAIVED_SELECT = {
  id: true,
  userId: true,
  title: true,
  appointmentDate: true,
  paymentAmountCents: true,
  waivedAt: true,
  user: { select: { firstName: true, lastName: true } },
} as const;

type WaivedRow = Prisma.AppointmentGetPayload<{ select: typeof WAIVED_SELECT }>;

/** The amount is zero because no money was transferred. The label contains the waived amount. */
function waivedCells({ user, title, appointmentDate, paymentAmountCents, waivedAt }: WaivedRow): CsvCell[] {
  return [
    toPracticeDay(waivedAt ?? appointmentDate),
    `Waived (${formatCents(paymentAmountCents ?? 0)})`,
    "",
    user ? fullName(user) : "",
    title,
    toPracticeDay(appointmentDate),
    "",
    { cents: 0 },
    "",
  ];
}

function compareByTime({ at: one }: { at: Date }, { at: other }: { at: Date }): number {
  return one.getTime() - other.getTime();
}

function toPracticeDay(instant: Date): string {
  return toWallTime(instant, env.practice.timeZone).day;
}
