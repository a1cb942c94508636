/**
 * Matches the positions before a character that a spreadsheet may treat as the start of a formula, also after white
 * space and in its full-width form (U+FF1D and others): at the start of a text, and after a semicolon or bar, because a
 * program with that list separator starts a new cell there.
 */
const FORMULA_START_PATTERN =
  /(^|[;|])(?=[\s\p{Cf}\p{Default_Ignorable_Code_Point}'"]*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20\u2212])/gu;

export type CsvCell = string | { cents: number };

/**
 * Formats a table as CSV for spreadsheets: RFC 4180, UTF-8 with a byte order mark. Amounts are exact, in US dollars
 * with two decimals. Each text is quoted and on one line. A text that a spreadsheet would evaluate as a formula is
 * prefixed with an apostrophe.
 */
export function toCsv(rows: readonly (readonly CsvCell[])[]): string {
  return `\uFEFF${rows.map(toCsvLine).join("")}`;
}

function toCsvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(toCsvCell).join(",")}\r\n`;
}

function toCsvCell(cell: CsvCell): string {
  if (typeof cell === "object") return formatCentsAsDollars(cell.cents);
  const line = cell.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return `"${line.replace(FORMULA_START_PATTERN, "$1'").replaceAll('"', '""')}"`;
}

/** Formats cents as dollars ("-37.50") without floating-point arithmetic. */
function formatCentsAsDollars(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
