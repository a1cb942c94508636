import { env } from "../env.server.ts";
import { cachedPracticeDetails } from "../practice/practice-details.server.ts";
import { LOCATION } from "../practice/site-content.ts";
import { isBeforeSelfServiceDeadline } from "./self-service-deadline.ts";

/** Where families meet the consultant in person: the place that is set, else the area. */
export function meetingPlace(): string {
  return cachedPracticeDetails().meetingPlace ?? `${LOCATION} area`;
}

/** A promise of the practice to a family, to agree on `what`; the visit's page reminds the consultant of it. */
export const agreeByDayBefore = (what = "the exact place") =>
  `We'll call or email you by the day before to agree on ${what}.`;

/**
 * Who tells a family the exact place of its visit in person, and by when, in a sentence that speaks of `what`; null where
 * the place is set.
 */
export function exactPlaceText(visit: { appointmentDate: Date }, now: Date, what = "the exact place"): string | null {
  if (cachedPracticeDetails().meetingPlace !== null) return null;
  return isBeforeSelfServiceDeadline(visit, now)
    ? agreeByDayBefore(what)
    : `We'll agree on ${what} with you. If you don't know it yet, please call us at ${env.practice.phone}.`;
}

/** The same an hour before: too late to agree on anything. */
export const agreedPlaceText = () =>
  `Where you agreed with your consultant. Not sure? Please call ${env.practice.phone} now.`;

/** Where a visit in person takes place, in sentences for the family. */
export function inPersonText(visit: { appointmentDate: Date }, now: Date): string {
  const exactPlace = exactPlaceText(visit, now);
  return `In person, ${meetingPlace()}${exactPlace === null ? "" : `. ${exactPlace}`}`;
}
