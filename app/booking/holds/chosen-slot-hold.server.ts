import { lockAccountRow } from "../../accounts/account-access.server.ts";
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

/** However often a hold is renewed, it ends this long after the time was chosen. */
const MAX_HOLD_MINUTES = 45;

type ChosenSlot = { appointmentDate: Date; duration: number; type: AppointmentType };

/**
 * Holds the slot that the family has chosen until it is booked, in place of any it has chosen before: 15 minutes, and
 * 45 in all for one start and four hours in all within 24; beyond them nothing is held. Checking the rules of booking is
 * the caller's. Refusals: conflict (taken or held for another family, or by the family's own payment in flight), tooMany
 * (20 canceled in seven days; new account, or its network, which `ip` names). `chosenAt` is when the time was first
 * held, where that hold has lapsed or a payment that failed has ended it: its 45 minutes go on. Source: docs/product.md, Holding a time.
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
    // Two tabs of one family choose one after the other: each sees the hold of the one before.
    await lockAccountRow(transaction, person.id);
    const previous = await transaction.hold.findFirst({ where, select: HOLD_COLUMNS });
    // Deleted first: the database then lets one writer of the calendar at a time go on.
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

/** Extends the family's hold, if it has one, to 15 minutes from now; never beyond 45 minutes after it began. */
export async function renewHold(person: Person): Promise<void> {
  const where = { chosenByUserId: person.id, expiresAt: { gt: now() } };
  const hold = await db.hold.findFirst({ where, select: HOLD_COLUMNS });
  if (!hold) return;
  const { id, expiresAt } = hold;
  // Only the row that was read: one that was replaced or ended in the meantime stays as it is.
  await db.hold.updateMany({ where: { id, expiresAt }, data: { expiresAt: latest(expiresAt, holdEnd(hold)) } });
}

/** Since when the family held the slot that begins at `start` (UTC), where its 45 minutes are not over; else null. */
export async function findLapsedHold(person: Person, start: Date): Promise<Date | null> {
  const heldAfter = new Date(now().getTime() - MAX_HOLD_MINUTES * MINUTE_MS);
  const where = { chosenByUserId: person.id, appointmentDate: start, expiresAt: { lte: now() } };
  const hold = await db.hold.findFirst({ where: { ...where, heldSince: { gt: heldAfter } }, select: HOLD_COLUMNS });
  return hold?.heldSince ?? null;
}

/**
 * The family's own hold of the slot that begins at `start`, by its choice or its open payment (UTC); null without one, and
 * once the slot has begun.
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

/** Ends the hold of a booking that was given up or is done; a payment's own hold stays. */
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

/** Since when a hold that begins now counts as held: earlier, so that it ends with what is left of the family's budget. */
async function startHoldWithinLimit(transaction: Transaction, userId: number): Promise<Date> {
  const minutes = await spendHoldBudget(transaction, userId, MAX_HOLD_MINUTES);
  return new Date(now().getTime() - (MAX_HOLD_MINUTES - minutes) * MINUTE_MS);
}

/** The minutes of a hold that were reserved and are left after its end. */
function unusedMinutes({ heldSince, expiresAt }: { heldSince: Date; expiresAt: Date }): number {
  const end = Math.min(now().getTime(), expiresAt.getTime());
  return MAX_HOLD_MINUTES - Math.ceil((end - heldSince.getTime()) / MINUTE_MS);
}

const HOLD_COLUMNS = { id: true, appointmentDate: true, heldSince: true, expiresAt: true } as const;

/** A hold ends at the latest when its time begins, which can't be booked anymore then. */
function holdEnd({ heldSince, appointmentDate }: { heldSince: Date; appointmentDate: Date }): Date {
  const latest = heldSince.getTime() + MAX_HOLD_MINUTES * MINUTE_MS;
  return new Date(Math.min(now().getTime() + HOLD_MINUTES * MINUTE_MS, latest, appointmentDate.getTime()));
}

/** Until when the waiting list holds this start for the family; null when it is not offered to it. */
async function findOfferEnd(transaction: Transaction, userId: number, appointmentDate: Date): Promise<Date | null> {
  const where = { appointmentDate, expiresAt: { gt: now() }, entry: { userId } };
  return (await transaction.waitingListOffer.findFirst({ where, select: { expiresAt: true } }))?.expiresAt ?? null;
}

function latest(one: Date, other: Date | null): Date {
  return other && other > one ? other : one;
}
