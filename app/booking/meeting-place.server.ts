import { env } from "../env.server.ts";
import { cachedPracticeDetails } from "../practice/practice-details.server.ts";
import { PRACTICE_LOCATION } from "../practice/site-content.ts";
import { isBeforeSelfServiceDeadline } from "./self-service-deadline.ts";
import { ownPlace } from "./visit-kind.ts";

/**
 * A visit's own place. `practicePlace` is the practice's; without it, the cached one counts, which another process may
 * have changed a few seconds ago.
 */
export type Places = { place: string | null; practicePlace?: string | null };

type PlacedVisit = Parameters<typeof ownPlace>[0] & Places;

/**
 * Returns the place of an in-person visit: its own, otherwise the one configured for the practice. Null if it still has
 * to be agreed on.
 */
export function agreedPlace(visit: PlacedVisit): string | null {
  const { practicePlace = cachedPracticeDetails().meetingPlace } = visit;
  return ownPlace(visit) ?? practicePlace;
}

/** Checks whether the visit's agreed place is another one than it was with its former places. */
export function isAgreedPlaceChanged(visit: PlacedVisit, { place, practicePlace }: Places): boolean {
  return agreedPlace(visit) !== agreedPlace({ ...visit, place, practicePlace });
}

/** Returns where a family meets the consultant in person: the agreed place, otherwise the area. */
export function meetingPlace(visit: PlacedVisit): string {
  return agreedPlace(visit) ?? `${PRACTICE_LOCATION} area`;
}

/** Returns the practice's promise to a family to agree on `what`. The visit's page reminds the consultant of it. */
export const agreeByDayBeforeText = (what = "the exact place") =>
  `We'll call or email you by the day before to agree on ${what}.`;

/**
 * Returns a sentence about `what` that says who tells a family the exact place of an in-person visit, and by when; null
 * when the place is agreed.
 */
export function pendingExactPlaceText(
  visit: PlacedVisit & { appointmentDate: Date },
  now: Date,
  what = "the exact place",
): string | null {
  if (agreedPlace(visit) !== null) return null;
  return isBeforeSelfServiceDeadline(visit, now)
    ? agreeByDayBeforeText(what)
    : `We'll agree on ${what} with you. If you don't know it yet, please call us at ${env.practice.phone}.`;
}

/** Returns the text about the place for the reminder one hour before, when it is too late to agree on one. */
export const unrecordedPlaceText = () =>
  `Where you agreed with your consultant. Not sure? Please call ${env.practice.phone} now.`;

/** Returns sentences for the family that say where an in-person visit takes place. */
export function inPersonPlaceText(visit: PlacedVisit & { appointmentDate: Date }, now: Date): string {
  const exactPlace = pendingExactPlaceText(visit, now);
  return `In person, ${meetingPlace(visit)}${exactPlace === null ? "" : `. ${exactPlace}`}`;
}
