import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { formatShortDateTime } from "../../ui/dates.ts";
import { endTime, IN_THE_PAST, SLOT_TAKEN, type SlotRequest } from "../rules.ts";

/** A time that can't be booked: `when` and what became of it, and `reason` where a sentence has to say more. */
export type LostTime = { when: string; fate: string; reason: string | null };

/** Says why `slot` can't be booked; `reason` is that of `checkAvailability`. */
export function describeLostTime(slot: SlotRequest, reason: string): LostTime {
  const when = formatShortDateTime(slot.start, env.practice.timeZone);
  if (reason === SLOT_TAKEN) return { when, fate: "is taken", reason: null };
  if (reason !== IN_THE_PAST) return { when, fate: "can't be booked", reason };
  const begun = endTime(slot) > now() ? "has started" : "is in the past";
  return { when, fate: `${begun}, so it can't be booked anymore`, reason: null };
}
