import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { formatShortDateTime } from "../../ui/format-date-time.ts";
import { endTime, IN_THE_PAST_MESSAGE, SLOT_TAKEN_MESSAGE, type SlotRequest } from "../booking-rules.ts";

/**
 * A time that can't be booked: `when`, what happened to it (`statusText`), and `reason` where a further sentence is
 * needed.
 */
export type UnavailableSlotDescription = { when: string; statusText: string; reason: string | null };

/** Describes why `slot` can't be booked. `reason` comes from `checkAvailability`. */
export function describeUnavailableSlot(slot: SlotRequest, reason: string): UnavailableSlotDescription {
  const when = formatShortDateTime(slot.start, env.practice.timeZone);
  if (reason === SLOT_TAKEN_MESSAGE) return { when, statusText: "is taken", reason: null };
  if (reason !== IN_THE_PAST_MESSAGE) return { when, statusText: "can't be booked", reason };
  const begun = endTime(slot) > now() ? "has started" : "is in the past";
  return { when, statusText: `${begun}, so it can't be booked anymore`, reason: null };
}
