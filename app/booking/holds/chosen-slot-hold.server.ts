import { lockAccountRow } from "../../accounts/lock-account-row.server.ts";
import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db, inTransaction, type Transaction } from "../../db/database-client.server.ts";
import { MINUTE_MS } from "../../time-units.ts";
import type { Refusal } from "../../http/outcome.ts";
import { enqueueCalendarWrite } from "../availability/calendar-write-queue.server.ts";
import { checkCancellationLimit } from "../limits/cancellation-limit.server.ts";
import { HOLD_MINUTES } from "./hold-duration.ts";
import { releaseObsoleteHolds } from "./release-holds.server.ts";
import { creditUnusedHoldBudget, MAX_HOLD_MINUTES, reserveHoldBudget } from "./hold-budget.server.ts";
import { bookingNetworkHashes, checkNetworkHoldLimit } from "../limits/network-limits.server.ts";
import { checkNewAccountBookingLimits, hasNewAccountLimits } from "../limits/new-account-limits.server.ts";
import { checkUnpaidVisitQuota } from "../limits/new-account-quota.server.ts";
import { rollbackIf, tryTransaction } from "../rollback.server.ts";
import type { AppointmentType } from "../booking-rules.ts";

/** The only type of visit that the waiting list offers. */
const OFFERED_TYPE: AppointmentType = "consultation";

type ChosenSlot = { appointmentDate: Date; duration: number; type: AppointmentType };
/**
 * A hold of the same time whose 45 minutes continue, because it has lapsed (`isLapsed`) or was ended by a failed payment.
 * `heldSince` is when it began. What is left of it after a payment is reserved again.
 */
type ContinuedHold = { heldSince: Date; isLapsed: boolean };

/**
 * Holds the slot that the family has chosen until it is booked, replacing the slot it chose before. A hold lasts 15
 * minutes, at most 45 in total for one start and four hours in total within 24; beyond that, nothing is held. The
 * caller must check the booking rules. `ip` identifies the network. Refusals: conflict (taken, held for another family,
 * or held by the family's own payment in flight), tooMany (20 canceled in seven days, or the limits of a new account
 * and of its network). An offered time of the waiting list is held until the offer ends, if that is later. Source:
 * docs/product.md, Holding a time.
 */
export function holdChosenSlot(
  person: Person,
  slot: ChosenSlot,
  ip: string,
  continuedHold: ContinuedHold | null = null,
): Promise<Refusal | null> {
  return enqueueCalendarWrite(() => replaceChosenSlotHold(person, slot, ip, continuedHold));
}

async function replaceChosenSlotHold(
  person: Person,
  slot: ChosenSlot,
  ip: string,
  continuedHold: ContinuedHold | null,
): Promise<Refusal | null> {
  const { appointmentDate, duration, type } = slot;
  const where = { chosenByUserId: person.id };
  const result = await tryTransaction(async (transaction) => {
    // Serializes two tabs of one family, so that each request sees the hold of the previous one.
    await lockAccountRow(transaction, person.id);
    const existingHold = await transaction.hold.findFirst({ where, select: HOLD_SELECT });
    // Another request has released or replaced the lapsed hold.
    if (continuedHold?.isLapsed && existingHold?.heldSince.getTime() !== continuedHold.heldSince.getTime()) return;
    // Deletes first, because that serializes the writers of the calendar.
    const { count } = await transaction.hold.deleteMany({ where });
    // A payment that has begun meanwhile may have released the hold, and credited its minutes.
    const replacedHold = count > 0 ? existingHold : null;
    rollbackIf(await checkCancellationLimit(transaction, person.id));
    await releaseObsoleteHolds(transaction, slot, { userId: person.id });
    const isSameStart = replacedHold?.appointmentDate.getTime() === appointmentDate.getTime();
    const isContinued =
      replacedHold &&
      isSameStart &&
      (replacedHold.expiresAt > now() || replacedHold.heldSince.getTime() === continuedHold?.heldSince.getTime());
    if (replacedHold && !isContinued) await creditUnusedHoldBudget(transaction, person.id, replacedHold);
    const heldSince = isContinued
      ? replacedHold.heldSince
      : await reserveHoldBudget(transaction, person.id, continuedHold?.heldSince ?? null);
    const offer = await findOpenOfferForSlot(transaction, person.id, slot);
    const expiresAt = laterDate(computeHoldExpiry({ heldSince, appointmentDate }), offer?.expiresAt ?? null);
    if (expiresAt <= now()) return;
    const isLimited = await hasNewAccountLimits(transaction, person.id);
    await transaction.hold.create({
      data: {
        userId: person.id,
        chosenByUserId: person.id,
        // Ends with the offer.
        offerId: offer?.id ?? null,
        appointmentDate,
        duration,
        type,
        heldSince,
        expiresAt,
        ...(isLimited ? bookingNetworkHashes(ip) : {}),
      },
      select: { id: true },
    });
    if (isLimited)
      rollbackIf(
        (await checkNewAccountBookingLimits(transaction, person.id, slot)) ??
          (await checkNetworkHoldLimit(transaction, ip)) ??
          (await checkUnpaidVisitQuota(transaction, { ...slot, isHold: true })),
      );
  });
  return result.ok ? null : result;
}

/** Extends the family's hold, if it has one, to 15 minutes from now, but not beyond 45 minutes after it began. */
export async function renewHold(person: Person): Promise<void> {
  const where = { chosenByUserId: person.id, expiresAt: { gt: now() } };
  const hold = await db.hold.findFirst({ where, select: HOLD_SELECT });
  if (!hold) return;
  const { id, expiresAt } = hold;
  // Updates only the row that was read, not a hold that was replaced or ended meanwhile.
  await db.hold.updateMany({
    where: { id, expiresAt },
    data: { expiresAt: laterDate(expiresAt, computeHoldExpiry(hold)) },
  });
}

/**
 * Returns since when the family held the slot that begins at `start` (UTC), if that hold has lapsed and its 45 minutes
 * are not used up; otherwise null.
 */
export async function findLapsedHoldStart(person: Person, start: Date): Promise<Date | null> {
  const heldAfter = new Date(now().getTime() - MAX_HOLD_MINUTES * MINUTE_MS);
  const where = { chosenByUserId: person.id, appointmentDate: start, expiresAt: { lte: now() } };
  const hold = await db.hold.findFirst({ where: { ...where, heldSince: { gt: heldAfter } }, select: HOLD_SELECT });
  return hold?.heldSince ?? null;
}

/**
 * Returns the family's current hold of the slot that begins at `start` (UTC), from choosing the time or from an open
 * payment. Returns null if there is none, or if the slot has begun.
 */
export async function findActiveHoldAt(
  person: Person,
  start: Date,
): Promise<{ expiresAt: Date; heldSince: Date } | null> {
  if (start <= now()) return null;
  return db.hold.findFirst({
    where: { userId: person.id, appointmentDate: start, expiresAt: { gt: now() } },
    select: { expiresAt: true, heldSince: true },
  });
}

/** Releases the hold of a booking that was discarded or completed. The hold of a payment is kept. */
export async function releaseChosenSlotHold(person: Person): Promise<void> {
  const where = { chosenByUserId: person.id };
  if (!(await db.hold.findFirst({ where, select: { id: true } }))) return;
  await enqueueCalendarWrite(() => deleteHoldAndCreditBudget(person));
}

async function deleteHoldAndCreditBudget(person: Person): Promise<void> {
  const where = { chosenByUserId: person.id };
  await inTransaction(async (transaction) => {
    await lockAccountRow(transaction, person.id);
    const hold = await transaction.hold.findFirst({ where, select: HOLD_SELECT });
    const { count } = await transaction.hold.deleteMany({ where });
    if (hold && count > 0) await creditUnusedHoldBudget(transaction, person.id, hold);
  });
}

const HOLD_SELECT = { id: true, appointmentDate: true, heldSince: true, expiresAt: true } as const;

/** Returns when a hold ends: at the latest when its slot begins, because the slot can't be booked after that. */
function computeHoldExpiry({ heldSince, appointmentDate }: { heldSince: Date; appointmentDate: Date }): Date {
  const lastEnd = heldSince.getTime() + MAX_HOLD_MINUTES * MINUTE_MS;
  return new Date(Math.min(now().getTime() + HOLD_MINUTES * MINUTE_MS, lastEnd, appointmentDate.getTime()));
}

/** Returns the family's open offer of the waiting list that contains the slot; null if there is none. */
async function findOpenOfferForSlot(
  transaction: Transaction,
  userId: number,
  { appointmentDate, duration, type }: ChosenSlot,
): Promise<{ id: number; expiresAt: Date } | null> {
  if (type !== OFFERED_TYPE) return null;
  const where = { appointmentDate, duration: { gte: duration }, expiresAt: { gt: now() }, entry: { userId } };
  return transaction.waitingListOffer.findFirst({ where, select: { id: true, expiresAt: true } });
}

function laterDate(a: Date, b: Date | null): Date {
  return b && b > a ? b : a;
}
