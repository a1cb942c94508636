/** A measured value and its goal. Most goals are ratios, so that the speed of the machine cancels out. */
export type Finding = {
  goal: string;
  label: string;
  value: number;
  atLeast?: number;
  atMost?: number;
  unit?: "times" | "bytes" | "points" | "requests" | "responses" | "shift" | "ms" | "MiB";
  /** Counted rather than timed: missing the goal fails the run. */
  isCounted?: true;
  /** Details, such as the spread of the rounds or the ratio by processor time. */
  note?: string;
};

/** A ratio within this factor of its goal may miss it on the next run. */
const CLOSE_MARGIN = 1.25;

export function isMet({ value, atLeast = -Infinity, atMost = Infinity }: Finding): boolean {
  return value >= atLeast && value <= atMost;
}

/** The finding for a ratio of two targets of a race. */
export function raceFinding(
  goal: string,
  label: string,
  atLeast: number,
  { value, range, byProcessor }: { value: number; range: readonly [number, number]; byProcessor: number },
): Finding {
  const note = `rounds ${formatRatio(range[0])}–${formatRatio(range[1])}${byProcessor ? `; by processor time ${formatRatio(byProcessor)}` : ""}`;
  return { goal, label, value, atLeast, note };
}

export function printTable(findings: Finding[]): void {
  const rows = findings.map((finding) => [
    finding.goal,
    finding.label,
    formatMeasured(finding),
    formatWanted(finding),
    verdict(finding),
    finding.note ?? "",
  ]);
  const table = [["goal", "figure", "measured", "wanted", "", ""], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

function formatMeasured({ value, unit = "times" }: Finding): string {
  if (unit === "ms" || unit === "MiB") return `${value.toFixed(1)} ${unit}`;
  if (unit === "shift") return value === 0 ? "0" : value.toFixed(4);
  return unit === "times" ? formatRatio(value) : `${Math.round(value).toLocaleString("en-US")} ${unit}`;
}

function formatWanted({ atLeast, atMost, unit = "times" }: Finding): string {
  const text = (value: number) => (unit === "times" ? String(Number(value.toFixed(3))) : value.toLocaleString("en-US"));
  if (atLeast === undefined && atMost === undefined) return "";
  if (atLeast !== undefined && atLeast === atMost) return text(atLeast);
  return atLeast === undefined ? `≤ ${text(atMost ?? 0)}` : `≥ ${text(atLeast)}`;
}

function verdict(finding: Finding): string {
  if (!isMet(finding)) return "not met";
  const { value, atLeast, atMost, unit = "times" } = finding;
  const isClose =
    (atLeast !== undefined && value < atLeast * CLOSE_MARGIN) ||
    (atMost !== undefined && value * CLOSE_MARGIN > atMost);
  return unit === "times" && isClose ? "met, closely" : "met";
}

function formatRatio(value: number): string {
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
