let fakeClock: (() => Date) | null = null;
const yearFormatters = new Map<string, Intl.DateTimeFormat>();

/** Returns the current time. Tests can replace it. */
export function now(): Date {
  return fakeClock ? fakeClock() : new Date();
}

/** Returns the current year in a time zone. Called for each cached page, so its formatter is cached. */
export function currentYear(timeZone: string): number {
  const format = yearFormatters.get(timeZone) ?? new Intl.DateTimeFormat("en-US", { timeZone, year: "numeric" });
  yearFormatters.set(timeZone, format);
  return Number(format.format(now()));
}

/** Replaces the clock in tests; null restores it. */
export function setTestClock(clock: (() => Date) | null): void {
  fakeClock = clock;
}
