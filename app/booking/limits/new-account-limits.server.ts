import { DAY_MS } from "../../time-units.ts";
import { isNewAccount } from "../../accounts/new-account.server.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import type { Refusal } from "../../http/outcome.ts";
import type { Transaction } from "../../db/database-client.server.ts";
import { endTime } from "../booking-rules.ts";
import { isSameWeek } from "./network-limits.server.ts";
import { rateLimitRefusal } from "./rate-limit-refusal.server.ts";
import { toWallTime } from "../wall-time.ts";

/** Maximum number of unpaid upcoming visits, and separately of holds, including payments in flight. */
const MAX_UNPAID_VISITS = 2;
const MAX_MINUTES_PER_WEEK = 480;
const MAX_EMERGENCIES_PER_DAY = 1;

const WEEK_MS = 7 * DAY_MS;

type Visit = { start: Date; duration: number; type: string };
/**
 * `movedFrom` is the previous start of a moved visit. A move within a week or a day does not count against that week's
 * or day's limit. `isHold`: the slot is only held, not booked yet.
 */
export type RequestedSlot = { appointmentDate: Date; type: string; movedFrom?: Date; isHold?: boolean };

/**
 * Checks whether the limits of new accounts apply to this family, because its first visit has not taken place. Always
 * false with RATE_LIMITS=off.
 */
export async function hasNewAccountLimits(transaction: Transaction, userId: number): Promise<boolean> {
  return env.isRateLimitingEnabled && isNewAccount(userId, transaction);
}

/**
 * Returns a refusal (tooMany) when a family whose first visit has not taken place exceeds its limits, otherwise null:
 * two unpaid upcoming visits, two holds (including payments in flight), 480 minutes a week (Monday to Sunday), one
 * emergency a day. Weeks and days are in the practice's time zone. Call it only if `hasNewAccountLimits`, in the
 * transaction that has written `requested`: calendar writes are serialized, so no concurrent booking is missed. Source:
 * docs/decisions/0017.
 */
export async function checkNewAccountBookingLimits(
  transaction: Transaction,
  userId: number,
  requested: RequestedSlot,
): Promise<Refusal | null> {
  const { booked, unpaid } = await findBookedAndUnpaidVisits(transaction, userId);
  const held = await findHeldVisits(transaction, userId);
  const visits = [...booked, ...held];
  const message = limitMessage(requested, { visits, unpaid: unpaid.length, payments: held.length });
  if (message === null) return null;
  const ends = visits.map((visit) => endTime(visit).getTime()).filter((end) => end > now().getTime());
  return rateLimitRefusal(
    new Date(Math.min(...ends)),
    `Until your first visit has taken place, ${message} Please call us at ${env.practice.phone}.`,
  );
}

type CountedBookings = { visits: Visit[]; unpaid: number; payments: number };

function limitMessage(
  { appointmentDate, type, movedFrom }: RequestedSlot,
  { visits, unpaid, payments }: CountedBookings,
): string | null {
  const requestedDay = toPracticeDay(appointmentDate);
  const formerDay = movedFrom && toPracticeDay(movedFrom);
  const inWeek = visits.filter(({ start }) => isSameWeek(start, appointmentDate));
  const minutes = inWeek.reduce((sum, { duration }) => sum + duration, 0);
  const emergencies = visits.filter(
    (visit) => visit.type === "emergency" && toPracticeDay(visit.start) === requestedDay,
  ).length;
  if (type === "emergency" && formerDay !== requestedDay && emergencies > MAX_EMERGENCIES_PER_DAY)
    return "you can book one emergency session a day. If you need us sooner, we'll find a way together.";
  const wasInSameWeek = movedFrom !== undefined && isSameWeek(movedFrom, appointmentDate);
  if (!wasInSameWeek && minutes > MAX_MINUTES_PER_WEEK)
    return `you can book ${MAX_MINUTES_PER_WEEK / 60} hours a week. If you need more, we'll plan it together.`;
  if (movedFrom) return null;
  if (unpaid > MAX_UNPAID_VISITS)
    return `you can have ${MAX_UNPAID_VISITS} upcoming visits that aren't paid yet. If you need more, we'll plan it together.`;
  if (payments > MAX_UNPAID_VISITS)
    return `you can have ${MAX_UNPAID_VISITS} payments in progress. Finish one of them first, or wait 15 minutes.`;
  return null;
}

function toPracticeDay(instant: Date): string {
  return toWallTime(instant, env.practice.timeZone).day;
}

/** Returns the appointments since a week ago, and those of them that are upcoming and unpaid. */
async function findBookedAndUnpaidVisits(transaction: Transaction, userId: number) {
  const rows = await transaction.appointment.findMany({
    where: { userId, status: { not: "cancelled" }, appointmentDate: { gt: new Date(now().getTime() - WEEK_MS) } },
    select: { appointmentDate: true, duration: true, type: true, paymentId: true, paymentMethod: true },
  });
  const booked = rows.map(({ appointmentDate: start, ...row }) => ({ start, ...row }));
  // Card payments don't count as unpaid: they are charged within seconds of booking, or the appointment is canceled.
  const unpaid = booked.filter(
    ({ start, paymentId, paymentMethod }) => start > now() && paymentId === null && paymentMethod !== "online",
  );
  return { booked, unpaid };
}

async function findHeldVisits(transaction: Transaction, userId: number): Promise<Visit[]> {
  const rows = await transaction.hold.findMany({
    where: { userId, expiresAt: { gt: now() } },
    select: { appointmentDate: true, duration: true, type: true },
  });
  return rows.map(({ appointmentDate: start, duration, type }) => ({ start, duration, type }));
}
