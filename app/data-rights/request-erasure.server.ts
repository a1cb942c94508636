import type { ReauthenticationSource } from "../accounts/sign-in/credential-limits.server.ts";
import { lockAccountRow, revokeSessionsAndLinks } from "../accounts/account-access.server.ts";
import { closeConnectionsOfEndedSessions } from "../accounts/ended-sessions.server.ts";
import { notifyAccount, notifyConsultant } from "../accounts/email/notify.server.ts";
import { verifyOwnPassword, wrongOwnPasswordRefusal } from "../accounts/passwords/own-password.server.ts";
import type { Person } from "../accounts/person.ts";
import { verifyOwnCode } from "../accounts/second-factor/second-factor.server.ts";
import { recordAuditInTransaction } from "../audit/record.server.ts";
import { endCalendarFeed } from "../booking/feed/calendar-feed.server.ts";
import { cancelOwnAppointments, type CancellationSummary } from "../checkout/cancellation/cancel-upcoming.server.ts";
import { now } from "../clock.ts";
import { countRequestsWithUnconfirmedEmail } from "../consultation-requests/possible-accounts.server.ts";
import { inTransaction } from "../db/client.server.ts";
import { DAY_MS, DAY_SECONDS } from "../duration.ts";
import { env } from "../env.server.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { rateLimit } from "../http/rate-limit.server.ts";
import {
  accountKeptContent,
  erasureRequestedContent,
  erasureRequestedForConsultantContent,
  familyStaysContent,
} from "../mail/messages/erasure-messages.ts";
import { formatPracticeTime } from "../practice/format-time.server.ts";

/** Each is mailed and recorded, and can be taken back. Source: docs/product.md, Limits. */
const requests = rateLimit("erasure-request", 5, DAY_SECONDS);
const TOO_MANY_REQUESTS =
  "You have asked to delete this account five times today. Please try again tomorrow, or call us.";

/** `eraseAfter` is an instant in UTC; until then the family can keep its account. */
export type RequestedErasure = { eraseAfter: Date; released: CancellationSummary };

/**
 * Marks a family's own account for erasure after ERASURE_GRACE_DAYS: every session, reset link and calendar link ends,
 * its held times are free, and its visits to come are cancelled by the rules of cancelling.
 * Refusals: forbidden (an administrator), invalid (`password`, `code`), tooMany (5 a day, beside those of passwords). Source: docs/product.md, Erasure.
 */
export async function requestErasure(
  person: Person,
  { password, code }: { password: string; code?: string | null },
  source: ReauthenticationSource,
): Promise<Outcome<RequestedErasure>> {
  if (person.isAdmin) return refused("forbidden", "The practice's own account can't be deleted here.");
  const verified = await verifyOwnPassword(person, password, { ...source, field: "password" });
  if (!verified.ok) return verified;
  const codeVerified = await verifyOwnCode(person, code, source);
  if (!codeVerified.ok) return codeVerified;
  const tooMany = await requests.consume(String(person.id));
  if (tooMany) return { ...tooMany, message: TOO_MANY_REQUESTS };
  const eraseAfter = new Date(now().getTime() + env.erasureGraceDays * DAY_MS);
  const isMarked = await inTransaction(async (transaction) => {
    // Of a new password and this wish at once, the first one counts.
    if (!(await lockAccountRow(transaction, person.id, { hash: verified.value, hasNoErasureRequest: true })))
      return false;
    const account = await transaction.user.update({
      where: { id: person.id },
      data: { eraseAfter },
      select: { email: true, emailConfirmedAt: true },
    });
    await revokeSessionsAndLinks(transaction, person.id);
    const about = `erasure ${eraseAfter.toISOString()}`;
    const date = formatPracticeTime(eraseAfter);
    const content = (firstName: string) => erasureRequestedContent({ firstName }, date, env.practice.phone);
    await notifyAccount(transaction, person.id, ({ firstName }) => ({
      event: "erasure-requested",
      about,
      content: content(firstName),
    }));
    const unconfirmedRequests = await countRequestsWithUnconfirmedEmail(account, transaction);
    await notifyConsultant(transaction, person.id, ({ firstName }) => ({
      event: "family-leaves",
      about,
      content: erasureRequestedForConsultantContent(firstName, person.id, { date, unconfirmedRequests }),
    }));
    recordAuditInTransaction(transaction, {
      action: "account-erasure-requested",
      actorId: person.id,
      familyId: person.id,
      objectId: person.id,
    });
    return true;
  });
  if (!isMarked) return wrongOwnPasswordRefusal("password");
  await closeConnectionsOfEndedSessions(person.id);
  await endCalendarFeed(person);
  return accepted({ eraseAfter, released: await cancelOwnAppointments(person) });
}

/**
 * Takes back the wish to be erased, and tells the family and the consultant. What was cancelled stays cancelled. Refusal:
 * conflict, where there is none.
 */
export async function keepAccount(person: Person): Promise<Outcome<null>> {
  return inTransaction(async (transaction) => {
    const where = { id: person.id, eraseAfter: { gt: now() } };
    const { count } = await transaction.user.updateMany({ where, data: { eraseAfter: null } });
    if (count === 0) return refused("conflict", "This account is not about to be deleted.");
    const about = `kept ${now().toISOString()}`;
    await notifyAccount(transaction, person.id, (account) => ({
      event: "erasure-withdrawn",
      about,
      content: accountKeptContent(account, formatPracticeTime(now()), env.practice.phone),
    }));
    await notifyConsultant(transaction, person.id, ({ firstName }) => ({
      event: "family-stays",
      about,
      content: familyStaysContent(firstName, person.id),
    }));
    recordAuditInTransaction(transaction, {
      action: "account-erasure-cancelled",
      actorId: person.id,
      familyId: person.id,
      objectId: person.id,
    });
    return accepted(null);
  });
}
