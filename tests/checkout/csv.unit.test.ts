// Proves that a CSV export is exact, has one line per row, and no text that a spreadsheet would evaluate as a formula.
import { describe, expect, test } from "vitest";
import { toCsv } from "../../app/checkout/billing/csv.ts";
import { parsePeriod, periodDayRange, formatPeriod, shiftPeriod } from "../../app/checkout/billing/billing-period.ts";

const line = (...cells: Parameters<typeof toCsv>[0][number]) => toCsv([cells]).slice(1);

describe("a text cell", () => {
  test.each([
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "  =1",
    "\u200b=1",
    "\n@x",
    '=HYPERLINK("http://x")',
    "|calc",
    "%0",
    "\uff1d1",
    "\uff0b1",
    "\uff20x",
    "\u22121",
    "'=1",
  ])("that a spreadsheet would evaluate as a formula is prefixed with an apostrophe: %j", (text) => {
    expect(line(text)).toMatch(/^"'/);
  });

  test.each([
    ["A;=1+1;B", "A;'=1+1;B"],
    ["A; +1", "A;' +1"],
    ["A;;-1", "A;;'-1"],
    ["A;\u200b@x;=2", "A;'\u200b@x;'=2"],
    ["A|=1", "A|'=1"],
    ["A\t=1", "A =1"],
    ["A;\uff1d1", "A;'\uff1d1"],
    ['A;"=1"', `A;'""=1""`],
    ["=1;=1", "'=1;'=1"],
  ])("with a formula after a list separator is escaped there, too: %j", (text, written) => {
    expect(line(text)).toBe(`"${written}"\r\n`);
  });

  test("with ordinary text is kept, in quotes and on one line", () => {
    expect(line("Maria O'Brien-Alvarez", "5 = 4 + 1", "a;b,c", 'the "bus"', "one\r\ntwo", "")).toBe(
      '"Maria O\'Brien-Alvarez","5 = 4 + 1","a;b,c","the ""bus""","one two",""\r\n',
    );
  });

  test("with accents is in a file that begins with a byte order mark", () => {
    expect(toCsv([["Tomás"]])).toBe('\uFEFF"Tomás"\r\n');
  });
});

test("an amount is exact to the cent, with its sign and without quotes", () => {
  const cents = [0, 5, 50, 7500, -3750, 123_456_789, -1];
  expect(line(...cents.map((each) => ({ cents: each })))).toBe("0.00,0.05,0.50,75.00,-37.50,1234567.89,-0.01\r\n");
});

describe("a period", () => {
  test.each(["2026-13", "2026-00", "2026-1", "1999", "2026-11-01", " 2026", "20266", "", "=2026"])(
    "%j is not valid",
    (text) => expect(parsePeriod(text)).toBe(null),
  );

  test.each([
    ["2026-11", "November 2026", "2026-11-01", "2026-12-01", "2026-10", "2026-12"],
    ["2026-12", "December 2026", "2026-12-01", "2027-01-01", "2026-11", "2027-01"],
    ["2026-01", "January 2026", "2026-01-01", "2026-02-01", "2025-12", "2026-02"],
    ["2026", "2026", "2026-01-01", "2027-01-01", "2025", "2027"],
    ["2000", "2000", "2000-01-01", "2001-01-01", null, "2001"],
    ["2099-12", "December 2099", "2099-12-01", "2100-01-01", "2099-11", null],
  ])(
    "%s has a name, a first day, an end, and a previous and a next period within the limits",
    (period, name, from, before, previous, next) => {
      expect(parsePeriod(period)).toBe(period);
      expect(formatPeriod(period)).toBe(name);
      expect(periodDayRange(period)).toEqual({ from, before });
      expect([shiftPeriod(period, -1), shiftPeriod(period, 1)]).toEqual([previous, next]);
    },
  );
});
