type Instant = Date | string;

const LOCALE = "en-US";
const formats = new Map<string, Intl.DateTimeFormat>();

/** h:mm a */
export function formatTime(instant: Instant, zone: string): string {
  const { hour, minute, dayPeriod } = read(instant, zone, { hour: "numeric", minute: "2-digit", hourCycle: "h12" });
  return `${hour}:${minute} ${dayPeriod}`;
}

/** Mon, Dec 7, 2026 at 10:00 AM ET */
export function withWeekday(instant: Instant, zone: string): string {
  return `${dayWithWeekday(instant, zone)} at ${timeWithZone(instant, zone)}`;
}

/** Mon, Dec 7, 2026 */
export function dayWithWeekday(instant: Instant, zone: string): string {
  return dayIn(instant, zone, "short");
}

/** 10:00 AM ET */
export function timeWithZone(instant: Instant, zone: string): string {
  return `${formatTime(instant, zone)} ${zoneShort(instant, zone)}`;
}

/** Monday, November 23, 2026 */
export function longDate(instant: Instant, zone: string): string {
  return dayIn(instant, zone, "long");
}

/** Monday, November 23, 2026, 9:00 AM Eastern */
export function longSlot(instant: Instant, zone: string): string {
  const { timeZoneName = "" } = read(instant, zone, { timeZoneName: "longGeneric" });
  return `${longDate(instant, zone)}, ${formatTime(instant, zone)} ${timeZoneName.replace(/ Time$/, "")}`;
}

/** ET */
export function zoneShort(instant: Instant, zone: string): string {
  return read(instant, zone, { timeZoneName: "shortGeneric" }).timeZoneName ?? "";
}

function dayIn(instant: Instant, zone: string, names: "short" | "long"): string {
  const options = { weekday: names, month: names, day: "numeric", year: "numeric" } as const;
  const { weekday, month, day, year } = read(instant, zone, options);
  return `${weekday}, ${month} ${day}, ${year}`;
}

function read(instant: Instant, zone: string, options: Intl.DateTimeFormatOptions): Record<string, string> {
  const parts = formatFor(zone, options).formatToParts(new Date(instant));
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
}

/** Making a format costs far more than using it. */
function formatFor(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: zone });
    formats.set(key, format);
  }
  return format;
}
