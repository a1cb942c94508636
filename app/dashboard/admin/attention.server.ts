import type { Person } from "../../accounts/person.ts";
import { findVisitsToFinish } from "../../booking/appointment-list/visits-to-finish.server.ts";
import { dueFollowUps } from "../../booking/follow-ups/follow-ups.server.ts";
import { pressingCases } from "../../compliance/cases-list.server.ts";
import { unreviewedWithdrawals } from "../../consents/withdrawal-review.server.ts";
import { failedPayments, failedRefunds } from "../../checkout/failed-payments.server.ts";
import { listPendingNotificationContacts } from "../../consultation-requests/manual-notification-contacts.server.ts";
import { unreviewedDocuments } from "../../documents/review.server.ts";
import { findUnreviewedIntakeForms } from "../../intake/intake-form-review.server.ts";
import { listUndeliveredMails } from "../undelivered-mail.server.ts";

/** Rows of one kind; the list says how many more there are. */
const MAX_ROWS_OF_A_KIND = 4;
/** No other page lists whom a mail did not reach. */
const MAX_MAILS = 20;
/** Likewise for agreements that were taken back. */
const MAX_WITHDRAWALS = 20;

export type AttentionItems = Awaited<ReturnType<typeof loadAttention>>;

/**
 * What waits for the administrator besides open requests: past visits (started before `today`) that are unpaid or have no status,
 * documents and intake forms she has not opened, payments and refunds that failed, mail that
 * did not arrive, people without an account who are yet to be told of a visit, follow-ups that are due, agreements that
 * families took back, and what the legal pages promise an answer to.
 */
export async function loadAttention(person: Person, today: Date) {
  const [visits, documents, forms, payments, refunds, mails, followUps, cases, pendingNotifications, withdrawals] =
    await Promise.all([
      findVisitsToFinish(person, today, MAX_ROWS_OF_A_KIND),
      unreviewedDocuments(person, MAX_ROWS_OF_A_KIND),
      findUnreviewedIntakeForms(person, MAX_ROWS_OF_A_KIND),
      failedPayments(person, MAX_ROWS_OF_A_KIND),
      failedRefunds(person, MAX_ROWS_OF_A_KIND),
      listUndeliveredMails(person),
      dueFollowUps(person, MAX_ROWS_OF_A_KIND),
      pressingCases(person, MAX_ROWS_OF_A_KIND),
      listPendingNotificationContacts(person, MAX_ROWS_OF_A_KIND),
      unreviewedWithdrawals(person, MAX_WITHDRAWALS),
    ]);
  const mail = { count: mails.length, rows: mails.slice(0, MAX_MAILS) };
  return { ...visits, documents, forms, payments, refunds, mail, followUps, cases, pendingNotifications, withdrawals };
}
