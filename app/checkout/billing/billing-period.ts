import { formatMonth } from "../../ui/format-date-time.ts";

const YEAR_PATTERN = /^20\d{2}$/;
const MONTH_PATTERN = /^20\d{2}-(?:0[1-9]|1[0-2])$/;
const MONTHS_PER_YEAR = 12;

/** Returns `text` if it is a month ("2026-11") or a year ("2026") of this century, otherwise null. */
export function parsePeriod(text: string | null): string | null {
  return text !== null && (MONTH_PATTERN.test(text) || YEAR_PATTERN.test(text)) ? text : null;
}

/** Returns "November 2026" for a month and "2026" for a year. */
export function formatPeriod(period: string): string {
  return YEAR_PATTERN.test(period) ? period : formatMonth(period);
}

/** Returns the period of the same length that starts `offset` months or years later. Null outside of this century. */
export function shiftPeriod(period: string, offset: number): string | null {
  const year = Number(period.slice(0, 4));
  if (YEAR_PATTERN.test(period)) return parsePeriod(String(year + offset));
  const months = year * MONTHS_PER_YEAR + Number(period.slice(5)) - 1 + offset;
  const month = String((months % MONTHS_PER_YEAR) + 1).padStart(2, "0");
  return parsePeriod(`${Math.floor(months / MONTHS_PER_YEAR)}-${month}`);
}

/** Returns the first day of a period and the first day of the following period. */
export function periodDayRange(period: string): { from: string; before: string } {
  const firstDay = (each: string) => `${each}-01-01`.slice(0, "2026-11-01".length);
  return { from: firstDay(period), before: firstDay(shiftPeriod(period, 1) ?? "2100") };
}
