import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { findDraftsJson, intakeDraftProgress } from "../../intake/draft.server.ts";
import { bookServicePath } from "../../practice/site-links.ts";
import { formatShortDate, formatTimeWithZone } from "../../ui/dates.ts";
import { parseDraftSlot } from "../booking-form.server.ts";
import { type BookingDraft, parseDraft } from "../draft.server.ts";
import { findHold } from "../holds/family-hold.server.ts";
import { BOOKING_INTAKE_PATH, NEW_APPOINTMENT_PATH, PAYMENT_PATH } from "../paths.ts";

/** What a family has begun and not finished: a booking, its intake form, or both. */
export type UnfinishedBooking = {
  /** `path` is where the booking goes on; `time` in the practice's zone, `heldUntil` while the time is reserved. */
  booking: { title: string; path: string; time: { when: string; heldUntil: string | null } | null } | null;
  /** How many sections of a form that was begun and not sent are complete. */
  intake: { completed: number; total: number } | null;
};

type Known = { chosenService: string | null; hasIntake: boolean };

/**
 * What the family can pick up: the booking of its draft, or of the service it chose before signing in, and its intake
 * draft. Two queries at most.
 */
export async function findUnfinishedBooking(
  person: Person,
  { chosenService, hasIntake }: Known,
): Promise<UnfinishedBooking> {
  const drafts = await findDraftsJson(person);
  const draft = drafts.booking === undefined ? null : parseDraft(drafts.booking);
  return {
    booking: await unfinishedBooking(person, draft, { chosenService, hasIntake }),
    intake: drafts.intake === undefined ? null : intakeDraftProgress(drafts.intake),
  };
}

async function unfinishedBooking(person: Person, draft: BookingDraft | null, { chosenService, hasIntake }: Known) {
  if (!draft && !chosenService) return null;
  const title = chosenService ?? draft?.title ?? "";
  const slot = draft && draft.title === title ? parseDraftSlot(draft) : null;
  const isAhead = slot !== null && slot.start > now();
  const hold = isAhead ? await findHold(person, slot.start) : null;
  const { timeZone } = env.practice;
  return {
    title: title || "Your visit",
    path: chosenService ? bookServicePath(chosenService) : pathOf(draft ?? {}, { hasIntake, isHeld: hold !== null }),
    time: isAhead
      ? {
          when: `${formatShortDate(slot.start, timeZone)}, ${formatTimeWithZone(slot.start, timeZone)}`,
          heldUntil: hold && formatTimeWithZone(hold.expiresAt, timeZone),
        }
      : null,
  };
}

/** A booking goes on where it was left; without a reserved time it begins with choosing one. */
function pathOf(draft: BookingDraft, { hasIntake, isHeld }: { hasIntake: boolean; isHeld: boolean }): string {
  if (!isHeld) return NEW_APPOINTMENT_PATH;
  if (!hasIntake) return BOOKING_INTAKE_PATH;
  return draft.paymentMethod === "online" ? PAYMENT_PATH : NEW_APPOINTMENT_PATH;
}
