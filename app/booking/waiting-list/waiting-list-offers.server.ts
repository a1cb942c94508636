import { lockAccountRow } from "../../accounts/lock-account-row.server.ts";
import { notifyAccount } from "../../accounts/email/queue-account-message.server.ts";
import type { Person } from "../../accounts/person.ts";
import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { now } from "../../clock.ts";
import { db, inTransaction, type Transaction } from "../../db/database-client.server.ts";
import { SECOND_MS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { waitingListOfferContent } from "../../mail/messages/visit-messages.ts";
import type { PeriodicJob } from "../../periodic-job.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";
import { findFreeSlots, outsideHoursWarning } from "../availability/availability.server.ts";
import { enqueueCalendarWrite } from "../availability/calendar-write-queue.server.ts";
import { findBookingDraft, saveBookingDraft, convertDraftToFormData } from "../booking-draft.server.ts";
import { releaseObsoleteHolds } from "../holds/release-holds.server.ts";
import { hasNewAccountLimits, checkNewAccountBookingLimits } from "../limits/new-account-limits.server.ts";
import { checkUnpaidVisitQuota } from "../limits/new-account-quota.server.ts";
import { WAITING_LIST_PATH } from "../appointment-paths.ts";
import { rollbackIf, tryTransaction } from "../rollback.server.ts";
import { endTime } from "../booking-rules.ts";
import { toWallTime } from "../wall-time.ts";
import { offerSubjectKey, endOffersAndReleaseHolds, OFFER_EVENT } from "./end-waiting-list-offers.server.ts";
import { earliestOfferableStart, findOfferExpiry } from "./waiting-list-rules.server.ts";
import { WAITING_LIST_ORDER } from "./waiting-list.server.ts";
import {
  sortByOfferOrder,
  markEstablishedFamilies,
  WAITING_CONDITION,
  WAITING_LIST_USER_SELECT,
} from "./offer-order.server.ts";
import { practiceToday } from "../practice-today.server.ts";

/** Maximum number of entries read for one day. More than the number of families that can wait for it. */
const MAX_ENTRIES_PER_DAY = 200;
const unknownOfferRefusal = refused("notFound", "That time is not offered to you.");
const expiredOfferRefusal = refused("conflict", "That time is no longer held for you. You are still on the list.");

type Entry = Awaited<ReturnType<typeof findEntries>>[number];

/**
 * Offers free times on the days that families wait for. Each time is offered to one family at a time, established
 * families first (see `markEstablishedFamilies`), held for two hours by day (see `computeOfferExpiry`), and never offered
 * to the same family twice. Ends an offer that is outside office hours after those were changed. Any number of
 * processes can run this.
 */
export async function offerFreedTimes(signal?: AbortSignal): Promise<void> {
  const earliest = await earliestOfferableStart();
  for (
    let day = await findNextWaitingListDay(practiceToday());
    day !== null;
    day = await findNextWaitingListDay(day, "gt")
  ) {
    for (const entry of await findEntries(day)) {
      if (signal?.aborted) return;
      const currentOffer = pickOpenOffer(entry);
      if (
        currentOffer &&
        (await outsideHoursWarning({ start: currentOffer.appointmentDate, duration: currentOffer.duration }))
      )
        await endOfferWithAudit(entry.userId, currentOffer.id, "waiting-list-withdrawn");
      else if (currentOffer) await enqueueCalendarWrite(() => restoreOfferHold(entry, currentOffer));
      else await offerFirstFreeTime(entry, earliest);
    }
  }
}

export const waitingListJob: PeriodicJob = {
  name: "offering freed times",
  intervalMs: 5 * SECOND_MS,
  run: offerFreedTimes,
};

/** Deletes the waiting lists of past days, with their offers and remaining holds. */
export async function deletePastWaitingListEntries(): Promise<void> {
  const pastCondition = { day: { lt: practiceToday() } };
  await db.hold.deleteMany({ where: { offer: { entry: pastCondition } } });
  await db.waitingListEntry.deleteMany({ where: pastCondition });
}

/** Returns the first day from `day` on ("gte") or after it ("gt") for which families wait; null when there is none. */
async function findNextWaitingListDay(day: string, from: "gte" | "gt" = "gte"): Promise<string | null> {
  const where = { ...WAITING_CONDITION, day: { [from]: day } };
  const entry = await db.waitingListEntry.findFirst({ where, orderBy: { day: "asc" }, select: { day: true } });
  return entry?.day ?? null;
}

async function findEntries(day: string) {
  const entries = await db.waitingListEntry.findMany({
    where: { ...WAITING_CONDITION, day },
    orderBy: WAITING_LIST_ORDER,
    take: MAX_ENTRIES_PER_DAY,
    include: { offers: { include: { hold: { select: { id: true } } } }, user: WAITING_LIST_USER_SELECT },
  });
  return sortByOfferOrder(await markEstablishedFamilies(entries));
}

function pickOpenOffer({ offers }: Entry) {
  return offers.find(({ expiresAt }) => expiresAt > now());
}

async function offerFirstFreeTime(entry: Entry, earliest: Date): Promise<void> {
  const { day, duration, offers } = entry;
  const starts = await findFreeSlots(day, { duration, type: "consultation" });
  const start = starts.find(
    (each) => each >= earliest && !offers.some((offer) => isOverlapping(offer, each, duration)),
  );
  if (start) await enqueueCalendarWrite(() => createOfferAndNotify(entry, start));
}

function isOverlapping({ appointmentDate, duration }: Entry["offers"][number], start: Date, minutes: number): boolean {
  return (
    appointmentDate < endTime({ start, duration: minutes }) && start < endTime({ start: appointmentDate, duration })
  );
}

/**
 * Offers a time to a family. Offers nothing if the time was taken meanwhile, or if the limits of a new account don't
 * allow it.
 */
async function createOfferAndNotify({ id: entryId, userId, duration }: Entry, start: Date): Promise<void> {
  const expiresAt = await findOfferExpiry(start);
  // The notice before a visit was raised in the meantime.
  if (start < (await earliestOfferableStart())) return;
  await tryTransaction(async (transaction) => {
    if (!(await lockAccountRow(transaction, userId, { isOpen: true, hasNoErasureRequest: true }))) return;
    const offers = { none: { expiresAt: { gt: now() } } };
    if (!(await transaction.waitingListEntry.findFirst({ where: { id: entryId, endedAt: null, offers } }))) return;
    const slot = { appointmentDate: start, duration };
    await releaseObsoleteHolds(transaction, slot, { userId: null });
    const { id: offerId } = await transaction.waitingListOffer.create({
      data: { entryId, ...slot, expiresAt, createdAt: now() },
      select: { id: true },
    });
    await insertOfferHoldWithinLimits(transaction, { offerId, userId, ...slot, expiresAt });
    const until = formatPracticeDateTime(expiresAt);
    await notifyAccount(transaction, userId, ({ firstName, isConfirmed }) => ({
      event: OFFER_EVENT,
      subjectKey: offerSubjectKey(offerId),
      content: waitingListOfferContent(firstName, {
        when: formatPracticeDateTime(start),
        length: `${duration} minutes`,
        until,
        path: WAITING_LIST_PATH,
      }),
      expiresAt,
      // The owner of an unconfirmed address may know nothing of the account that waits, declines and waits again.
      isExemptFromLimits: isConfirmed,
    }));
    recordAuditInTransaction(transaction, {
      action: "waiting-list-offered",
      actorId: null,
      familyId: userId,
      objectId: userId,
    });
  });
}

type OfferHold = { offerId: number; userId: number; appointmentDate: Date; duration: number; expiresAt: Date };

async function insertOfferHoldWithinLimits(transaction: Transaction, hold: OfferHold): Promise<void> {
  await transaction.hold.create({ data: { ...hold, heldSince: now() }, select: { id: true } });
  const { userId, appointmentDate } = hold;
  if (!(await hasNewAccountLimits(transaction, userId))) return;
  const slot = { appointmentDate, type: "consultation" };
  rollbackIf(
    (await checkNewAccountBookingLimits(transaction, userId, slot)) ??
      (await checkUnpaidVisitQuota(transaction, { ...slot, isHold: true })),
  );
}

/**
 * Holds an offered time again after the family began to book it and gave up. Does nothing if the family already holds
 * it in another way, or another person holds it.
 */
async function restoreOfferHold({ userId }: Entry, offer: Entry["offers"][number]): Promise<void> {
  const { id: offerId, appointmentDate, duration, hold } = offer;
  if (hold) return;
  const isHeld = await db.hold.count({ where: { userId, appointmentDate, expiresAt: { gt: now() } } });
  if (isHeld > 0) return;
  await tryTransaction(async (transaction) => {
    await lockAccountRow(transaction, userId);
    const current = await transaction.waitingListOffer.findFirst({ where: { id: offerId, expiresAt: { gt: now() } } });
    if (!current) return;
    await releaseObsoleteHolds(transaction, { appointmentDate, duration }, { userId: null });
    await insertOfferHoldWithinLimits(transaction, {
      offerId,
      userId,
      appointmentDate,
      duration,
      expiresAt: current.expiresAt,
    });
  });
}

/** Sets the offered time in the family's booking draft. Refusals: notFound, conflict (the time is no longer held). */
export async function startBookingFromOffer(person: Person, id: number): Promise<Outcome<null>> {
  const offer = await findOwnOffer(person, id);
  if (!offer) return offerRefusal(person, id);
  const { appointmentDate, duration } = offer;
  const form = convertDraftToFormData((await findBookingDraft(person)) ?? {});
  form.set("date", toWallTime(appointmentDate, env.practice.timeZone).day);
  form.set("slot", appointmentDate.toISOString());
  form.set("appointmentDate", "");
  form.set("duration", String(duration));
  await saveBookingDraft(person, form);
  return accepted(null);
}

/**
 * Declines an offered time, so that it is offered to the next family. Refusals: notFound, conflict (the time is no
 * longer held).
 */
export async function declineOffer(person: Person, id: number): Promise<Outcome<null>> {
  if (!(await findOwnOffer(person, id))) return offerRefusal(person, id);
  await endOfferWithAudit(person.id, id, "waiting-list-declined");
  return accepted(null);
}

async function endOfferWithAudit(
  familyId: number,
  id: number,
  action: "waiting-list-declined" | "waiting-list-withdrawn",
): Promise<void> {
  const actor = action === "waiting-list-withdrawn" ? { actorId: null } : {};
  await enqueueCalendarWrite(() =>
    inTransaction(async (transaction) => {
      await lockAccountRow(transaction, familyId);
      await endOffersAndReleaseHolds(transaction, familyId, [id]);
      recordAuditInTransaction(transaction, { action, familyId, objectId: familyId, ...actor });
    }),
  );
}

function findOwnOffer(person: Person, id: number) {
  return db.waitingListOffer.findFirst({
    where: { id, expiresAt: { gt: now() }, entry: { userId: person.id, endedAt: null } },
  });
}

/**
 * Returns the refusal for an offer that is not open. It is the same for another family's offer and for one that never
 * existed.
 */
async function offerRefusal(person: Person, id: number) {
  return (await db.waitingListOffer.count({ where: { id, entry: { userId: person.id } } })) === 1
    ? expiredOfferRefusal
    : unknownOfferRefusal;
}
