let fakeClock: (() => Date) | null = null;
const yearFormats = new Map<string, Intl.DateTimeFormat>();

/** The one source of the present moment. */
export function now(): Date {
  return fakeClock ? fakeClock() : new Date();
}

/** The year that a calendar in this time zone shows just now. Asked with each kept page: making a format takes longer. */
export function currentYear(timeZone: string): number {
  const format = yearFormats.get(timeZone) ?? new Intl.DateTimeFormat("en-US", { timeZone, year: "numeric" });
  yearFormats.set(timeZone, format);
  return Number(format.format(now()));
}

/** Lets a test stand at a chosen moment; null returns to the real clock. */
export function setNow(clock: (() => Date) | null): void {
  fakeClock = clock;
}
