const MONTH_ABBREVIATIONS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTHS_PER_YEAR = 12;
/** Below this age, the age is given in months. */
const MIN_AGE_SHOWN_IN_YEARS = 2;
const MAX_AGE_IN_YEARS = 120;

/**
 * Returns the age ("9 years" or "14 months") on the day `today` ("2026-12-07") for a birthday as families write it;
 * null for any other text.
 */
export function formatAge(today: string, birthday: string): string | null {
  const isoBirthday = parseBirthday(birthday, today);
  if (!isoBirthday || isoBirthday > today) return null;
  const [years = 0, months = 0, days = 0] = today
    .split("-")
    .map((part, index) => Number(part) - Number(isoBirthday.split("-")[index]));
  const ageInMonths = years * MONTHS_PER_YEAR + months - (days < 0 ? 1 : 0);
  const ageInYears = Math.floor(ageInMonths / MONTHS_PER_YEAR);
  if (ageInYears > MAX_AGE_IN_YEARS) return null;
  return ageInYears >= MIN_AGE_SHOWN_IN_YEARS
    ? `${ageInYears} years`
    : `${ageInMonths} month${ageInMonths === 1 ? "" : "s"}`;
}

/**
 * Parses "March 14, 2017", "Mar 14 2017", "3/14/2017", "3/14/17" or "2017-03-14" to "2017-03-14"; null for any other
 * text. A two-digit year is the latest one that is not in the future.
 */
function parseBirthday(text: string, today: string): string | null {
  const trimmed = text.trim();
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(trimmed) ?? [];
  if (year) return toIsoDate(year, month, day);
  const [, usMonth, usDay, usYear] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/.exec(trimmed) ?? [];
  if (usYear?.length === 2) {
    const inThisCentury = toIsoDate(today.slice(0, 2) + usYear, usMonth, usDay);
    if (!inThisCentury || inThisCentury <= today) return inThisCentury;
    return toIsoDate(String(Number(today.slice(0, 2)) - 1) + usYear, usMonth, usDay);
  }
  if (usYear) return toIsoDate(usYear, usMonth, usDay);
  const [, name = "", dayOfMonth, fullYear] =
    /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i.exec(trimmed) ?? [];
  return fullYear
    ? toIsoDate(fullYear, String(MONTH_ABBREVIATIONS.indexOf(name.slice(0, 3).toLowerCase()) + 1), dayOfMonth)
    : null;
}

function toIsoDate(year: string, month = "", day = ""): string | null {
  const text = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const midnight = new Date(`${text}T00:00Z`);
  return Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== text ? null : text;
}
