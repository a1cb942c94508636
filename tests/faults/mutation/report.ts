import { type PlacedMutant, read } from "./copies.ts";

const MAX_SHOWN_CHARACTERS = 160;

/** `killedBy` is the test or check that failed, null for a mutant that survived; `ran` of `covering` test files were run. */
export type Verdict = { mutant: PlacedMutant; killedBy: string | null; ran: number; covering: number };

/** Prints each survivor with what was changed, and the rate. */
export function printReport(verdicts: Verdict[], chosen: number): void {
  const survivors = verdicts.filter(({ killedBy }) => killedBy === null);
  const order = (one: Verdict, other: Verdict) =>
    one.mutant.file.localeCompare(other.mutant.file) || one.mutant.start - other.mutant.start;
  for (const { mutant, ran, covering } of survivors.toSorted(order)) {
    const tests = covering === 0 ? "no test covers it" : `ran ${ran} of ${covering} test files that cover it`;
    const before = shorten(read(mutant.file).slice(mutant.start, mutant.end));
    const after = mutant.isProperty ? "(left out)" : shorten(mutant.replacement);
    console.log(`\n${positionOf(mutant)} ${mutant.kind} (${tests})\n  before: ${before}\n  after:  ${after}`);
  }
  const killed = verdicts.length - survivors.length;
  const rate = ((100 * killed) / Math.max(1, verdicts.length)).toFixed(1);
  const countOf = (...names: string[]) => verdicts.filter(({ killedBy }) => names.includes(killedBy ?? "")).length;
  console.log(
    `\n${killed} of ${verdicts.length} mutants were killed (${rate}%): ${countOf("types", "lint")} by types or lint alone, ` +
      `${countOf("timeout")} by a timeout.`,
  );
  if (verdicts.length < chosen) console.log(`${chosen - verdicts.length} more were not tested: the time was up.`);
}

/** File and line. */
export function positionOf({ file, start }: PlacedMutant): string {
  return `${file}:${read(file).slice(0, start).split("\n").length}`;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > MAX_SHOWN_CHARACTERS ? `${line.slice(0, MAX_SHOWN_CHARACTERS)}…` : line || "(nothing)";
}
