import type { Person } from "../../accounts/person.ts";
import { findVisitsNeedingAction } from "../../booking/appointment-list/visits-needing-action.server.ts";
import { listDueFollowUps } from "../../booking/follow-ups/follow-ups.server.ts";
import { practiceToday } from "../../booking/practice-today.server.ts";
import { findMostUrgentCases } from "../../compliance/compliance-case-list.server.ts";
import { daysUntilDue, formatTimeLeft } from "../../compliance/case-due-dates.ts";
import { findUnreviewedConsentWithdrawals } from "../../consents/consent-withdrawal-review.server.ts";
import { findFailedPayments, findFailedRefunds } from "../../checkout/failed-payments.server.ts";
import { listPendingNotificationContacts } from "../../consultation-requests/manual-notification-contacts.server.ts";
import { listUnreviewedUploads } from "../../documents/document-review.server.ts";
import { findUnreviewedIntakeForms } from "../../intake/intake-form-review.server.ts";
import { listUndeliveredMails } from "../undelivered-mail.server.ts";

/** Maximum number of rows of one kind. The list shows the number of the others. */
const MAX_ROWS_PER_KIND = 4;
/**
 * Higher for undelivered mail, withdrawn agreements, declined payments and refused refunds, because no other page lists
 * them.
 */
const MAX_ROWS_LISTED_ONLY_HERE = 20;

export type AttentionItems = Awaited<ReturnType<typeof loadAttentionItems>>;

/**
 * Loads what needs the administrator's attention in addition to open requests: past visits (started before `today`)
 * that are unpaid or have no status, documents and intake forms that she has not opened, failed payments and refunds,
 * undelivered mail, people without an account who have not been notified of a visit yet, due follow-ups, agreements
 * that families withdrew, and legal requests that must be answered.
 */
export async function loadAttentionItems(person: Person, today: Date) {
  const [visits, documents, forms, payments, refunds, mails, followUps, cases, pendingNotifications, withdrawals] =
    await Promise.all([
      findVisitsNeedingAction(person, today, MAX_ROWS_PER_KIND),
      listUnreviewedUploads(person, MAX_ROWS_PER_KIND),
      findUnreviewedIntakeForms(person, MAX_ROWS_PER_KIND),
      findFailedPayments(person, MAX_ROWS_LISTED_ONLY_HERE),
      findFailedRefunds(person, MAX_ROWS_LISTED_ONLY_HERE),
      listUndeliveredMails(person),
      loadFollowUps(person),
      findMostUrgentCases(person, MAX_ROWS_PER_KIND),
      listPendingNotificationContacts(person, MAX_ROWS_PER_KIND),
      findUnreviewedConsentWithdrawals(person, MAX_ROWS_LISTED_ONLY_HERE),
    ]);
  const mail = { count: mails.length, rows: mails.slice(0, MAX_ROWS_LISTED_ONLY_HERE) };
  return { ...visits, documents, forms, payments, refunds, mail, followUps, cases, pendingNotifications, withdrawals };
}

/** Loads the due follow-ups. `timeLeft` says since when each is due, in words. */
async function loadFollowUps(person: Person) {
  const { count, rows } = await listDueFollowUps(person, MAX_ROWS_PER_KIND);
  const today = practiceToday();
  return {
    count,
    rows: rows.map(({ dueDay, ...row }) => {
      const left = daysUntilDue(dueDay, today);
      return { ...row, timeLeft: formatTimeLeft(left), color: left < 0 ? ("red" as const) : ("yellow" as const) };
    }),
  };
}
