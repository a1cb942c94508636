import { lockAccountRow } from "../../accounts/account-lock.server.ts";
import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db, inTransaction, type Transaction } from "../../db/client.server.ts";
import { MINUTE_MS } from "../../duration.ts";
import type { Refusal } from "../../http/outcome.ts";
import { enqueueCalendarWrite } from "../availability/calendar-write-queue.server.ts";
import { checkCancellationLimit } from "../limits/cancellation-limit.server.ts";
import { HOLD_MINUTES } from "./hold-duration.ts";
import { releaseObsoleteHolds } from "./release-holds.server.ts";
import { spendHoldBudget, creditHoldBudget } from "./hold-budget.server.ts";
import { bookingNetworks, checkNetworkHoldLimit } from "../limits/network-limits.server.ts";
import { checkNewAccountLimit, checkNewAccountQuota, isLimitedAccount } from "../limits/new-account-limits.server.ts";
import { rollbackIf, tryTransaction } from "../rollback.server.ts";
import type { AppointmentType } from "../rules.ts";

/** Maximum minutes of a hold since the time was chosen, regardless of renewals. */
const MAX_HOLD_MINUTES = 45;

type ChosenSlot = { appointmentDate: Date; duration: number; type: AppointmentType };

/**
 * Holds the slot that the family has chosen until it is booked, replacing the slot it chose before. A hold lasts 15
 * minutes, at most 45 in total for one start and four hours in total within 24; beyond that, nothing is held. The
 * caller must check the booking rules. `ip` identifies the network. Refusals: conflict (taken, held for another family,
 * or held by the family's own payment in flight), tooMany (20 canceled in seven days, or the limits of a new account
 * and of its network). `chosenAt` is when the time was first held, if that hold has lapsed or was ended by a failed
 * payment: its 45 minutes continue. Source: docs/product.md, Holding a time.
 */
export function holdSlot(person: Person, slot: ChosenSlot, ip: string, chosenAt?: Date): Promise<Refusal | null> {
  return enqueueCalendarWrite(() => insertHold(person, slot, ip, chosenAt));
}

async function insertHold(
  person: Person,
  slot: ChosenSlot,
  ip: string,
  chosenAt: Date | undefined,
): Promise<Refusal | null> {
  const { appointmentDate, duration, type } = slot;
  const where = { chosenByUserId: person.id };
  const held = await tryTransaction(async (transaction) => {
    // Serializes two tabs of one family, so that each request sees the hold of the previous one.
    await lockAccountRow(transaction, person.id);
    const previous = await transaction.hold.findFirst({ where, select: HOLD_COLUMNS });
    // Deletes first, so that the database admits one writer of the calendar at a time.
    await transaction.hold.deleteMany({ where });
    rollbackIf(await checkCancellationLimit(transaction, person.id));
    await releaseObsoleteHolds(transaction, slot, { userId: person.id });
    const isSameStart = previous?.appointmentDate.getTime() === appointmentDate.getTime();
    const isContinued =
      previous && isSameStart && (previous.expiresAt > now() || previous.heldSince.getTime() === chosenAt?.getTime());
    if (previous && !isContinued) await creditHoldBudget(transaction, person.id, unusedMinutes(previous));
    const heldSince =
      chosenAt ?? (isContinued ? previous.heldSince : await startHoldWithinLimit(transaction, person.id));
    const offerEndsAt = await findOfferEnd(transaction, person.id, appointmentDate);
    const expiresAt = latest(holdEnd({ heldSince, appointmentDate }), offerEndsAt);
    if (expiresAt <= now()) return;
    const isLimited = await isLimitedAccount(transaction, person.id);
    await transaction.hold.create({
      data: {
        userId: person.id,
        chosenByUserId: person.id,
        appointmentDate,
        duration,
        type,
        heldSince,
        expiresAt,
        ...(isLimited ? bookingNetworks(ip) : {}),
      },
      select: { id: true },
    });
    if (isLimited)
      rollbackIf(
        (await checkNewAccountLimit(transaction, person.id, slot)) ??
          (await checkNetworkHoldLimit(transaction, ip)) ??
          (await checkNewAccountQuota(transaction, { ...slot, isHold: true })),
      );
  });
  return held.ok ? null : held;
}

/** Extends the family's hold, if it has one, to 15 minutes from now, but not beyond 45 minutes after it began. */
export async function renewHold(person: Person): Promise<void> {
  const where = { chosenByUserId: person.id, expiresAt: { gt: now() } };
  const hold = await db.hold.findFirst({ where, select: HOLD_COLUMNS });
  if (!hold) return;
  const { id, expiresAt } = hold;
  // Updates only the row that was read, not a hold that was replaced or ended meanwhile.
  await db.hold.updateMany({ where: { id, expiresAt }, data: { expiresAt: latest(expiresAt, holdEnd(hold)) } });
}

/**
 * Returns since when the family held the slot that begins at `start` (UTC), if that hold has lapsed and its 45 minutes
 * are not used up; otherwise null.
 */
export async function findLapsedHoldStart(person: Person, start: Date): Promise<Date | null> {
  const heldAfter = new Date(now().getTime() - MAX_HOLD_MINUTES * MINUTE_MS);
  const where = { chosenByUserId: person.id, appointmentDate: start, expiresAt: { lte: now() } };
  const hold = await db.hold.findFirst({ where: { ...where, heldSince: { gt: heldAfter } }, select: HOLD_COLUMNS });
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
  await enqueueCalendarWrite(() => endHold(person));
}

async function endHold(person: Person): Promise<void> {
  const where = { chosenByUserId: person.id };
  await inTransaction(async (transaction) => {
    await lockAccountRow(transaction, person.id);
    const hold = await transaction.hold.findFirst({ where, select: HOLD_COLUMNS });
    const { count } = await transaction.hold.deleteMany({ where });
    if (hold && count > 0) await creditHoldBudget(transaction, person.id, unusedMinutes(hold));
  });
}

/**
 * Returns since when a hold that begins now counts as held. The value is in the past if the family's budget is nearly
 * used up, so that the hold ends with the budget.
 */
async function startHoldWithinLimit(transaction: Transaction, userId: number): Promise<Date> {
  const minutes = await spendHoldBudget(transaction, userId, MAX_HOLD_MINUTES);
  return new Date(now().getTime() - (MAX_HOLD_MINUTES - minutes) * MINUTE_MS);
}

/** Returns the minutes that were reserved for a hold and not used. */
function unusedMinutes({ heldSince, expiresAt }: { heldSince: Date; expiresAt: Date }): number {
  const end = Math.min(now().getTime(), expiresAt.getTime());
  return MAX_HOLD_MINUTES - Math.ceil((end - heldSince.getTime()) / MINUTE_MS);
}

const HOLD_COLUMNS = { id: true, appointmentDate: true, heldSince: true, expiresAt: true } as const;

/** Returns when a hold ends: at the latest when its slot begins, because the slot can't be booked after that. */
function holdEnd({ heldSince, appointmentDate }: { heldSince: Date; appointmentDate: Date }): Date {
  const latest = heldSince.getTime() + MAX_HOLD_MINUTES * MINUTE_MS;
  return new Date(Math.min(now().getTime() + HOLD_MINUTES * MINUTE_MS, latest, appointmentDate.getTime()));
}

/** Returns until when the waiting list holds this start for the family; null when it is not offered to the family. */
async function findOfferEnd(transaction: Transaction, userId: number, appointmentDate: Date): Promise<Date | null> {
  const where = { appointmentDate, expiresAt: { gt: now() }, entry: { userId } };
  return (await transaction.waitingListOffer.findFirst({ where, select: { expiresAt: true } }))?.expiresAt ?? null;
}

function latest(one: Date, other: Date | null): Date {
  return other && other > one ? other : one;
}
