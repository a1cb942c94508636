import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { findAllFormDraftsJson, intakeDraftProgress } from "../../intake/intake-draft.server.ts";
import { buildServiceBookingPath } from "../../practice/site-links.ts";
import { formatShortDate, formatTimeWithZone } from "../../ui/format-date-time.ts";
import { parseDraftSlot } from "../booking-form.server.ts";
import { type BookingDraft, parseBookingDraft } from "../booking-draft.server.ts";
import { checkAvailability } from "../availability/availability.server.ts";
import { findActiveHoldAt } from "../holds/chosen-slot-hold.server.ts";
import { formatHoldEnd } from "../holds/format-hold-end.server.ts";
import { BOOKING_INTAKE_PATH, NEW_APPOINTMENT_PATH, PAYMENT_PATH } from "../appointment-paths.ts";
import { SLOT_TAKEN_MESSAGE, type SlotRequest } from "../booking-rules.ts";

/** Status of a chosen time in sentences, and whether another time must be chosen. */
type ChosenTime = { text: string; isUnavailable: boolean };

/** What a family has begun and not finished: a booking, its intake form, or both. */
export type UnfinishedBooking = {
  /** `path` is the page on which the booking continues. */
  booking: { title: string; path: string; time: ChosenTime | null } | null;
  /** How many sections of a started intake form that was not submitted are complete. */
  intake: { completedCount: number; total: number } | null;
};

type UnfinishedBookingOptions = { chosenService: string | null; hasIntake: boolean };

/**
 * Returns what the family can continue: the booking of its draft, or of the service it chose before signing in, and its
 * intake draft. At most four queries.
 */
export async function findUnfinishedBookingAndIntake(
  person: Person,
  { chosenService, hasIntake }: UnfinishedBookingOptions,
): Promise<UnfinishedBooking> {
  const drafts = await findAllFormDraftsJson(person);
  const draft = drafts.booking === undefined ? null : parseBookingDraft(drafts.booking);
  return {
    booking: await describeUnfinishedBooking(person, draft, { chosenService, hasIntake }),
    intake: drafts.intake === undefined ? null : intakeDraftProgress(drafts.intake),
  };
}

async function describeUnfinishedBooking(
  person: Person,
  draft: BookingDraft | null,
  { chosenService, hasIntake }: UnfinishedBookingOptions,
) {
  if (!draft && !chosenService) return null;
  const title = chosenService ?? draft?.title ?? "";
  const slot = draft && draft.title === title ? parseDraftSlot(draft) : null;
  const isUpcoming = slot !== null && slot.start > now();
  const hold = isUpcoming ? await findActiveHoldAt(person, slot.start) : null;
  return {
    title: title || "Your visit",
    path: chosenService
      ? buildServiceBookingPath(chosenService)
      : resumeBookingPath(draft ?? {}, { hasIntake, isHeld: hold !== null }),
    time: isUpcoming ? await describeChosenTime(person, slot, hold) : null,
  };
}

async function describeChosenTime(
  person: Person,
  slot: SlotRequest,
  hold: { expiresAt: Date } | null,
): Promise<ChosenTime> {
  const { timeZone } = env.practice;
  const when = `${formatShortDate(slot.start, timeZone)}, ${formatTimeWithZone(slot.start, timeZone)}`;
  const toAvailableTime = (text: string) => ({ text, isUnavailable: false });
  if (hold) return toAvailableTime(`${when}, held for you until ${formatHoldEnd(hold.expiresAt)}.`);
  const { available, reason } = await checkAvailability(slot, person.id);
  if (available) return toAvailableTime(`You chose ${when}. It's still free, but we're not holding it.`);
  const end = reason === SLOT_TAKEN_MESSAGE ? "was taken" : "can't be booked anymore";
  return { text: `${when} ${end}. Everything else is saved.`, isUnavailable: true };
}

/**
 * Returns the page on which a booking continues: the dialog if it was not submitted, or if no time is held and another
 * may have to be chosen.
 */
function resumeBookingPath(
  draft: BookingDraft,
  { hasIntake, isHeld }: { hasIntake: boolean; isHeld: boolean },
): string {
  if (!isHeld || !draft.isSubmitted) return NEW_APPOINTMENT_PATH;
  if (!hasIntake) return BOOKING_INTAKE_PATH;
  return draft.paymentMethod === "online" ? PAYMENT_PATH : NEW_APPOINTMENT_PATH;
}
