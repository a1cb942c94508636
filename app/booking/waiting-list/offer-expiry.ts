import { HOUR_MS } from "../../time-units.ts";
import { nextDay, startOfDay, toWallTime, wallTimeToInstant } from "../wall-time.ts";

/**
 * How long a freed time is held for the family that it is offered to, not counting nights. Source: docs/product.md,
 * Waiting list.
 */
export const OFFER_LIFETIME_MS = 2 * HOUR_MS;

/** The hours that count, in minutes after midnight in the practice's time zone: a family that sleeps can't respond. */
const COUNTED_FROM_MINUTES = 8 * 60;
const COUNTED_UNTIL_MINUTES = 21 * 60;

type OfferTimes = {
  offeredAt: Date;
  /** Last instant at which the offered visit can be booked. */
  bookableUntil: Date;
  zone: string;
};

/** Returns when an offer ends: after two hours between 8 AM and 9 PM, at the latest at `bookableUntil`. */
export function computeOfferExpiry({ offeredAt, bookableUntil, zone }: OfferTimes): Date {
  const instantOn = (day: string, minutes: number) =>
    (wallTimeToInstant(day, minutes, zone) ?? startOfDay(day, zone)).getTime();
  let msLeft = OFFER_LIFETIME_MS;
  for (let { day } = toWallTime(offeredAt, zone); ; day = nextDay(day)) {
    const from = Math.max(offeredAt.getTime(), instantOn(day, COUNTED_FROM_MINUTES));
    const countedMs = Math.max(0, instantOn(day, COUNTED_UNTIL_MINUTES) - from);
    if (countedMs >= msLeft) return new Date(Math.min(from + msLeft, bookableUntil.getTime()));
    msLeft -= countedMs;
  }
}
