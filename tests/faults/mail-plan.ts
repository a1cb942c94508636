import type { seededRandom } from "./seeded-random.ts";

const QUARTER_HOUR_MS = 15 * 60_000;
const HOUR_MS = 4 * QUARTER_HOUR_MS;
const DAY_MS = 24 * HOUR_MS;
const QUARTERS_PER_WEEK = 7 * 96;

/** What happens to one visit: booked, moved (with two starts) and cancelled, at instants in ms since 1970. */
export type PlannedVisit = { family: number; starts: number[]; bookAt: number; moveAt?: number; cancelAt?: number };

type Random = ReturnType<typeof seededRandom>;
type PlanOptions = { visits: number; families: number; from: number };

/** Visits of a quarter of an hour, no two at one time, over a week, or for as long as so many need. */
export function planVisits({ visits, families, from }: PlanOptions, random: Random): PlannedVisit[] {
  const quarters = Math.max(QUARTERS_PER_WEEK, Math.ceil(visits * 1.6));
  const end = from + quarters * QUARTER_HOUR_MS;
  const free = new Set(Array.from({ length: quarters - 8 }, (_, index) => from + (index + 8) * QUARTER_HOUR_MS));
  const between = (first: number, last: number) =>
    first + Math.floor(random.chance() * ((last - first) / QUARTER_HOUR_MS + 1)) * QUARTER_HOUR_MS;

  /** A free start from `earliest` on, taken from the others; null when there is none. */
  function takeStart(earliest: number): number | null {
    const wanted = between(earliest, end);
    const ordered = [...free].filter((start) => start >= earliest);
    const start = ordered.find((each) => each >= wanted) ?? ordered.at(-1) ?? null;
    if (start !== null) free.delete(start);
    return start;
  }

  const planned: PlannedVisit[] = [];
  while (planned.length < visits) {
    const bookAt = between(from, end - 6 * HOUR_MS);
    const start = takeStart(bookAt + 2 * HOUR_MS);
    if (start === null) continue;
    const visit: PlannedVisit = { family: planned.length % families, starts: [start], bookAt };
    // A family moves a visit until a day before it.
    const lastMove = start - DAY_MS - 2 * HOUR_MS;
    const isMoved = random.chance() < 0.4 && lastMove > bookAt;
    const moveAt = between(bookAt + QUARTER_HOUR_MS, Math.max(lastMove, bookAt + QUARTER_HOUR_MS));
    const second = isMoved ? takeStart(moveAt + 2 * HOUR_MS) : null;
    if (second !== null) Object.assign(visit, { moveAt, starts: [start, second] });
    const cancelFrom = (visit.moveAt ?? bookAt) + QUARTER_HOUR_MS;
    const cancelUntil = (second ?? start) - HOUR_MS;
    if (random.chance() < 0.3 && cancelUntil > cancelFrom) visit.cancelAt = between(cancelFrom, cancelUntil);
    if (random.chance() < 0.5) hurry(visit);
    planned.push(visit);
  }
  return planned;
}

/** Its first change follows the booking at once, while the booking's mail may have been refused for now. */
function hurry(visit: PlannedVisit): void {
  if (visit.moveAt !== undefined) visit.moveAt = visit.bookAt;
  else if (visit.cancelAt !== undefined) visit.cancelAt = visit.bookAt;
}
