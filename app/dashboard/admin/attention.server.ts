import type { Person } from "../../accounts/person.ts";
import { findVisitsToFinish } from "../../booking/appointment-list/visits-to-finish.server.ts";
import { dueFollowUps } from "../../booking/follow-ups/follow-ups.server.ts";
import { findPressingCases } from "../../compliance/cases-list.server.ts";
import { findUnreviewedWithdrawals } from "../../consents/withdrawal-review.server.ts";
import { findFailedPayments, findFailedRefunds } from "../../checkout/failed-payments.server.ts";
import { listPendingNotificationContacts } from "../../consultation-requests/manual-notification-contacts.server.ts";
import { unreviewedDocuments } from "../../documents/review.server.ts";
import { findUnreviewedIntakeForms } from "../../intake/intake-form-review.server.ts";
import { listUndeliveredMails } from "../undelivered-mail.server.ts";

/** Maximum number of rows of one kind. The list shows the number of the others. */
const MAX_ROWS_OF_A_KIND = 4;
/** Higher than for other kinds, because no other page lists undelivered mail. */
const MAX_MAILS = 20;
/** Higher than for other kinds, because no other page lists withdrawn agreements. */
const MAX_WITHDRAWALS = 20;

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
      findVisitsToFinish(person, today, MAX_ROWS_OF_A_KIND),
      unreviewedDocuments(person, MAX_ROWS_OF_A_KIND),
      findUnreviewedIntakeForms(person, MAX_ROWS_OF_A_KIND),
      findFailedPayments(person, MAX_ROWS_OF_A_KIND),
      findFailedRefunds(person, MAX_ROWS_OF_A_KIND),
      listUndeliveredMails(person),
      dueFollowUps(person, MAX_ROWS_OF_A_KIND),
      findPressingCases(person, MAX_ROWS_OF_A_KIND),
      listPendingNotificationContacts(person, MAX_ROWS_OF_A_KIND),
      findUnreviewedWithdrawals(person, MAX_WITHDRAWALS),
    ]);
  const mail = { count: mails.length, rows: mails.slice(0, MAX_MAILS) };
  return { ...visits, documents, forms, payments, refunds, mail, followUps, cases, pendingNotifications, withdrawals };
}
