import { DAY_MS, MINUTE_MS } from "../time-units.ts";
import { ROOM_CLOSES_MINUTES_AFTER, roomOpensAt } from "./room-hours.ts";

type Visit = { appointmentDate: Date; duration: number; status: string };

/**
 * Returns the milliseconds until what a page says of these visits changes: a room opens or closes, a visit begins or
 * ends. Null if nothing changes within a day.
 */
export function msUntilNextVisitChange(visits: readonly Visit[], now: Date): number | null {
  const changeTimes = visits.flatMap(({ appointmentDate, duration, status }) => {
    const start = appointmentDate.getTime();
    const end = start + duration * MINUTE_MS;
    if (status === "cancelled") return [start];
    return [roomOpensAt(appointmentDate).getTime(), start, end, end + ROOM_CLOSES_MINUTES_AFTER * MINUTE_MS + 1];
  });
  const delaysMs = changeTimes
    .map((changeTime) => changeTime - now.getTime())
    .filter((delayMs) => delayMs > 0 && delayMs < DAY_MS);
  return delaysMs.length > 0 ? Math.min(...delaysMs) : null;
}
