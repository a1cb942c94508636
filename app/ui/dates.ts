type Instant = Date | string;

const LOCALE = "en-US";
const formatters = new Map<string, Intl.DateTimeFormat>();

/** h:mm a */
export function formatTime(instant: Instant, zone: string): string {
  const { hour, minute, dayPeriod } = formatParts(instant, zone, {
    hour: "numeric",
    minute: "2-digit",
    hourCycle: "h12",
  });
  return `${hour}:${minute} ${dayPeriod}`;
}

/** 9am, or 9:30am: where there is little room */
export function formatShortTime(instant: Instant, zone: string): string {
  return formatTime(instant, zone).replace(":00", "").replace(" ", "").toLowerCase();
}

/** Mon, Dec 7, 2026 at 10:00 AM ET */
export function formatDateTime(instant: Instant, zone: string): string {
  return `${formatDate(instant, zone)} at ${formatTimeWithZone(instant, zone)}`;
}

/** 9:00–10:30 AM, or 11:30 AM–12:30 PM */
export function formatTimeRange(start: Instant, end: Instant, zone: string): string {
  const [from, to] = [formatTime(start, zone), formatTime(end, zone)];
  return `${from.slice(-2) === to.slice(-2) ? from.slice(0, -3) : from}–${to}`;
}

/** Mon, Dec 7 */
export function formatShortDate(instant: Instant, zone: string): string {
  return formatDate(instant, zone).replace(/, \d+$/, "");
}

/** Mon, Dec 7, 10:00 AM: where the year is obvious and the zone is named nearby. */
export function formatShortDateTime(instant: Instant, zone: string): string {
  return `${formatShortDate(instant, zone)}, ${formatTime(instant, zone)}`;
}

/** Mon, Dec 7, 2026 */
export function formatDate(instant: Instant, zone: string): string {
  return formatDay(instant, zone, "short");
}

/** 10:00 AM ET */
export function formatTimeWithZone(instant: Instant, zone: string): string {
  return `${formatTime(instant, zone)} ${zoneAbbreviation(instant, zone)}`;
}

/** Monday, November 23, 2026 */
export function formatLongDate(instant: Instant, zone: string): string {
  return formatDay(instant, zone, "long");
}

/** Monday, November 23, 2026: the name of a calendar day ("2026-11-23"), the same in every time zone. */
export function formatLongDay(day: string): string {
  return formatLongDate(`${day}T12:00Z`, "UTC");
}

/** November 23, 2026: the same without its weekday, as texts are dated. */
export function formatTextDate(day: string): string {
  return formatLongDay(day).replace(/^\w+, /, "");
}

/** Mon, Nov 23: the name of a calendar day ("2026-11-23"), the same in every time zone. */
export function formatShortDay(day: string): string {
  return formatShortDate(`${day}T12:00Z`, "UTC");
}

/** November 2026: the name of a calendar month ("2026-11"), the same in every time zone. */
export function formatMonth(month: string): string {
  const { month: name, year } = formatParts(`${month}-15T12:00Z`, "UTC", { month: "long", year: "numeric" });
  return `${name} ${year}`;
}

/** Monday, November 23, 2026, 9:00 AM Eastern */
export function formatLongDateTime(instant: Instant, zone: string): string {
  const { timeZoneName = "" } = formatParts(instant, zone, { timeZoneName: "longGeneric" });
  return `${formatLongDate(instant, zone)}, ${formatTime(instant, zone)} ${timeZoneName.replace(/ Time$/, "")}`;
}

/** ET */
export function zoneAbbreviation(instant: Instant, zone: string): string {
  return formatParts(instant, zone, { timeZoneName: "shortGeneric" }).timeZoneName ?? "";
}

function formatDay(instant: Instant, zone: string, style: "short" | "long"): string {
  const options = { weekday: style, month: style, day: "numeric", year: "numeric" } as const;
  const { weekday, month, day, year } = formatParts(instant, zone, options);
  return `${weekday}, ${month} ${day}, ${year}`;
}

function formatParts(instant: Instant, zone: string, options: Intl.DateTimeFormatOptions): Record<string, string> {
  const parts = getFormatter(zone, options).formatToParts(new Date(instant));
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
}

/** Formatters are cached because creating one costs far more than using it. */
function getFormatter(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`;
  let formatter = formatters.get(key);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: zone });
    formatters.set(key, formatter);
  }
  return formatter;
}
