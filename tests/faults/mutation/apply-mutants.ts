import type { Mutant } from "./source-mutants.ts";

/** The text of a file with this one fault. */
export function applyMutant(source: string, { start, end, replacement, isProperty }: Mutant): string {
  const rest = source.slice(end);
  return source.slice(0, start) + replacement + (isProperty ? rest.replace(/^\s*,/, "") : rest);
}

/**
 * The source with all mutants, each behind a condition: `isActive(n)` is true for the one that is under test, numbered
 * from `first`. One build then serves for every mutant.
 */
export function instrument(source: string, mutants: Mutant[], first: number, importPath: string): string {
  const inserted = mutants.flatMap(({ start, end, replacement, isProperty }, index) => {
    const condition = `isActive(${first + index}) ?`;
    const [before, after] = isProperty ? [`...(${condition} {} : {`, "})"] : [`(${condition} ${replacement} : `, ")"];
    return [
      { at: start, text: before, isEnd: 0, rank: -end },
      { at: end, text: after, isEnd: 1, rank: -start },
    ];
  });
  // At one position the ends come first; an outer expression begins first and ends last.
  inserted.sort((a, b) => a.at - b.at || b.isEnd - a.isEnd || a.rank - b.rank);
  let result = `import { isActive } from ${JSON.stringify(importPath)}; `;
  let from = 0;
  for (const { at, text } of inserted) {
    result += source.slice(from, at) + text;
    from = at;
  }
  return result + source.slice(from);
}
