import type { Person } from "../accounts/person.ts";
import { requiresSecondFactor } from "../accounts/second-factor/second-factor.server.ts";
import { isBackupConfigured } from "../backup/backup-status.server.ts";
import { FINAL_STATUSES } from "../booking/appointment-status.ts";
import { LATE_FEE_TEXT, type RefundablePayment, unrefundedCents } from "../booking/prices/cancellation-policy.ts";
import { sumUpcomingCancellationAmounts } from "../checkout/cancellation/cancel-upcoming-appointments.server.ts";
import {
  CANCELLABLE_SELECT,
  type CancellableAppointment,
  familyCancellationAmounts,
} from "../checkout/cancellation/cancellation-texts.ts";
import { now } from "../clock.ts";
import { db } from "../db/database-client.server.ts";
import { DAY_MS } from "../time-units.ts";
import { env } from "../env.server.ts";
import { formatDate } from "../ui/format-date-time.ts";
import { formatCents } from "../ui/format-currency.ts";
import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";
import { findUnconfirmedEmail } from "./unconfirmed-email.server.ts";

const MAX_LISTED_VISITS = 60;
const NOTHING_PAID_TEXT = "Nothing was paid here.";

type RefundTextFormatter = (payments: readonly VisitPayment[], visit: CancellableAppointment) => string;
type VisitPayment = RefundablePayment & { provider: string | null };

/** Returns what a family is shown before it requests its erasure. */
export async function loadOwnErasurePreview(person: Person) {
  const [visits, amounts, needsCode, unconfirmed] = await Promise.all([
    listVisitsWithRefundText(person.id, ownRefundText),
    sumUpcomingCancellationAmounts(person.id, now()),
    requiresSecondFactor(person.id),
    findUnconfirmedEmail(person),
  ]);
  return { visits, amounts, needsCode, unconfirmed, ...getErasureSchedule() };
}

/** Returns what the administrator is shown before she requests the deletion of a family's account. */
export async function loadErasurePreviewForAdmin(familyId: number) {
  return { visits: await listVisitsWithRefundText(familyId, practiceRefundText), ...getErasureSchedule() };
}

function getErasureSchedule() {
  const eraseAfter = new Date(now().getTime() + env.erasureGraceDays * DAY_MS);
  return {
    graceDays: env.erasureGraceDays,
    eraseOn: formatDate(eraseAfter, env.practice.timeZone),
    /** Number of newer backups after which the last backup with the family is deleted; null if the operator decides. */
    backups: isBackupConfigured() && !env.backups.bucket ? env.backups.maxBackups : null,
  };
}

/** Returns the visits that are canceled with the account, each with its refund as text. */
async function listVisitsWithRefundText(userId: number, formatRefundText: RefundTextFormatter) {
  const rows = await db.appointment.findMany({
    where: { userId, appointmentDate: { gt: now() }, status: { notIn: FINAL_STATUSES } },
    orderBy: { appointmentDate: "asc" },
    take: MAX_LISTED_VISITS,
    select: {
      id: true,
      title: true,
      ...CANCELLABLE_SELECT,
      payments: { where: { state: "paid" }, select: { provider: true, amountCents: true, refundedCents: true } },
    },
  });
  return rows.map(({ id, title, payments, ...visit }) => ({
    id,
    title,
    when: formatPracticeDateTime(visit.appointmentDate),
    refundSentence: formatRefundText(payments, visit),
  }));
}

/** Returns the text of the refund, or of the fee, according to the cancellation rules. */
function ownRefundText(payments: readonly VisitPayment[], visit: CancellableAppointment): string {
  const online = payments.find(({ provider }) => provider !== null) ?? null;
  const { refundCents, feeCents } = familyCancellationAmounts(visit, online, now());
  if (online) return refundText(refundCents);
  if (payments.length === 0)
    return feeCents > 0
      ? `${NOTHING_PAID_TEXT} Our terms ask for a ${LATE_FEE_TEXT} fee: ${formatCents(feeCents)}. Your consultant may ask you for it.`
      : NOTHING_PAID_TEXT;
  return "You paid in person, so nothing goes back by itself. Please call us about it.";
}

/** Returns the refund text for a cancellation by the practice, which refunds online payments in full. */
function practiceRefundText(payments: readonly VisitPayment[]): string {
  const online = payments.find(({ provider }) => provider !== null);
  if (online) return refundText(unrefundedCents(online));
  return payments.length === 0 ? NOTHING_PAID_TEXT : "You give back yourself what was paid in person.";
}

function refundText(cents: number): string {
  return cents > 0 ? `${formatCents(cents)} goes back to the card.` : "Nothing goes back to the card.";
}
