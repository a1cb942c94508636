import type { Mutant } from "./source-mutants.ts";

/** A trigger of SQLite, or a function of PostgreSQL's triggers. */
const BLOCK = /^CREATE (?:OR REPLACE )?(?:TRIGGER|FUNCTION)[\s\S]*?^(?:END|\$\$.*);$/gm;

/** The mutants that a migration can have: a rule of the database that is not there, or lacks one condition. */
export function sqlMutants(sql: string): Mutant[] {
  const mutants: Mutant[] = [];
  const add = (kind: string, start: number, end: number, replacement: string) =>
    mutants.push({ kind, start, end, replacement, isProperty: false, isStatic: true });
  const each = (pattern: RegExp, find: (start: number, text: string) => void) => {
    for (const { 0: text, index } of sql.matchAll(pattern)) find(index, text);
  };

  each(/\bCHECK (?=\()/g, (start, text) => add("sql check", start, closing(sql, start + text.length), "CHECK (1 = 1)"));
  each(/\bUNIQUE INDEX\b/g, (start, text) => add("sql unique", start, start + text.length, "INDEX"));
  // PostgreSQL: no overlap, the triggers' conditions, and the locks that they take.
  each(/\bEXCLUDE USING gist (?=\()/g, (start, text) => {
    const end = closing(sql, start + text.length);
    const where = /^\s*WHERE (?=\()/.exec(sql.slice(end));
    add("sql exclusion", start, where ? closing(sql, end + where[0].length) : end, "CHECK (1 = 1)");
  });
  each(/\bFOR EACH ROW WHEN (?=\()/g, (start, text) =>
    add("sql trigger", start, closing(sql, start + text.length), "FOR EACH ROW WHEN (false)"),
  );
  each(/\bFOR EACH ROW (?=EXECUTE)/g, (start, text) =>
    add("sql trigger", start, start + text.length, "FOR EACH ROW WHEN (false) "),
  );
  each(/\bIF (?=EXISTS \($)/gm, (start, text) => add("sql condition", start, start + text.length, "IF false AND "));
  each(/\bPERFORM .*;$/gm, (start, text) => add("sql lock", start, start + text.length, "NULL;"));
  each(BLOCK, (from, block) => {
    for (const { 0: line, 1: word = "", 2: condition = "", index } of block.matchAll(/^(\s*(?:AND|WHEN) )(.+)$/gm)) {
      const isWhole = condition.split("(").length === condition.split(")").length && !condition.includes(";");
      if (isWhole) add("sql condition", from + index, from + index + line.length, `${word}1 = 1`);
    }
    const body = /^CREATE TRIGGER[^\n]*\n(?:WHEN [^\n]*\n)?(?=BEGIN\n)/.exec(block);
    if (!body) return;
    const head = block.indexOf("\n") + 1;
    add("sql trigger", from + head, from + body[0].length, "WHEN 1 = 0\n");
  });
  return mutants.toSorted((a, b) => a.start - b.start);
}

/** Whether `mutant` is in a table, index or trigger of a migration that one of the `later` ones drops. */
export function isReplaced({ start }: Mutant, sql: string, later: string[]): boolean {
  const dropped = later.flatMap((each) =>
    [...each.matchAll(/^DROP (?:TRIGGER|TABLE|INDEX) (?:IF EXISTS )?"(\w+)"/gm)].map(([, name = ""]) => name),
  );
  return dropped.some((name) => {
    const own = new RegExp(
      `^CREATE (?:TABLE|TRIGGER|UNIQUE INDEX|INDEX) "${name}"[\\s\\S]*?^(?:END|\\))?;|^CREATE UNIQUE INDEX .* ON "${name}".*;`,
      "gm",
    );
    return [...sql.matchAll(own)].some(({ 0: text, index }) => start >= index && start < index + text.length);
  });
}

/** Where the parenthesis at `start` is closed. */
function closing(sql: string, start: number): number {
  let depth = 0;
  for (let at = start; at < sql.length; at += 1) {
    if (sql[at] === "(") depth += 1;
    if (sql[at] === ")" && --depth === 0) return at + 1;
  }
  return sql.length;
}
