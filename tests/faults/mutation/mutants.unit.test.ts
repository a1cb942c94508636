// Proves which mutants the mutation tests create, and that instrumented code without one behaves like the source.
import { compileFunction } from "node:vm";
import { describe, expect, test } from "vitest";
import { applyMutant, instrument } from "./apply-mutants.ts";
import { sourceMutants } from "./source-mutants.ts";
import { sqlMutants } from "./sql-mutants.ts";

/** Each mutant as its kind and what the source is with it. */
function mutantsOf(source: string): [kind: string, result: string][] {
  return sourceMutants("any.ts", source).map((mutant) => [mutant.kind, applyMutant(source, mutant)]);
}

const kindsOf = (source: string) => mutantsOf(source).map(([kind]) => kind);

describe("mutants", () => {
  test.each([
    ["comparison", "const a = b < c;", "const a = (b) <= (c);"],
    ["comparison", "const a = b === c;", "const a = (b) !== (c);"],
    ["guard", "function f() { if (isClosed) return refusal; }", "function f() { if (false) return refusal; }"],
    ["guard", "const a = (await problem()) ?? book();", "const a = (book());"],
    ["condition", "if (isNew) count();", "if (false) count();"],
    ["logic", "const a = b && c;", "const a = (b) || (c);"],
    ["await", "const a = await save();", "const a = (save());"],
    ["call", "lock(account);", "undefined;"],
    ["limit", "const MAX_VISITS = 2;", "const MAX_VISITS = (2) + 1;"],
    ["limit", "const KEEP_MS = 60_000;", "const KEEP_MS = 2 * (60_000);"],
    ["limit", "const name = text.max(100);", "const name = text.max(100 + 1);"],
    ["status", 'const a = refused("notFound", "None.");', 'const a = refused("forbidden", "None.");'],
    ["status", "const a = { notFound: 404 };", "const a = { notFound: 200 };"],
    ["header", 'const a = { "Cache-Control": "no-store", b: 1 };', "const a = {  b: 1 };"],
    ["header", 'headers.set("Retry-After", "5");', "undefined;"],
    ["owner", "const a = find({ where: { id, userId } });", "const a = find({ where: { id,  } });"],
    ["where", "const where = { isAdmin: false, name };", "const where = {  name };"],
    ["order", 'const a = { orderBy: { id: "asc" } };', 'const a = { orderBy: { id: "desc" } };'],
    ["order", "const a = b.toSorted((c, d) => c - d);", "const a = b.toSorted((c, d) => (d) - (c));"],
    ["mode", "const a = open(file, 0o600);", "const a = open(file, 0o644);"],
    ["arithmetic", "const a = paidCents - backCents;", "const a = (paidCents) + (backCents);"],
  ])("%s: %s", (kind, source, result) => expect(mutantsOf(source)).toContainEqual([kind, result]));

  test("each optional condition of an SQL query has a mutant without it", () => {
    const source = 'const a = sql`SELECT 1\n  WHERE "id" = ${id}\n  AND "userId" = ${own}\n  AND "state" = 1\n`;';
    const [owner, state] = mutantsOf(source);
    expect(owner).toEqual(["owner", source.replace('  AND "userId" = ${own}', "")]);
    expect(state).toEqual(["where", source.replace('  AND "state" = 1', "")]);
  });

  test("types, log lines, string literals and imports have no mutants", () => {
    expect(kindsOf('type A = B extends 404 ? "asc" : never;')).toEqual([]);
    expect(kindsOf("log.warn(a < b ? 1 : 2); logError(error, `${a && b}`);")).toEqual([]);
    expect(kindsOf('const text = "asc and 404"; import a from "b";')).toEqual([]);
  });

  test("instrumented code behaves like the source with only the active mutant applied", () => {
    const source = "return { fits: a < b && !(a === c), ...(a ? { where: { id: 1, userId: 2 } } : {}) };";
    const mutants = sourceMutants("any.ts", `function f() { ${source} }`).map((mutant) => ({
      ...mutant,
      start: mutant.start - 15,
      end: mutant.end - 15,
    }));
    const instrumented = instrument(source, mutants, 0, "./switch.ts").replace(/^import .*?; /, "");
    const run = (body: string, active: number): unknown =>
      compileFunction(body, ["a", "b", "c", "isActive"])(1, 2, 3, (number: number) => number === active);
    expect(run(instrumented, -1)).toEqual(run(source, -1));
    for (const [index, mutant] of mutants.entries())
      expect(run(instrumented, index)).toEqual(run(applyMutant(source, mutant), -1));
    expect(mutants.map(({ kind }) => kind)).toEqual([
      "logic",
      "comparison",
      "condition",
      "comparison",
      "where",
      "owner",
    ]);
  });

  test("a migration has a mutant for each check, unique index, trigger and trigger condition", () => {
    const sql = [
      'CREATE TABLE "a" ("n" INTEGER, CONSTRAINT "n_range" CHECK ("n" IN (1, 2)));',
      'CREATE UNIQUE INDEX "a_n" ON "a"("n");',
      'CREATE TRIGGER "a_stays" BEFORE DELETE ON "a"',
      "BEGIN",
      "  SELECT RAISE(ABORT, 'a_stays') WHERE EXISTS (",
      '    SELECT 1 FROM "b" WHERE "b"."n" = 1',
      "    AND \"status\" <> 'cancelled'",
      "  );",
      "END;",
    ].join("\n");
    expect(sqlMutants(sql).map((mutant) => [mutant.kind, applyMutant(sql, mutant)])).toEqual([
      ["sql check", sql.replace('("n" IN (1, 2))', "(1 = 1)")],
      ["sql unique", sql.replace("UNIQUE INDEX", "INDEX")],
      ["sql trigger", sql.replace("\nBEGIN", "\nWHEN 1 = 0\nBEGIN")],
      ["sql condition", sql.replace("AND \"status\" <> 'cancelled'", "AND 1 = 1")],
    ]);
  });
});
