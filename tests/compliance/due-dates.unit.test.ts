// Proves the due date of each kind of legal request.
import { describe, expect, test } from "vitest";
import { dueDateColor, daysUntilDue, calculateDueDay, formatTimeLeft } from "../../app/compliance/case-due-dates.ts";

describe("a case is due", () => {
  test.each([
    ["in a month of 30 days", "2026-11-23", "2026-12-23"],
    ["over the end of a leap February", "2028-02-01", "2028-03-02"],
  ])("30 days after a request about privacy came in: %s", (_, received, due) => {
    expect(calculateDueDay("privacy", received)).toBe(due);
  });

  test("60 days after an incident was found", () => {
    expect(calculateDueDay("incident", "2026-11-23")).toBe("2027-01-22");
  });

  test.each([
    ["of a Monday on Wednesday", "2026-11-23", "2026-11-25"],
    ["of a Thursday on Monday", "2026-11-26", "2026-11-30"],
    ["of a Friday on Tuesday", "2026-11-27", "2026-12-01"],
    ["of a Saturday on Tuesday", "2026-11-28", "2026-12-01"],
    ["of a Sunday on Tuesday", "2026-11-29", "2026-12-01"],
  ])("two business days after feedback on accessibility came in: %s", (_, received, due) => {
    expect(calculateDueDay("accessibility", received)).toBe(due);
  });

  test("in the given number of days, shown as text, in red if it is late or at most 3 days are left", () => {
    const lines = [-2, -1, 0, 1, 3, 4].map((days) => [formatTimeLeft(days), dueDateColor(days)]);
    expect(lines).toEqual([
      ["2 days late", "red"],
      ["1 day late", "red"],
      ["due today", "red"],
      ["1 day left", "red"],
      ["3 days left", "red"],
      ["4 days left", "yellow"],
    ]);
    expect(daysUntilDue("2026-12-01", "2026-11-28")).toBe(3);
    expect(daysUntilDue("2026-03-10", "2026-03-12")).toBe(-2);
  });
});
