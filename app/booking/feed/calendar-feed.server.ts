import { recordAuditInTransaction, recordAuditOncePerWindow } from "../../audit/record-audit.server.ts";
import { registerAccessRevocationHandler } from "../../accounts/revoke-account-access.server.ts";
import { lockAccountRow } from "../../accounts/lock-account-row.server.ts";
import { notSignedInRefusal } from "../../accounts/authorization.server.ts";
import { notifyAccountChanged } from "../../accounts/email/account-notifications.server.ts";
import { ACTIVE_ACCOUNT_CONDITION, familyIdOf, fullName, type Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db, inTransaction, type Transaction } from "../../db/database-client.server.ts";
import { DAY_MS, DAY_SECONDS, HOUR_MS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { createRateLimiter } from "../../http/rate-limit.server.ts";
import { KeyedSerialQueue } from "../../serial-queue.ts";
import { CALENDAR_SELECT, calendarFeedText } from "../confirmation/calendar-file.server.ts";
import { calendarFeedPath } from "../appointment-paths.ts";
import { createSecretToken, hashSecretToken } from "../../secret-token.server.ts";

const FILE_NAME_PATTERN = /^([\w-]{43})\.ics$/;
/** Days before today from which visits are included. Source: docs/product.md, Limits. */
const PAST_DAYS = 60;
const MAX_EVENTS = 1_000;

/**
 * Limits new links, because each adds an entry to the access log and sends an email message. Ending a link is never
 * limited.
 */
const sessionLinkLimiter = createRateLimiter("calendar-links-session", 10, DAY_SECONDS);
const accountLinkLimiter = createRateLimiter("calendar-links", 50, DAY_SECONDS);
const TOO_MANY_LINKS_MESSAGE = "You have made ten calendar links today. Please try again tomorrow, or call us.";

const NAME_SELECT = { select: { firstName: true, lastName: true } } as const;

/** Generating a large calendar takes a tenth of a second, so each person's calendars are generated one at a time. */
const calendarQueue = new KeyedSerialQueue<number>();

registerAccessRevocationHandler((transaction, userId, since) =>
  transaction.calendarFeed.deleteMany({ where: { userId, ...(since ? { createdAt: { gte: since } } : {}) } }),
);

/** Returns when the person's calendar link was created (UTC); null when there is none. */
export async function findCalendarFeed(person: Person): Promise<{ createdAt: Date } | null> {
  return db.calendarFeed.findUnique({ where: { userId: person.id }, select: { createdAt: true } });
}

/**
 * Creates the person's single calendar link, which ends an earlier one. Only its hash is stored. Notifies the person by
 * email. Refusals: tooMany, after ten links a day in the session `sid` or fifty a day in the account (the limit per
 * session leaves the owner links in a new session if another person uses a copied session); unauthorized, if the
 * session has ended meanwhile.
 */
export async function createCalendarFeed(person: Person, sid: string): Promise<Outcome<{ url: string }>> {
  const rateLimitRefusal =
    (await sessionLinkLimiter.consume(sid)) ?? (await accountLinkLimiter.consume(String(person.id)));
  if (rateLimitRefusal) return { ...rateLimitRefusal, message: TOO_MANY_LINKS_MESSAGE };
  const secret = createSecretToken();
  const link = { secretHash: hashSecretToken(secret), createdAt: now() };
  const accountConditions = { sid, isOpen: true, hasNoErasureRequest: true } as const;
  const isCreated = await inTransaction(async (transaction) => {
    if (!(await lockAccountRow(transaction, person.id, accountConditions))) return false;
    await transaction.calendarFeed.upsert({
      where: { userId: person.id },
      create: { userId: person.id, ...link },
      update: link,
    });
    recordAuditInTransaction(transaction, {
      action: "calendar-link-made",
      familyId: familyIdOf(person),
      objectId: person.id,
    });
    await notifyAccountChanged(transaction, person.id, "calendar-link-made");
    return true;
  });
  if (!isCreated) return notSignedInRefusal();
  return accepted({ url: `${env.origin}${calendarFeedPath(secret)}` });
}

/** Ends the person's calendar link. Idempotent. */
export async function endCalendarFeed(person: Person): Promise<void> {
  await inTransaction((transaction) => endCalendarFeedInTransaction(transaction, person));
}

export async function endCalendarFeedInTransaction(transaction: Transaction, person: Person): Promise<void> {
  const { count } = await transaction.calendarFeed.deleteMany({ where: { userId: person.id } });
  if (count === 0) return;
  recordAuditInTransaction(transaction, {
    action: "calendar-link-ended",
    familyId: familyIdOf(person),
    objectId: person.id,
  });
}

/**
 * Returns the visits of a calendar link as iCalendar text. `file` is `{secret}.ics`. For a family, its own visits; for
 * the consultant, all visits with the family's name. Includes visits from 60 days ago on, at most 1,000. Refusal:
 * notFound, also for the link of a closed account.
 */
export async function readCalendarFeed(file: string): Promise<Outcome<string>> {
  const secret = FILE_NAME_PATTERN.exec(file)?.[1];
  const feed = secret === undefined ? null : await findFeedOwner(secret);
  if (!feed) return refused("notFound", "This calendar link does not work anymore. Sign in to make a new one.");
  const { userId, user } = feed;
  const familyId = user.isAdmin ? null : userId;
  // Recorded once an hour only, because calendar programs read the feed many times a day.
  await recordAuditOncePerWindow(HOUR_MS, {
    action: "calendar-link-read",
    actorId: userId,
    familyId,
    objectId: userId,
  });
  return accepted(await calendarQueue.run(feed.userId, () => renderCalendar(feed.userId, feed.user.isAdmin)));
}

function findFeedOwner(secret: string) {
  return db.calendarFeed.findFirst({
    where: { secretHash: hashSecretToken(secret), user: ACTIVE_ACCOUNT_CONDITION },
    select: { userId: true, user: { select: { isAdmin: true } } },
  });
}

async function renderCalendar(userId: number, isAdmin: boolean): Promise<string> {
  const appointments = await db.appointment.findMany({
    where: {
      ...(isAdmin ? {} : { userId }),
      appointmentDate: { gte: new Date(now().getTime() - PAST_DAYS * DAY_MS) },
    },
    select: { ...CALENDAR_SELECT, user: NAME_SELECT, consultationRequest: NAME_SELECT },
    orderBy: [{ appointmentDate: "asc" }, { id: "asc" }],
    take: MAX_EVENTS,
  });
  return calendarFeedText(
    appointments.map(({ user, consultationRequest, ...visit }) => {
      const family = user ?? consultationRequest;
      return isAdmin ? { ...visit, familyName: family ? fullName(family) : "a family" } : visit;
    }),
  );
}
