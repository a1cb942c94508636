type InstantInput = Date | string;

const LOCALE = "en-US";
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Formats a time as "9:30 AM". */
export function formatTime(instant: InstantInput, zone: string): string {
  const { hour, minute, dayPeriod } = formatParts(instant, zone, {
    hour: "numeric",
    minute: "2-digit",
    hourCycle: "h12",
  });
  return `${hour}:${minute} ${dayPeriod}`;
}

/** Formats a time as "9am" or "9:30am", for narrow places. */
export function formatShortTime(instant: InstantInput, zone: string): string {
  return formatTime(instant, zone).replace(":00", "").replace(" ", "").toLowerCase();
}

/** Formats "Mon, Dec 7, 2026 at 10:00 AM ET". */
export function formatDateTime(instant: InstantInput, zone: string): string {
  return `${formatDate(instant, zone)} at ${formatTimeWithZone(instant, zone)}`;
}

/** Formats "9:00–10:30 AM" or "11:30 AM–12:30 PM". */
export function formatTimeRange(start: InstantInput, end: InstantInput, zone: string): string {
  const [from, to] = [formatTime(start, zone), formatTime(end, zone)];
  return `${from.slice(-2) === to.slice(-2) ? from.slice(0, -3) : from}–${to}`;
}

/** Formats "Mon, Dec 7". */
export function formatShortDate(instant: InstantInput, zone: string): string {
  return formatDate(instant, zone).replace(/, \d+$/, "");
}

/** Formats "Mon, Dec 7, 10:00 AM", for places where the year is obvious and the time zone is shown nearby. */
export function formatShortDateTime(instant: InstantInput, zone: string): string {
  return `${formatShortDate(instant, zone)}, ${formatTime(instant, zone)}`;
}

/** Formats "Mon, Dec 7, 2026". */
export function formatDate(instant: InstantInput, zone: string): string {
  return formatDateInStyle(instant, zone, "short");
}

/** Formats "10:00 AM ET". */
export function formatTimeWithZone(instant: InstantInput, zone: string): string {
  return `${formatTime(instant, zone)} ${zoneAbbreviation(instant, zone)}`;
}

/** Formats "Monday, November 23, 2026". */
export function formatLongDate(instant: InstantInput, zone: string): string {
  return formatDateInStyle(instant, zone, "long");
}

/** Formats a calendar day ("2026-11-23") as "Monday, November 23, 2026", the same in every time zone. */
export function formatLongPlainDate(day: string): string {
  return formatLongDate(`${day}T12:00Z`, "UTC");
}

/** Formats a calendar day ("2026-11-23") as "November 23, 2026", the date format of legal texts. */
export function formatLegalTextDate(day: string): string {
  return formatLongPlainDate(day).replace(/^\w+, /, "");
}

/** Formats a calendar day ("2026-11-23") as "Mon, Nov 23", the same in every time zone. */
export function formatShortPlainDate(day: string): string {
  return formatShortDate(`${day}T12:00Z`, "UTC");
}

/** Formats a calendar month ("2026-11") as "November 2026", the same in every time zone. */
export function formatMonth(month: string): string {
  const { month: name, year } = formatParts(`${month}-15T12:00Z`, "UTC", { month: "long", year: "numeric" });
  return `${name} ${year}`;
}

/** Formats "Monday, November 23, 2026, 9:00 AM Eastern". */
export function formatLongDateTime(instant: InstantInput, zone: string): string {
  const { timeZoneName = "" } = formatParts(instant, zone, { timeZoneName: "longGeneric" });
  return `${formatLongDate(instant, zone)}, ${formatTime(instant, zone)} ${timeZoneName.replace(/ Time$/, "")}`;
}

/** Returns the abbreviation of the time zone: "ET". */
export function zoneAbbreviation(instant: InstantInput, zone: string): string {
  return formatParts(instant, zone, { timeZoneName: "shortGeneric" }).timeZoneName ?? "";
}

function formatDateInStyle(instant: InstantInput, zone: string, style: "short" | "long"): string {
  const options = { weekday: style, month: style, day: "numeric", year: "numeric" } as const;
  const { weekday, month, day, year } = formatParts(instant, zone, options);
  return `${weekday}, ${month} ${day}, ${year}`;
}

function formatParts(instant: InstantInput, zone: string, options: Intl.DateTimeFormatOptions): Record<string, string> {
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
