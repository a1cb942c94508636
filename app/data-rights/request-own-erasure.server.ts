import type { ReauthenticationSource } from "../accounts/sign-in/credential-limits.server.ts";
import { revokeSessionsAndLinks } from "../accounts/revoke-account-access.server.ts";
import { lockAccountRow } from "../accounts/lock-account-row.server.ts";
import { closeConnectionsOfEndedSessions } from "../accounts/close-session-connections.server.ts";
import { refusalUnlessAdmin, familyNotFoundRefusal } from "../accounts/authorization.server.ts";
import { notifyUndoableFormerAddresses } from "../accounts/email/notify-former-addresses.server.ts";
import { notifyAccount, notifyConsultant } from "../accounts/email/queue-account-message.server.ts";
import { accountChangedRefusal, verifyOwnPassword } from "../accounts/passwords/own-password.server.ts";
import { cancelPendingErasure } from "../accounts/email/pending-erasure.server.ts";
import { type Person, PERSON_SELECT } from "../accounts/person.ts";
import { verifyOwnSecondFactorCode } from "../accounts/second-factor/second-factor.server.ts";
import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { endCalendarFeedInTransaction } from "../booking/feed/calendar-feed.server.ts";
import {
  cancelOwnUpcomingAppointments,
  cancelUpcomingForEndedAccount,
  type CancellationSummary,
  sumUpcomingCancellationAmounts,
} from "../checkout/cancellation/cancel-upcoming-appointments.server.ts";
import { amountChangedRefusal } from "../checkout/cancellation/cancel-appointment.server.ts";
import { isSameAsShownAmounts, type ShownAmounts } from "../checkout/cancellation/cancellation-texts.ts";
import { now } from "../clock.ts";
import { countRequestsWithUnconfirmedEmail } from "../consultation-requests/request-account-matches.server.ts";
import { db, inTransaction } from "../db/database-client.server.ts";
import { DAY_MS, DAY_SECONDS } from "../time-units.ts";
import { env } from "../env.server.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { createRateLimiter } from "../http/rate-limit.server.ts";
import {
  erasureRequestedForPreviousAddressContent,
  erasureRequestedContent,
  erasureRequestedForConsultantContent,
  erasureScheduledContent,
} from "../mail/messages/erasure-messages.ts";
import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";

/** Limits erasure requests. Each one is mailed and recorded, and can be canceled. Source: docs/product.md, Limits. */
const requestLimiter = createRateLimiter("erasure-request", 5, DAY_SECONDS);
const TOO_MANY_REQUESTS_MESSAGE =
  "You have asked to delete this account five times today. Please try again tomorrow, or call us.";

export const erasurePendingRefusal = refused("conflict", "This account is already scheduled to be deleted.");
const noErasurePendingRefusal = refused("conflict", "This account is not about to be deleted.");

/** `eraseAfter` is an instant in UTC, until which the family can keep its account. */
export type RequestedErasure = { eraseAfter: Date; released: CancellationSummary };

/**
 * Marks a family's own account for erasure after ERASURE_GRACE_DAYS. Ends every session, reset link and calendar link,
 * releases its held times, and cancels its upcoming visits by the cancellation rules as of this moment. The amounts,
 * in US cents, are the totals that the page showed, if it did.
 * Refusals: forbidden (an administrator), invalid (`password`, `code`), tooMany (5 a day, in addition to the password
 * limits), conflict (the account is already to be deleted, or the amounts have changed), unauthorized (the session has
 * ended meanwhile). Source: docs/product.md, Erasure.
 */
export async function requestOwnErasure(
  person: Person,
  { password, code, ...shown }: { password: string; code?: string | null | undefined } & ShownAmounts,
  source: ReauthenticationSource,
): Promise<Outcome<RequestedErasure>> {
  if (person.isAdmin) return refused("forbidden", "The practice's own account can't be deleted here.");
  const verified = await verifyOwnPassword(person, password, { ...source, field: "password" });
  if (!verified.ok) return verified;
  const codeVerified = await verifyOwnSecondFactorCode(person, code, source);
  if (!codeVerified.ok) return codeVerified;
  const requestedAt = now();
  if (!isSameAsShownAmounts(shown, await sumUpcomingCancellationAmounts(person.id, requestedAt)))
    return amountChangedRefusal;
  const rateLimitRefusal = await requestLimiter.consume(String(person.id));
  if (rateLimitRefusal) return { ...rateLimitRefusal, message: TOO_MANY_REQUESTS_MESSAGE };
  // If the password is changed at the same time, only the first of the two requests succeeds.
  const { sid } = source;
  const eraseAfter = await scheduleErasure(person, { actor: person, passwordHash: verified.value, sid });
  if (!eraseAfter)
    return (await isErasurePendingWithPassword(person, verified.value))
      ? erasurePendingRefusal
      : accountChangedRefusal(sid, "password");
  return accepted({ eraseAfter, released: await cancelOwnUpcomingAppointments(person, requestedAt) });
}

/** Returns whether the account is already to be deleted, and has the password that was entered. */
async function isErasurePendingWithPassword({ id }: Person, passwordHash: string): Promise<boolean> {
  return (await db.user.count({ where: { id, password: passwordHash, NOT: { eraseAfter: null } } })) === 1;
}

/**
 * Marks the account of a family that asked the administrator for erasure, whether the account is closed or not. Online
 * payments for its upcoming visits are refunded in full. Refusals: forbidden, notFound, conflict (the account is
 * already to be deleted).
 */
export async function requestErasureForFamily(admin: Person, id: number | null): Promise<Outcome<RequestedErasure>> {
  const found = await findFamily(admin, id);
  if (!found.ok) return found;
  const eraseAfter = await scheduleErasure(found.value, { actor: admin });
  if (!eraseAfter) return erasurePendingRefusal;
  return accepted({ eraseAfter, released: await cancelUpcomingForEndedAccount(admin, found.value.id, "deleted") });
}

async function findFamily(admin: Person, id: number | null): Promise<Outcome<Person>> {
  const notAdminRefusal = refusalUnlessAdmin(admin);
  if (notAdminRefusal) return notAdminRefusal;
  const family = id === null ? null : await db.user.findFirst({ where: { id, isAdmin: false }, select: PERSON_SELECT });
  return family ? accepted(family) : familyNotFoundRefusal();
}

/**
 * Schedules the erasure and returns the instant until which the account can be kept. Returns null if the account has
 * another password than `passwordHash` or is already to be deleted, or if the session `sid` has ended.
 */
async function scheduleErasure(
  family: Person,
  { actor, passwordHash, sid }: { actor: Person; passwordHash?: string; sid?: string },
): Promise<Date | null> {
  const eraseAfter = new Date(now().getTime() + env.erasureGraceDays * DAY_MS);
  const isRequestedByPractice = actor.id !== family.id;
  const isMarked = await inTransaction(async (transaction) => {
    const accountConditions = { passwordHash, sid, hasNoErasureRequest: true, isFamily: true } as const;
    if (!(await lockAccountRow(transaction, family.id, accountConditions))) return false;
    const account = await transaction.user.update({
      where: { id: family.id },
      data: { eraseAfter },
      select: { email: true, emailConfirmedAt: true },
    });
    await revokeSessionsAndLinks(transaction, family.id);
    await endCalendarFeedInTransaction(transaction, family);
    const subjectKey = `erasure ${eraseAfter.toISOString()}`;
    const date = formatPracticeDateTime(eraseAfter);
    const { phone } = env.practice;
    const event = "erasure-requested";
    await notifyAccount(
      transaction,
      family.id,
      ({ firstName, isClosed }) => ({
        event,
        subjectKey,
        content: isRequestedByPractice
          ? erasureScheduledContent({ firstName, isClosed }, date, phone)
          : erasureRequestedContent({ firstName }, date, phone),
      }),
      { isForClosed: isRequestedByPractice },
    );
    const content = erasureRequestedForPreviousAddressContent(date, phone, { isByPractice: isRequestedByPractice });
    await notifyUndoableFormerAddresses(transaction, family.id, { event, subjectKey, content });
    const unconfirmedRequests = await countRequestsWithUnconfirmedEmail(account, transaction);
    await notifyConsultant(transaction, family.id, ({ firstName }) => ({
      event: "family-leaves",
      subjectKey,
      content: erasureRequestedForConsultantContent(firstName, family.id, {
        date,
        unconfirmedRequests,
        isByPractice: isRequestedByPractice,
      }),
    }));
    recordAuditInTransaction(transaction, {
      action: "account-erasure-requested",
      actorId: actor.id,
      familyId: family.id,
      objectId: family.id,
    });
    return true;
  });
  if (!isMarked) return null;
  await closeConnectionsOfEndedSessions(family.id);
  return eraseAfter;
}

/**
 * Cancels the erasure request of an account, and notifies the family and the consultant. Canceled visits are not
 * restored. Refusal: conflict (there is no such request).
 */
export async function cancelOwnErasure(person: Person): Promise<Outcome<null>> {
  const isCanceled = await inTransaction((transaction) =>
    cancelPendingErasure(transaction, person.id, { canceledBy: "family", actorId: person.id }),
  );
  return isCanceled ? accepted(null) : noErasurePendingRefusal;
}

/**
 * Cancels the erasure request of a family on behalf of the administrator, whoever made it. Refusals: forbidden,
 * notFound, conflict.
 */
export async function cancelFamilyErasure(admin: Person, id: number | null): Promise<Outcome<null>> {
  const found = await findFamily(admin, id);
  if (!found.ok) return found;
  const { id: userId } = found.value;
  const isCanceled = await inTransaction((transaction) =>
    cancelPendingErasure(transaction, userId, { canceledBy: "practice", actorId: admin.id }),
  );
  return isCanceled ? accepted(null) : noErasurePendingRefusal;
}
