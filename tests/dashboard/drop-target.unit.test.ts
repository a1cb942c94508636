// Proves on which day and time a dragged visit would be dropped, and which conflicts are found there.
import { expect, test } from "vitest";
import { findDropTarget, snapToGrid } from "../../app/dashboard/calendar/drop-target.ts";
import type { CalendarDayData } from "../../app/dashboard/calendar/calendar.server.ts";
import { buildTimeGrid } from "../../app/dashboard/calendar/time-grid.ts";

type Row = CalendarDayData["rows"][number];
const HOURS = { opens: 9 * 60, closes: 17 * 60 };
const MOVED = { id: 1, duration: 60 };

function visit(id: number, start: string, minutes: number, isCanceled = false) {
  return {
    id,
    start,
    end: new Date(Date.parse(start) + minutes * 60_000).toISOString(),
    isCancelled: isCanceled,
  } as Row;
}

/** The only day of a grid, in New York, with the visit that is dragged at ten in the morning. */
function conflictAt(time: string, { visits = [] as Row[], day = "2026-12-07", hours = HOURS, isBookable = true } = {}) {
  const rows = [visit(MOVED.id, `${day}T15:00:00.000Z`, MOVED.duration), ...visits];
  const now = new Date("2026-12-07T14:20:00Z");
  const options = { zone: "America/New_York", now, lastDay: "2028-01-01" };
  const { rows: gridRows, columns } = buildTimeGrid([{ day, hours, visits: rows }], options);
  const grid = { rows: gridRows, columns, hours: [hours] };
  const [hour = 0, minutes = 0] = time.split(":").map(Number);
  const row = gridRows.findIndex((each) => each.hour === hour);
  const target = findDropTarget({ days: [{ day, isBookable, rows }], grid, now }, MOVED, { column: 0, row, minutes });
  expect(target && [target.day, target.time]).toEqual([day, time]);
  return target?.conflict;
}

test("a free time in office hours has no conflict, even next to a visit or over the visit's own old time", () => {
  const visits = [visit(2, "2026-12-07T18:00:00.000Z", 60)];
  expect(conflictAt("12:00", { visits })).toBeNull();
  expect(conflictAt("14:00", { visits })).toBeNull();
  expect(conflictAt("10:15", { visits })).toBeNull();
  expect(conflictAt("16:00", { visits })).toBeNull();
});

test("any overlap with another visit is a conflict (occupied); a canceled visit is none", () => {
  const visits = [visit(2, "2026-12-07T18:00:00.000Z", 30)];
  for (const time of ["12:15", "12:45", "13:00", "13:15"])
    expect([time, conflictAt(time, { visits })]).toEqual([time, "occupied"]);
  expect(conflictAt("13:00", { visits: [visit(2, "2026-12-07T18:00:00.000Z", 30, true)] })).toBeNull();
});

test("an end after closing time and a start before opening time are conflicts (closed)", () => {
  expect(conflictAt("16:15")).toBe("closed");
  expect(conflictAt("09:30", { hours: { opens: 9.75 * 60, closes: 17 * 60 } })).toBe("closed");
});

test("a past time, the visit's current start and an unbookable day are conflicts", () => {
  expect(conflictAt("09:15")).toBe("past");
  expect(conflictAt("09:30")).toBeNull();
  expect(conflictAt("10:00")).toBe("unchanged");
  expect(conflictAt("12:00", { isBookable: false })).toBe("unbookable");
});

test("DST changes: the second of a repeated hour is unbookable, and a skipped hour is no drop target", () => {
  const now = new Date("2026-03-01T00:00:00Z");
  const target = (day: string, first: number, row: number) => {
    const hours = { opens: first * 60, closes: 4 * 60 };
    const { rows, columns } = buildTimeGrid(
      [
        { day, hours, visits: [] },
        { day: "2026-03-07", hours, visits: [] },
      ],
      { zone: "America/New_York", now, lastDay: "2028-01-01" },
    );
    const days = [{ day, isBookable: true, rows: [] }];
    return findDropTarget({ days, grid: { rows, columns, hours: [hours] }, now }, MOVED, {
      column: 0,
      row,
      minutes: 0,
    });
  };
  expect(target("2026-11-01", 1, 0)).toMatchObject({ time: "01:00", conflict: null });
  expect(target("2026-11-01", 1, 1)).toMatchObject({ time: "01:00", conflict: "unbookable" });
  expect(target("2026-03-08", 1, 1)).toBeNull();
  expect(target("2026-03-08", 1, 9)).toBeNull();
});

test("a position snaps to the nearest quarter hour, limited to the first and last of the grid", () => {
  const size = { hours: 8, height: 480 };
  expect(snapToGrid(2, 127, size)).toEqual({ column: 2, row: 2, minutes: 0 });
  expect(snapToGrid(2, 128, size)).toEqual({ column: 2, row: 2, minutes: 15 });
  expect(snapToGrid(2, -40, size)).toEqual({ column: 2, row: 0, minutes: 0 });
  expect(snapToGrid(2, 900, size)).toEqual({ column: 2, row: 7, minutes: 45 });
});
