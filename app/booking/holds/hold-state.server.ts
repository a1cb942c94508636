import type { Person } from "../../accounts/person.ts";
import { DAY_MS } from "../../duration.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { formatLongDateTime, formatShortDateTime, formatTimeWithZone } from "../../ui/dates.ts";
import { checkAvailability, findFreeDays } from "../availability/availability.server.ts";
import type { BookingDraft } from "../draft.server.ts";
import { parseDraftSlot } from "../booking-form.server.ts";
import { findHold } from "./family-hold.server.ts";
import type { SlotRequest } from "../rules.ts";
import { toWallTime } from "../wall-time.ts";

const NEAREST_TIMES = 4;
/** Days around the wished one among which the nearest times are looked for. */
const NEAREST_DAYS = 4;

/** What a family is told of the time that its draft asks for. */
export type HoldState =
  | { state: "held"; when: string; until: string; msLeft: number }
  | { state: "open"; when: string }
  | { state: "lost"; when: string; nearest: NearestTime[] };
export type NearestTime = { value: string; label: string; accessibleName: string };

/** Whether the draft's time is held for the family, merely open, or lost with the nearest free ones; null without one. */
export async function loadHoldState(person: Person, draft: BookingDraft): Promise<HoldState | null> {
  const slot = parseDraftSlot(draft);
  if (!slot) return null;
  const { timeZone } = env.practice;
  const when = formatShortDateTime(slot.start, timeZone);
  const end = (await findHold(person, slot.start))?.expiresAt;
  if (end)
    return {
      state: "held",
      when,
      until: formatTimeWithZone(end, timeZone),
      msLeft: end.getTime() - now().getTime(),
    };
  const { available } = await checkAvailability(slot, person.id);
  return available ? { state: "open", when } : { state: "lost", when, nearest: await findNearestTimes(person, slot) };
}

/** The free times nearest to a slot that is not free, ascending. */
export async function findNearestTimes(person: Person, { start, duration, type }: SlotRequest): Promise<NearestTime[]> {
  const { timeZone } = env.practice;
  const from = new Date(Math.max(start.getTime() - DAY_MS, now().getTime()));
  const days = await findFreeDays(toWallTime(from, timeZone).day, NEAREST_DAYS, { duration, type, userId: person.id });
  const distance = (time: Date) => Math.abs(time.getTime() - start.getTime());
  return days
    .flatMap(({ starts }) => starts)
    .toSorted((one, other) => distance(one) - distance(other))
    .slice(0, NEAREST_TIMES)
    .toSorted((one, other) => one.getTime() - other.getTime())
    .map((time) => ({
      value: time.toISOString(),
      label: formatShortDateTime(time, timeZone),
      accessibleName: formatLongDateTime(time, timeZone),
    }));
}
