import { sqltag as sql } from "@prisma/client/runtime/client";
import { assertAdministrator } from "../../accounts/authorization.server.ts";
import { lockAccountRow } from "../../accounts/lock-account-row.server.ts";
import { filterNewAccountIds } from "../../accounts/new-account.server.ts";
import type { Person } from "../../accounts/person.ts";
import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { now } from "../../clock.ts";
import { db, inTransaction, runPreparedQuery, type Transaction } from "../../db/database-client.server.ts";
import { DAY_SECONDS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { accepted, invalidField, type Outcome, refused } from "../../http/outcome.ts";
import { createNetworkLimiter } from "../../http/rate-limit.server.ts";
import { formatLongPlainDate } from "../../ui/format-date-time.ts";
import { findFreeSlots } from "../availability/availability.server.ts";
import { enqueueCalendarWrite } from "../availability/calendar-write-queue.server.ts";
import { bookingNetworkHashes, checkNetworkWaitingListLimit } from "../limits/network-limits.server.ts";
import { hasNewAccountLimits } from "../limits/new-account-limits.server.ts";
import { lastBookableDay } from "../booking-rules.ts";
import { rollbackIf, tryTransaction } from "../rollback.server.ts";
import { toWallTime } from "../wall-time.ts";
import { practiceToday } from "../practice-today.server.ts";
import { endOffersAndReleaseHolds } from "./end-waiting-list-offers.server.ts";
import { checkWaitingListRules } from "./waiting-list-rules.server.ts";
import {
  sortByOfferOrder,
  markEstablishedFamilies,
  MAX_WAITING_FAMILIES,
  WAITING_CONDITION,
  WAITING_LIST_USER_SELECT,
} from "./offer-order.server.ts";

/** Maximum number of days that a family can wait for. Source: docs/product.md, Limits. */
export const MAX_WAITING_DAYS = 5;
const MAX_WAITING_NEW_ACCOUNTS = 25;

/** Limit for families whose first visit has not taken place. Source: docs/product.md, Limits. */
const networkJoinLimiter = createNetworkLimiter("waiting-list", 6, DAY_SECONDS);
const TOO_MANY_JOINS_MESSAGE =
  "Too many families have joined from your network today. Please try again tomorrow, or call us.";

const tooManyDaysRefusal = refused(
  "conflict",
  `You can wait for ${MAX_WAITING_DAYS} days at a time. Leave one of those lists first.`,
);
const dayFullRefusal = invalidField(
  "day",
  "Many families are already waiting for that day. Choose another one, or call us.",
);
/** The refusal of a day for which nobody has to wait. */
export const openDayRefusal = invalidField("day", "That day still has open times. You can book one now.");
const alreadyWaitingRefusal = invalidField("day", "You are already on the list for that day.");

/**
 * Adds a family to the waiting list of a full day. Refusals: invalid (`day`: past, too far ahead, closed, too late, not
 * full, 50 families already wait, 25 new accounts already wait and the family is new, or it is already on the list),
 * conflict (it already waits for five days), tooMany (six new accounts joined from the network of `ip` within 24 hours,
 * or two of that network are on that day's list).
 */
export async function joinWaitingList(
  person: Person,
  { day, duration }: { day: string; duration: number },
  ip: string,
): Promise<Outcome<{ dayName: string }>> {
  const refusal = await checkJoinableDay(person, { day, duration });
  if (refusal) return refusal;
  const joined = await enqueueCalendarWrite(() =>
    tryTransaction(async (transaction) => {
      await lockAccountRow(transaction, person.id);
      const own = await transaction.waitingListEntry.findMany({ where: { userId: person.id, endedAt: null } });
      rollbackIf(own.some((entry) => entry.day === day) ? alreadyWaitingRefusal : null);
      rollbackIf(own.length >= MAX_WAITING_DAYS ? tooManyDaysRefusal : null);
      const isLimited = await hasNewAccountLimits(transaction, person.id);
      rollbackIf(await checkDayCapacity(transaction, day, isLimited));
      if (isLimited) {
        const rateLimitRefusal = await networkJoinLimiter.consume(ip);
        rollbackIf(rateLimitRefusal && { ...rateLimitRefusal, message: TOO_MANY_JOINS_MESSAGE });
      }
      const row = { duration, joinedAt: now(), endedAt: null, ...bookingNetworkHashes(ip) };
      await transaction.waitingListEntry.upsert({
        where: { userId_day: { userId: person.id, day } },
        create: { userId: person.id, day, ...row },
        update: row,
        select: { id: true },
      });
      if (isLimited) rollbackIf(await checkNetworkWaitingListLimit(transaction, ip, day));
      recordAuditInTransaction(transaction, {
        action: "waiting-list-joined",
        familyId: person.id,
        objectId: person.id,
      });
    }),
  );
  return joined.ok ? accepted({ dayName: formatLongPlainDate(day) }) : joined;
}

/** Checks that the day's list has a place. New accounts can take at most half of the places. */
async function checkDayCapacity(transaction: Transaction, day: string, isLimited: boolean) {
  const waiting = await transaction.waitingListEntry.findMany({
    where: { ...WAITING_CONDITION, day },
    take: MAX_WAITING_FAMILIES,
    select: { userId: true },
  });
  if (waiting.length >= MAX_WAITING_FAMILIES) return dayFullRefusal;
  if (!isLimited || waiting.length < MAX_WAITING_NEW_ACCOUNTS) return null;
  const newAccounts = await filterNewAccountIds(
    waiting.map(({ userId }) => userId),
    transaction,
  );
  return newAccounts.size >= MAX_WAITING_NEW_ACCOUNTS ? dayFullRefusal : null;
}

/** Checks whether freed times are offered to the family before they are offered to new families. */
export async function isEstablishedFamily(userId: number): Promise<boolean> {
  const user = await db.user.findUniqueOrThrow({ where: { id: userId }, ...WAITING_LIST_USER_SELECT });
  return (await markEstablishedFamilies([{ userId, day: "", user }])).every(({ isEstablished }) => isEstablished);
}

async function checkJoinableDay(person: Person, { day, duration }: { day: string; duration: number }) {
  const today = practiceToday();
  if (day < today) return invalidField("day", "That day is over. Choose a later one.");
  if (day > lastBookableDay(today)) return invalidField("day", "That day is too far ahead. Choose an earlier one.");
  const problem = await checkWaitingListRules(day, duration);
  if (problem) return problem;
  const free = await findFreeSlots(day, { duration, type: "consultation", userId: person.id });
  return free.length > 0 ? openDayRefusal : null;
}

/** Removes a family from the waiting list of one day and frees the times offered to it. Refusal: notFound. */
export async function leaveWaitingList(person: Person, id: number): Promise<Outcome<{ dayName: string }>> {
  return inTransaction(async (transaction) => {
    await lockAccountRow(transaction, person.id);
    const [day] = await endEntriesAndOffers(transaction, { id, userId: person.id });
    if (day === undefined) return refused("notFound", "You are no longer on that list.");
    recordAuditInTransaction(transaction, { action: "waiting-list-left", familyId: person.id, objectId: person.id });
    return accepted({ dayName: formatLongPlainDate(day) });
  });
}

/** Ends the family's entry for the day on which it has booked a visit, in the transaction of the booking. */
export async function endWaitingListEntryForBooking(
  transaction: Transaction,
  userId: number | null,
  start: Date,
): Promise<void> {
  if (userId === null) return;
  await endEntriesAndOffers(transaction, { userId, day: toWallTime(start, env.practice.timeZone).day });
}

/** Ends entries and returns their days. Their offers are kept, so that no offer is made twice. */
async function endEntriesAndOffers(
  transaction: Transaction,
  entryCondition: { userId: number; id?: number; day?: string },
) {
  const entries = await transaction.waitingListEntry.findMany({
    where: { ...entryCondition, endedAt: null },
    include: { offers: true },
  });
  if (entries.length === 0) return [];
  const offerIds = entries.flatMap(({ offers }) => offers.map(({ id }) => id));
  await endOffersAndReleaseHolds(transaction, entryCondition.userId, offerIds);
  await transaction.waitingListEntry.updateMany({
    where: { id: { in: entries.map(({ id }) => id) } },
    data: { endedAt: now() },
  });
  return entries.map(({ day }) => day);
}

/** Returns the days that a family waits for, ascending, with its position in line (from 1) and the current offer. */
export async function listOwnWaitingListEntries(person: Person) {
  const entries = await db.waitingListEntry.findMany({
    where: { userId: person.id, endedAt: null, day: { gte: practiceToday() } },
    orderBy: { day: "asc" },
    include: { offers: { where: { expiresAt: { gt: now() } } } },
  });
  const waiting = await db.waitingListEntry.findMany({
    where: { ...WAITING_CONDITION, day: { in: entries.map(({ day }) => day) } },
    orderBy: WAITING_LIST_ORDER,
    select: { id: true, day: true, userId: true, user: WAITING_LIST_USER_SELECT },
  });
  const orderedEntries = sortByOfferOrder(await markEstablishedFamilies(waiting));
  return entries.map(({ id, day, duration, offers: [offer] }) => ({
    id,
    day,
    dayName: formatLongPlainDate(day),
    duration,
    queuePosition: orderedEntries.filter((each) => each.day === day).findIndex((each) => each.id === id) + 1,
    offer: offer
      ? { id: offer.id, start: offer.appointmentDate.toISOString(), until: offer.expiresAt.toISOString() }
      : null,
  }));
}

/** Order of entries: first come, first served, within the established families of a day and then within the others. */
export const WAITING_LIST_ORDER = [{ joinedAt: "asc" as const }, { id: "asc" as const }];

type WaitingRow = {
  id: number;
  day: string;
  duration: number;
  userId: number;
  firstName: string;
  lastName: string;
  emailConfirmedAt: Date | null;
  intakeFormId: number | null;
  offered: Date | null;
};

/**
 * Returns who waits for each day from `firstDay` to `lastDay`, in the order in which freed times are offered, for the
 * administrator; throws for anyone else.
 */
export async function listWaitingListEntries(
  person: Person,
  { firstDay, lastDay }: { firstDay: string; lastDay: string },
) {
  assertAdministrator(person);
  const rows = await runPreparedQuery<WaitingRow>(sql`
    SELECT e."id", e."day", e."duration", e."userId", u."firstName", u."lastName",
      u."emailConfirmedAt", f."id" AS "intakeFormId", o."appointmentDate" AS "offered"
    FROM "waiting_list" e JOIN "users" u ON u."id" = e."userId"
    LEFT JOIN "intake_forms" f ON f."userId" = u."id"
    LEFT JOIN "waiting_list_offers" o ON o."entryId" = e."id" AND o."expiresAt" > ${now()}
    WHERE e."day" >= ${firstDay} AND e."day" <= ${lastDay} AND e."endedAt" IS NULL
      AND u."closedAt" IS NULL AND u."eraseAfter" IS NULL
    ORDER BY e."day", e."joinedAt", e."id"`);
  const entries = rows.map(({ emailConfirmedAt, intakeFormId: formId, ...row }) => ({
    ...row,
    user: { emailConfirmedAt, intakeForm: formId === null ? null : { id: formId } },
  }));
  const ordered = sortByOfferOrder(await markEstablishedFamilies(entries));
  return ordered.map(({ id, day, duration, userId, firstName, lastName, offered }) => ({
    id,
    dayName: formatLongPlainDate(day),
    duration,
    familyId: userId,
    name: `${firstName} ${lastName}`,
    offered: offered && new Date(offered).toISOString(),
  }));
}
