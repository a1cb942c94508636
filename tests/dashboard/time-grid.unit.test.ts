// Holds the day and week views as a grid of hours: positions of visits, closed hours and both DST changes.
import { describe, expect, test } from "vitest";
import { nowOffset, buildTimeGrid } from "../../app/dashboard/calendar/time-grid.ts";

const ZONE = "America/New_York";
const NINE_TO_SEVEN = { opens: 9 * 60, closes: 19 * 60 };
const options = { zone: ZONE, now: new Date("2026-03-01T12:00:00Z"), lastDay: "2028-01-01" };

let ids = 0;

function visit(start: string, minutes: number, isCanceled = false) {
  ids += 1;
  return {
    id: ids,
    start: new Date(start).toISOString(),
    end: new Date(Date.parse(start) + minutes * 60_000).toISOString(),
    isCancelled: isCanceled,
  };
}

function gridOf(day: string, visits: ReturnType<typeof visit>[], hours: typeof NINE_TO_SEVEN | null = NINE_TO_SEVEN) {
  const { rows, columns } = buildTimeGrid([{ day, hours, visits }], options);
  return { rows, cells: columns[0] ?? [] };
}

test("a day has a row per office hour, more rows for an earlier visit, and 8 rows when closed", () => {
  expect(gridOf("2026-12-07", []).rows.map(({ hour }) => hour)).toEqual([9, 10, 11, 12, 13, 14, 15, 16, 17, 18]);
  const early = gridOf("2026-12-07", [visit("2026-12-07T12:30:00Z", 60)]);
  expect(early.rows[0]?.hour).toBe(7);
  expect(gridOf("2026-12-07", [], null).rows).toHaveLength(8);
});

test("a visit's offset is its start minute and its height its duration, in 5-minute units", () => {
  const { cells } = gridOf("2026-12-07", [visit("2026-12-07T14:40:00Z", 90)]);
  expect(cells[0]?.visits).toMatchObject([{ offset: 8, height: 18 }]);
  expect(cells[1]?.visits).toEqual([]);
  const { cells: short } = gridOf("2026-12-07", [visit("2026-12-07T14:58:00Z", 15)]);
  expect(short[0]?.visits).toMatchObject([{ offset: 11, height: 3 }]);
});

test("a visit past midnight is cut off at the end of its day", () => {
  const { rows, cells } = gridOf("2026-12-07", [visit("2026-12-08T04:00:00Z", 120)]);
  expect(rows.at(-1)?.hour).toBe(23);
  expect(cells.at(-1)?.visits).toMatchObject([{ offset: 0, height: 12 }]);
});

test("a canceled visit is not drawn and its time is offered again", () => {
  const { cells } = gridOf("2026-12-07", [visit("2026-12-07T15:00:00Z", 60, true)]);
  expect(cells[1]).toMatchObject({ visits: [], times: ["10:00", "10:30"] });
});

test("a free hour offers both of its halves, a half-booked hour the free one, and a booked hour none", () => {
  const { cells } = gridOf("2026-12-07", [visit("2026-12-07T14:00:00Z", 90), visit("2026-12-07T16:30:00Z", 30)]);
  expect(cells.slice(0, 4).map((cell) => cell?.times)).toEqual([[], ["10:30"], ["11:00"], ["12:00", "12:30"]]);
});

describe("when a visit is being moved", () => {
  const gridFor = (moved: ReturnType<typeof visit>, minutes: number, visits: ReturnType<typeof visit>[]) =>
    buildTimeGrid([{ day: "2026-12-07", hours: NINE_TO_SEVEN, visits: [moved, ...visits] }], {
      ...options,
      visitToMove: { id: moved.id, duration: minutes },
    }).columns[0]?.map(
      (cell) => cell && [cell.times, cell.shortGap && `${cell.shortGap.minutes} at ${cell.shortGap.offset}`],
    ) ?? [];

  test("only start times with enough free minutes are offered; a shorter gap shows its length", () => {
    const moved = visit("2026-12-07T22:00:00Z", 90);
    const visits = [visit("2026-12-07T15:00:00Z", 60), visit("2026-12-07T17:30:00Z", 30)];
    expect(gridFor(moved, 90, visits).slice(0, 5)).toEqual([
      [[], "60 at 0"],
      [[], null],
      [["11:00"], null],
      [[], "30 at 0"],
      [["13:00"], null],
    ]);
  });

  test("a start at a quarter hour is offered where the visit fits at no full or half hour", () => {
    const moved = visit("2026-12-07T22:00:00Z", 60);
    const visits = [visit("2026-12-07T14:00:00Z", 75), visit("2026-12-07T16:15:00Z", 60)];
    expect(gridFor(moved, 60, visits).slice(0, 3)).toEqual([
      [[], null],
      [["10:15"], null],
      [[], null],
    ]);
  });

  test("the visit's current time blocks no other time, but its current start is not offered", () => {
    const moved = visit("2026-12-07T15:00:00Z", 60);
    expect(gridFor(moved, 60, []).slice(0, 3)).toEqual([
      [["09:00"], null],
      [["10:30"], null],
      [["11:00"], null],
    ]);
  });

  test("an hour that opens at the half hour is offered from the half hour on", () => {
    const moved = visit("2026-12-08T15:00:00Z", 60);
    const evening = { opens: 18 * 60 + 30, closes: 21 * 60 };
    const { columns } = buildTimeGrid([{ day: "2026-12-08", hours: evening, visits: [moved] }], {
      ...options,
      visitToMove: { id: moved.id, duration: 60 },
    });
    const six = columns[0]?.find((cell) => cell?.start === "2026-12-08T23:00:00.000Z");
    expect(six?.times).toEqual(["18:30"]);
  });
});

test("past times and days beyond the booking limit offer no start times", () => {
  const { cells } = gridOf("2026-02-28", []);
  expect(cells.flatMap((cell) => cell?.times)).toEqual([]);
  expect(gridOf("2028-01-02", []).cells.flatMap((cell) => cell?.times)).toEqual([]);
});

test("an hour that opens at the half hour has a closed first half, which is offered, too", () => {
  const evening = { opens: 18 * 60 + 30, closes: 21 * 60 };
  const { cells } = gridOf("2026-12-08", [visit("2026-12-08T15:00:00Z", 60)], evening);
  const six = cells.find((cell) => cell?.start === "2026-12-08T23:00:00.000Z");
  expect(six).toMatchObject({ closedHalves: "first", times: ["18:00", "18:30"] });
  expect(cells[0]).toMatchObject({ closedHalves: "both", times: [] });
});

test("spring DST change: the skipped hour has no cell, and a visit across it spans its row", () => {
  const night = visit("2026-03-08T06:30:00Z", 60);
  const saturday = { day: "2026-03-07", hours: null, visits: [visit("2026-03-07T06:30:00Z", 120)] };
  const { rows, columns } = buildTimeGrid([saturday, { day: "2026-03-08", hours: null, visits: [night] }], options);
  expect(rows.map(({ hour }) => hour)).toEqual([1, 2, 3]);
  expect(columns[1]?.[1]).toBeNull();
  expect(columns[0]?.[0]?.visits).toMatchObject([{ offset: 6, height: 24 }]);
  expect(columns[1]?.[0]?.visits).toMatchObject([{ offset: 6, height: 24 }]);
  // Alone, the day has no row for an hour that it doesn't have.
  expect(gridOf("2026-03-08", [night], null).rows.map(({ hour }) => hour)).toEqual([1, 3]);
});

test("fall DST change: the repeated hour has two rows, with each visit in the correct one", () => {
  const visits = [visit("2026-11-01T05:15:00Z", 30), visit("2026-11-01T06:15:00Z", 15)];
  const { rows, cells } = gridOf("2026-11-01", visits, null);
  expect(rows).toEqual([
    { hour: 1, isRepeated: false },
    { hour: 1, isRepeated: true },
  ]);
  expect(cells.map((cell) => cell?.visits.length)).toEqual([1, 1]);
  // The clock's time names the first of the two hours, so the second can't be booked from here.
  expect(cells.map((cell) => cell?.times)).toEqual([[], []]);
});

test("the current-time marker has an offset only within the current hour", () => {
  expect(nowOffset("2026-12-07T14:52:00Z", "2026-12-07T14:00:00Z")).toBe(10);
  expect(nowOffset("2026-12-07T15:00:00Z", "2026-12-07T14:00:00Z")).toBeNull();
});
