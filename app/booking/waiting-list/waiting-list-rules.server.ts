import { now } from "../../clock.ts";
import { MINUTE_MS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { invalidField, type Refusal } from "../../http/outcome.ts";
import { getCachedSchedulingRules } from "../../practice/practice-settings.server.ts";
import { findOfficeHours } from "../availability/hours-overrides.server.ts";
import { wallTimeToInstant } from "../wall-time.ts";
import { computeOfferExpiry, OFFER_LIFETIME_MS } from "./offer-expiry.ts";

/**
 * Returns the earliest start (an instant) that can be offered now. The family has at least two hours to respond, and
 * the required notice follows.
 */
export async function earliestOfferableStart(): Promise<Date> {
  const { noticeMinutes } = await getCachedSchedulingRules();
  return new Date(now().getTime() + OFFER_LIFETIME_MS + noticeMinutes * MINUTE_MS);
}

/** Returns until when a visit at `start` is held for the family that it is offered to now. */
export async function findOfferExpiry(start: Date): Promise<Date> {
  const { noticeMinutes } = await getCachedSchedulingRules();
  const bookableUntil = new Date(start.getTime() - noticeMinutes * MINUTE_MS);
  return computeOfferExpiry({ offeredAt: now(), bookableUntil, zone: env.practice.timeZone });
}

/**
 * Returns why nobody can wait for a visit of `duration` minutes on `day` ("2026-12-07", in the practice's time zone),
 * regardless of bookings; null when families can wait. Refusal: invalid (closed, too late, hours too short).
 */
export async function checkWaitingListRules(day: string, duration: number): Promise<Refusal | null> {
  const hours = await findOfficeHours(day);
  if (!hours) return invalidField("day", "We are closed that day. Choose another one.");
  const lastStart = wallTimeToInstant(day, Math.max(hours.opens, hours.closes - duration), env.practice.timeZone);
  if (!lastStart || lastStart < (await earliestOfferableStart()))
    return invalidField("day", "It is too late to join the list for that day. Choose a later one, or call us.");
  return hours.closes - hours.opens < duration
    ? invalidField("duration", "We are not open that long on that day. Choose a shorter visit.")
    : null;
}
