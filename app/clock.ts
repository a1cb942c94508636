let fixed: (() => Date) | null = null;
const calendars = new Map<string, Intl.DateTimeFormat>();

/** The one source of the present moment. */
export function now(): Date {
  return fixed ? fixed() : new Date();
}

/** The year that a calendar in this time zone shows just now. Asked with each kept page: making a format takes longer. */
export function yearIn(timeZone: string): number {
  const calendar = calendars.get(timeZone) ?? new Intl.DateTimeFormat("en-US", { timeZone, year: "numeric" });
  calendars.set(timeZone, calendar);
  return Number(calendar.format(now()));
}

/** Lets a test stand at a chosen moment; null returns to the real clock. */
export function setNow(clock: (() => Date) | null): void {
  fixed = clock;
}
