// Proves by which day each promise of the legal pages is due.
import { describe, expect, test } from "vitest";
import { dueDateColor, daysLeft, calculateDueDay, timeLeft } from "../../app/compliance/due-dates.ts";

describe("a case is due", () => {
  test.each([
    ["a privacy request after 30 days", "privacy", "2026-11-23", "2026-12-23"],
    ["over the end of a leap February", "privacy", "2028-02-01", "2028-03-02"],
    ["an incident after 60 days", "incident", "2026-11-23", "2027-01-22"],
    ["feedback of a Monday on Wednesday", "accessibility", "2026-11-23", "2026-11-25"],
    ["feedback of a Thursday on Monday", "accessibility", "2026-11-26", "2026-11-30"],
    ["feedback of a Friday on Tuesday", "accessibility", "2026-11-27", "2026-12-01"],
    ["feedback of a Saturday on Tuesday", "accessibility", "2026-11-28", "2026-12-01"],
    ["feedback of a Sunday on Tuesday", "accessibility", "2026-11-29", "2026-12-01"],
  ] as const)("%s", (_, kind, received, due) => {
    expect(calculateDueDay(kind, received)).toBe(due);
  });

  test("in words, and red when it is late or nearly so", () => {
    const lines = [-2, -1, 0, 1, 3, 4].map((days) => [timeLeft(days), dueDateColor(days)]);
    expect(lines).toEqual([
      ["2 days late", "red"],
      ["1 day late", "red"],
      ["due today", "red"],
      ["1 day left", "red"],
      ["3 days left", "red"],
      ["4 days left", "yellow"],
    ]);
    expect(daysLeft("2026-12-01", "2026-11-28")).toBe(3);
    expect(daysLeft("2026-03-10", "2026-03-12")).toBe(-2);
  });
});
