/**
 * The place before what a spreadsheet may take for a formula, also behind blanks and in its wide form (U+FF1D and
 * others): the start of a text, and behind a semicolon or bar, where a program with that list separator begins a cell.
 */
const FORMULA_PLACES =
  /(^|[;|])(?=[\s\p{Cf}\p{Default_Ignorable_Code_Point}'"]*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20\u2212])/gu;

export type Cell = string | { cents: number };

/**
 * A table as CSV for spreadsheets: RFC 4180, UTF-8 with a byte order mark. Amounts are exact, in US dollars with two
 * decimals. Each text is in quotes and one line; one that a spreadsheet would compute gets an apostrophe in front.
 */
export function toCsv(rows: readonly (readonly Cell[])[]): string {
  return `\uFEFF${rows.map(toCsvLine).join("")}`;
}

function toCsvLine(cells: readonly Cell[]): string {
  return `${cells.map(toCell).join(",")}\r\n`;
}

function toCell(cell: Cell): string {
  if (typeof cell === "object") return dollars(cell.cents);
  const line = cell.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return `"${line.replace(FORMULA_PLACES, "$1'").replaceAll('"', '""')}"`;
}

/** "-37.50", computed from whole cents. */
function dollars(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
