import { formatMonth } from "../../ui/dates.ts";

const YEAR = /^20\d{2}$/;
const MONTH = /^20\d{2}-(?:0[1-9]|1[0-2])$/;
const MONTHS_PER_YEAR = 12;

/** `text` where it is a month ("2026-11") or a year ("2026") of this century, else null. */
export function parsePeriod(text: string | null): string | null {
  return text !== null && (MONTH.test(text) || YEAR.test(text)) ? text : null;
}

/** "November 2026", or "2026" */
export function periodName(period: string): string {
  return YEAR.test(period) ? period : formatMonth(period);
}

/** The period of the same length that lies `offset` of them later; null outside of this century. */
export function shiftPeriod(period: string, offset: number): string | null {
  const year = Number(period.slice(0, 4));
  if (YEAR.test(period)) return parsePeriod(String(year + offset));
  const months = year * MONTHS_PER_YEAR + Number(period.slice(5)) - 1 + offset;
  const month = String((months % MONTHS_PER_YEAR) + 1).padStart(2, "0");
  return parsePeriod(`${Math.floor(months / MONTHS_PER_YEAR)}-${month}`);
}

/** The first day of a period, and of the one after it. */
export function periodDays(period: string): { from: string; before: string } {
  const firstDay = (each: string) => `${each}-01-01`.slice(0, "2026-11-01".length);
  return { from: firstDay(period), before: firstDay(shiftPeriod(period, 1) ?? "2100") };
}
