import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { formatShortDateTime } from "../../ui/format-date-time.ts";
import { checkAvailability } from "../availability/availability.server.ts";
import { describeUnavailableSlot, type UnavailableSlotDescription } from "../availability/unavailable-slot.server.ts";
import { findNearestTimes, type NearestTime } from "../availability/nearest-times.server.ts";
import type { BookingDraft } from "../booking-draft.server.ts";
import { parseDraftSlot } from "../booking-form.server.ts";
import { findActiveHoldAt, findLapsedHoldStart } from "./chosen-slot-hold.server.ts";
import { formatHoldEnd } from "./format-hold-end.server.ts";

/** Status of the time in a family's draft, as shown to the family. */
export type ChosenSlotStatus =
  | { state: "held"; when: string; until: string; msLeft: number }
  /**
   * Not held. With `isHeldOnSave`, the next saved step holds it again; otherwise it is not held before it is booked.
   */
  | { state: "open"; when: string; isHeldOnSave: boolean }
  | LostSlot;

export type LostSlot = { state: "lost"; nearest: NearestTime[] } & UnavailableSlotDescription;

/**
 * Returns whether the draft's time is held for the family, open but not held, or lost (with the nearest free times).
 * Returns null when the draft has no time.
 */
export async function loadChosenSlotStatus(person: Person, draft: BookingDraft): Promise<ChosenSlotStatus | null> {
  const slot = parseDraftSlot(draft);
  if (!slot) return null;
  const { timeZone } = env.practice;
  const when = formatShortDateTime(slot.start, timeZone);
  const end = (await findActiveHoldAt(person, slot.start))?.expiresAt;
  if (end)
    return {
      state: "held",
      when,
      until: formatHoldEnd(end),
      msLeft: end.getTime() - now().getTime(),
    };
  const { reason } = await checkAvailability(slot, person.id);
  if (reason === null)
    return { state: "open", when, isHeldOnSave: (await findLapsedHoldStart(person, slot.start)) !== null };
  return {
    state: "lost",
    ...describeUnavailableSlot(slot, reason),
    nearest: await findNearestTimes(slot.start, { ...slot, userId: person.id }),
  };
}
