import type { ReauthenticationSource } from "../accounts/sign-in/credential-limits.server.ts";
import { lockAccountRow, revokeSessionsAndLinks } from "../accounts/account-access.server.ts";
import { closeConnectionsOfEndedSessions } from "../accounts/ended-sessions.server.ts";
import { refusalUnlessAdmin, familyNotFoundRefusal } from "../accounts/authorization.server.ts";
import { notifyAddressesWithUndoLink } from "../accounts/email/notify-addresses-with-undo-link.server.ts";
import { notifyAccount, notifyConsultant } from "../accounts/email/notify.server.ts";
import { outdatedPasswordRefusal, verifyOwnPassword } from "../accounts/passwords/own-password.server.ts";
import { withdrawErasure } from "../accounts/email/pending-erasure.server.ts";
import { type Person, PERSON_COLUMNS } from "../accounts/person.ts";
import { verifyOwnCode } from "../accounts/second-factor/second-factor.server.ts";
import { recordAuditInTransaction } from "../audit/record.server.ts";
import { endCalendarFeed } from "../booking/feed/calendar-feed.server.ts";
import {
  cancelOwnAppointments,
  cancelUpcomingAppointments,
  type CancellationSummary,
} from "../checkout/cancellation/cancel-upcoming.server.ts";
import { now } from "../clock.ts";
import { countRequestsWithUnconfirmedEmail } from "../consultation-requests/possible-accounts.server.ts";
import { db, inTransaction } from "../db/client.server.ts";
import { DAY_MS, DAY_SECONDS } from "../duration.ts";
import { env } from "../env.server.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { rateLimit } from "../http/rate-limit.server.ts";
import {
  erasureOfEarlierAddressContent,
  erasureRequestedContent,
  erasureRequestedForConsultantContent,
  erasureScheduledContent,
} from "../mail/messages/erasure-messages.ts";
import { formatPracticeTime } from "../practice/format-time.server.ts";

/** Each is mailed and recorded, and can be taken back. Source: docs/product.md, Limits. */
const requestLimit = rateLimit("erasure-request", 5, DAY_SECONDS);
const TOO_MANY_REQUESTS =
  "You have asked to delete this account five times today. Please try again tomorrow, or call us.";

export const erasurePendingRefusal = refused("conflict", "This account is to be deleted already.");
const noErasurePendingRefusal = refused("conflict", "This account is not about to be deleted.");

/** `eraseAfter` is an instant in UTC; until then the family can keep its account. */
export type RequestedErasure = { eraseAfter: Date; released: CancellationSummary };

/**
 * Marks a family's own account for erasure after ERASURE_GRACE_DAYS: every session, reset link and calendar link ends,
 * its held times are free, and its visits to come are canceled by the rules of canceling.
 * Refusals: forbidden (an administrator), invalid (`password`, `code`), tooMany (5 a day, beside those of passwords), conflict
 * (the account is to be deleted already), unauthorized (the session has ended meanwhile). Source: docs/product.md, Erasure.
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
  const tooMany = await requestLimit.consume(String(person.id));
  if (tooMany) return { ...tooMany, message: TOO_MANY_REQUESTS };
  // Of a new password and this wish at once, the first one counts.
  const { sid } = source;
  const eraseAfter = await scheduleErasure(person, { actor: person, hash: verified.value, sid });
  if (!eraseAfter)
    return (await isErasurePending(person, verified.value))
      ? erasurePendingRefusal
      : outdatedPasswordRefusal(sid, "password");
  return accepted({ eraseAfter, released: await cancelOwnAppointments(person) });
}

/** Whether the account is to be deleted already, and has the password that was given. */
async function isErasurePending({ id }: Person, hash: string): Promise<boolean> {
  return (await db.user.count({ where: { id, password: hash, NOT: { eraseAfter: null } } })) === 1;
}

/**
 * The same for a family that asked the administrator, whether its account is closed or not; what was paid online for its
 * visits to come goes back in full. Refusals: forbidden, notFound, conflict (the account is to be deleted already).
 */
export async function requestErasureForFamily(admin: Person, id: number | null): Promise<Outcome<RequestedErasure>> {
  const found = await findFamily(admin, id);
  if (!found.ok) return found;
  const eraseAfter = await scheduleErasure(found.value, { actor: admin });
  if (!eraseAfter) return erasurePendingRefusal;
  return accepted({ eraseAfter, released: await cancelUpcomingAppointments(admin, found.value.id, "deleted") });
}

async function findFamily(admin: Person, id: number | null): Promise<Outcome<Person>> {
  const denied = refusalUnlessAdmin(admin);
  if (denied) return denied;
  const family =
    id === null ? null : await db.user.findFirst({ where: { id, isAdmin: false }, select: PERSON_COLUMNS });
  return family ? accepted(family) : familyNotFoundRefusal();
}

/**
 * Returns until when the account can be kept; null where it has another password than `hash`, is to be deleted already, or
 * the session `sid` has ended.
 */
async function scheduleErasure(
  family: Person,
  { actor, hash, sid }: { actor: Person; hash?: string; sid?: string },
): Promise<Date | null> {
  const eraseAfter = new Date(now().getTime() + env.erasureGraceDays * DAY_MS);
  const isByPractice = actor.id !== family.id;
  const isMarked = await inTransaction(async (transaction) => {
    const state = { ...(hash && { hash }), sid, hasNoErasureRequest: true, isFamily: true } as const;
    if (!(await lockAccountRow(transaction, family.id, state))) return false;
    const account = await transaction.user.update({
      where: { id: family.id },
      data: { eraseAfter },
      select: { email: true, emailConfirmedAt: true },
    });
    await revokeSessionsAndLinks(transaction, family.id);
    const about = `erasure ${eraseAfter.toISOString()}`;
    const date = formatPracticeTime(eraseAfter);
    const { phone } = env.practice;
    const event = "erasure-requested";
    await notifyAccount(
      transaction,
      family.id,
      ({ firstName, isClosed }) => ({
        event,
        about,
        content: isByPractice
          ? erasureScheduledContent({ firstName, isClosed }, date, phone)
          : erasureRequestedContent({ firstName }, date, phone),
      }),
      { isForClosed: isByPractice },
    );
    const content = erasureOfEarlierAddressContent(date, phone, { isByPractice });
    await notifyAddressesWithUndoLink(transaction, family.id, { event, about, content });
    const unconfirmedRequests = await countRequestsWithUnconfirmedEmail(account, transaction);
    await notifyConsultant(transaction, family.id, ({ firstName }) => ({
      event: "family-leaves",
      about,
      content: erasureRequestedForConsultantContent(firstName, family.id, { date, unconfirmedRequests, isByPractice }),
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
  await endCalendarFeed(family);
  return eraseAfter;
}

/**
 * Cancels the erasure request of an account, and notifies the family and the consultant. Canceled visits are not restored.
 * Refusal: conflict, where there is no such request.
 */
export async function cancelErasure(person: Person): Promise<Outcome<null>> {
  const isCanceled = await inTransaction((transaction) =>
    withdrawErasure(transaction, person.id, { by: "family", actorId: person.id }),
  );
  return isCanceled ? accepted(null) : noErasurePendingRefusal;
}

/** Cancels the erasure request of a family for the administrator, whoever made it. Refusals: forbidden, notFound, conflict. */
export async function cancelFamilyErasure(admin: Person, id: number | null): Promise<Outcome<null>> {
  const found = await findFamily(admin, id);
  if (!found.ok) return found;
  const { id: userId } = found.value;
  const isCanceled = await inTransaction((transaction) =>
    withdrawErasure(transaction, userId, { by: "practice", actorId: admin.id }),
  );
  return isCanceled ? accepted(null) : noErasurePendingRefusal;
}
