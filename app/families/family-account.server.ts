import { familyNotFoundRefusal } from "../accounts/authorization.server.ts";
import { recordAuditNow } from "../audit/record-audit.server.ts";
import { closeAccount, reopenAccount, erasureScheduledRefusal } from "../accounts/account-closure.server.ts";
import { fullName, type Person } from "../accounts/person.ts";
import {
  type CancellationSummary,
  cancelUpcomingForEndedAccount,
  listUpcomingAppointments,
} from "../checkout/cancellation/cancel-upcoming-appointments.server.ts";
import { db } from "../db/database-client.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { accepted, type Outcome } from "../http/outcome.ts";
import { mailMode } from "../mail/mail-transport.server.ts";
import { formatCents } from "../ui/format-currency.ts";
import { formatCountWithNoun } from "../format-count-with-noun.ts";
import { unrefundedCents } from "../booking/prices/cancellation-policy.ts";

const ACCOUNT_SELECT = { id: true, firstName: true, lastName: true, email: true, emailConfirmedAt: true } as const;
const ACCOUNT_STATE_SELECT = { closedAt: true, eraseAfter: true } as const;

/**
 * Returns a family's account for a page that shows the family's name, and records that it was opened. For the
 * administrator only. Refusal: notFound.
 */
export async function findFamilyAccountWithAudit(person: Person, idParam: string | undefined) {
  const id = parseId(idParam);
  const select = { ...ACCOUNT_SELECT, ...ACCOUNT_STATE_SELECT };
  const family =
    person.isAdmin && id !== null ? await db.user.findFirst({ where: { id, isAdmin: false }, select }) : null;
  if (!family) return familyNotFoundRefusal();
  await recordAuditNow({ action: "account-opened", familyId: family.id, objectId: family.id });
  return accepted(family);
}

/**
 * Returns a family's name and what closing its account would cancel. `refund` is in dollars, null if nothing is
 * refunded. Refusals: notFound; conflict, while the account is scheduled for deletion.
 */
export async function previewAccountClosing(person: Person, idParam: string | undefined) {
  const account = await findFamilyAccountWithAudit(person, idParam);
  if (!account.ok) return account;
  const family = account.value;
  if (family.eraseAfter) return erasureScheduledRefusal;
  const upcomingAppointments = await listUpcomingAppointments(family.id);
  const cents = upcomingAppointments.flatMap(({ payments }) => payments).map(unrefundedCents);
  const refundCents = cents.reduce((sum, each) => sum + each, 0);
  return accepted({
    id: family.id,
    name: fullName(family),
    upcomingCount: upcomingAppointments.length,
    refund: refundCents > 0 ? formatCents(refundCents) : null,
    hasMail: mailMode !== "none",
  });
}

/**
 * Closes a family's account and cancels its upcoming appointments. Access ends first, so that nothing new is booked in
 * the meantime. Appointments that could not be canceled (`uncanceledCount`) are canceled by closing the account again. Refusals:
 * notFound; conflict, while the account is scheduled for deletion.
 */
export async function closeFamilyAccount(
  person: Person,
  idParam: string | undefined,
): Promise<Outcome<CancellationSummary>> {
  const id = parseId(idParam);
  if (!person.isAdmin || id === null) return familyNotFoundRefusal();
  const closed = await closeAccount(person, id);
  return closed.ok ? accepted(await cancelUpcomingForEndedAccount(person, id, "closed")) : closed;
}

/**
 * Reopens a family's account so that the family can sign in again. Canceled appointments are not restored. Refusal:
 * notFound.
 */
export async function reopenFamilyAccount(person: Person, idParam: string | undefined): Promise<Outcome<null>> {
  const id = parseId(idParam);
  return person.isAdmin && id !== null ? reopenAccount(person, id) : familyNotFoundRefusal();
}

/** Returns text that describes the result of closing the account. */
export function describeClosing(name: string, summary: CancellationSummary): string {
  return [
    `${name} is signed out and can't sign in.`,
    ...describeCanceledVisits(summary, "please close the account again in a minute."),
  ].join(" ");
}

/**
 * Returns sentences about the canceled upcoming visits. `uncanceledSentence` says what happens to those that are still being paid.
 */
export function describeCanceledVisits(summary: CancellationSummary, uncanceledSentence: string): string[] {
  const { canceled, refundCents, areRefundsSent, uncanceledCount } = summary;
  const sentences: string[] = [];
  if (canceled > 0) sentences.push(`${formatCountWithNoun(canceled, "appointment is", "appointments are")} canceled.`);
  if (refundCents > 0) {
    sentences.push(
      `${formatCents(refundCents)} goes back to the card${areRefundsSent ? "" : " as soon as the card provider answers"}.`,
    );
  }
  if (uncanceledCount > 0)
    sentences.push(
      `${formatCountWithNoun(uncanceledCount, "appointment is", "appointments are")} still being paid: ${uncanceledSentence}`,
    );
  return sentences;
}
