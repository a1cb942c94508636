import { recordAuditInTransaction, recordAuditOncePerWindow } from "../../audit/record.server.ts";
import { lockAccountRow, registerAccessRevocation } from "../../accounts/account-access.server.ts";
import { notSignedInRefusal } from "../../accounts/authorization.server.ts";
import { notifyAccountChanged } from "../../accounts/email/account-notifications.server.ts";
import { familyIdOf, fullName, type Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db, inTransaction } from "../../db/client.server.ts";
import { DAY_MS, DAY_SECONDS, HOUR_MS } from "../../duration.ts";
import { env } from "../../env.server.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { rateLimit } from "../../http/rate-limit.server.ts";
import { KeyedSerialQueue } from "../../serial-queue.ts";
import { CALENDAR_COLUMNS, calendarFeedText } from "../confirmation/calendar-file.server.ts";
import { calendarFeedPath } from "../paths.ts";
import { createSecretToken, hashSecretToken } from "../../secret-token.server.ts";

const FILE_NAME = /^([\w-]{43})\.ics$/;
/** Source: docs/product.md, Limits. */
const PAST_DAYS = 60;
const MAX_EVENTS = 1_000;

/** Each stores an entry of the access log and is told by mail; ending one is never limited. */
const sessionLinkLimit = rateLimit("calendar-links-session", 10, DAY_SECONDS);
const accountLinkLimit = rateLimit("calendar-links", 50, DAY_SECONDS);
const TOO_MANY_LINKS = "You have made ten calendar links today. Please try again tomorrow, or call us.";

const NAME_COLUMNS = { select: { firstName: true, lastName: true } } as const;

/** A large calendar takes a tenth of a second: those of one person are made one after another. */
const feeds = new KeyedSerialQueue<number>();

registerAccessRevocation((transaction, userId, since) =>
  transaction.calendarFeed.deleteMany({ where: { userId, ...(since ? { createdAt: { gte: since } } : {}) } }),
);

/** When the person's calendar link was made (UTC); null when there is none. */
export async function findCalendarFeed(person: Person): Promise<{ createdAt: Date } | null> {
  return db.calendarFeed.findUnique({ where: { userId: person.id }, select: { createdAt: true } });
}

/**
 * Creates the person's single calendar link, which ends an earlier one. Only its hash is stored. The person is told by
 * mail. Refusal: tooMany, after ten in a day of the session `sid`, so that a copied one leaves its owner those of a new
 * sign-in, and fifty of the account; unauthorized, where the session has ended meanwhile.
 */
export async function createCalendarFeed(person: Person, sid: string): Promise<Outcome<{ url: string }>> {
  const tooMany = (await sessionLinkLimit.consume(sid)) ?? (await accountLinkLimit.consume(String(person.id)));
  if (tooMany) return { ...tooMany, message: TOO_MANY_LINKS };
  const secret = createSecretToken();
  const link = { secretHash: hashSecretToken(secret), createdAt: now() };
  const state = { sid, isOpen: true, hasNoErasureRequest: true } as const;
  const isMade = await inTransaction(async (transaction) => {
    if (!(await lockAccountRow(transaction, person.id, state))) return false;
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
  if (!isMade) return notSignedInRefusal();
  return accepted({ url: `${env.origin}${calendarFeedPath(secret)}` });
}

/** Ends the person's calendar link. Idempotent. */
export async function endCalendarFeed(person: Person): Promise<void> {
  await inTransaction(async (transaction) => {
    const { count } = await transaction.calendarFeed.deleteMany({ where: { userId: person.id } });
    if (count > 0)
      recordAuditInTransaction(transaction, {
        action: "calendar-link-ended",
        familyId: familyIdOf(person),
        objectId: person.id,
      });
  });
}

/**
 * The visits behind a calendar link as iCalendar text, `file` being `{secret}.ics`: a family's own; for the consultant
 * all, with the family's name. From 60 days ago on, 1,000 at most. Refusal: notFound, also for the link of a closed
 * account.
 */
export async function readCalendarFeed(file: string): Promise<Outcome<string>> {
  const secret = FILE_NAME.exec(file)?.[1];
  const feed = secret === undefined ? null : await findReader(secret);
  if (!feed) return refused("notFound", "This calendar link does not work anymore. Sign in to make a new one.");
  const { userId, user } = feed;
  const familyId = user.isAdmin ? null : userId;
  // Calendar programs read it many times a day.
  await recordAuditOncePerWindow(HOUR_MS, {
    action: "calendar-link-read",
    actorId: userId,
    familyId,
    objectId: userId,
  });
  return accepted(await feeds.run(feed.userId, () => writeCalendar(feed.userId, feed.user.isAdmin)));
}

function findReader(secret: string) {
  return db.calendarFeed.findFirst({
    where: { secretHash: hashSecretToken(secret), user: { closedAt: null } },
    select: { userId: true, user: { select: { isAdmin: true } } },
  });
}

async function writeCalendar(userId: number, isAdmin: boolean): Promise<string> {
  const appointments = await db.appointment.findMany({
    where: {
      ...(isAdmin ? {} : { userId }),
      appointmentDate: { gte: new Date(now().getTime() - PAST_DAYS * DAY_MS) },
    },
    select: { ...CALENDAR_COLUMNS, user: NAME_COLUMNS, consultationRequest: NAME_COLUMNS },
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
