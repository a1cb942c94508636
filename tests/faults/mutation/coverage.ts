import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { NODE_EXECUTABLE, ROOT } from "../../../bin/prepare.js";
import { type DatabaseKind, type PlacedMutant, activate, filesBelow, read } from "./copies.ts";
import { runProcess } from "./run-process.ts";

/** What one test file covers: the numbers of the mutants. `hash` is of everything that the numbers depend on. */
type FileCoverage = { hash: string; seconds: number; passed: boolean; covered: number[] };
export type Coverage = Map<string, FileCoverage>;

export const CACHE = path.join(ROOT, "node_modules/.cache/mutation");
const FILE_TIMEOUT_MS = 300_000;

/** Runs test files in a copy until one fails. */
export function runTests(copy: string, database: DatabaseKind, files: string[], timeoutMs: number) {
  const vitest = path.join(copy, "node_modules/vitest/vitest.mjs");
  const options = [
    "--bail=1",
    "--retry=1",
    "--maxWorkers=2",
    `--project=${database}`,
    "--project=rules",
    "--reporter=dot",
  ];
  return runProcess(copy, [NODE_EXECUTABLE, vitest, "run", ...options, ...files], timeoutMs);
}

/**
 * Finds which test files cover which mutants: runs each file once with no mutant active. The result is cached until the
 * product, the tests' support or the test file changes.
 */
export async function measureCoverage(copies: string[], mutants: PlacedMutant[], database: DatabaseKind) {
  mkdirSync(CACHE, { recursive: true });
  const cache = path.join(CACHE, `coverage-${database}.json`);
  const cached = existsSync(cache) ? (JSON.parse(readFileSync(cache, "utf8")) as Record<string, FileCoverage>) : {};
  const common = hashOfAll(mutants);
  const coverage: Coverage = new Map();
  const outdated = [];
  for (const file of testFiles(database)) {
    const hash = hashOfTest(common, file);
    const known = cached[file];
    if (known?.hash === hash) coverage.set(file, known);
    else outdated.push({ file, hash });
  }
  if (outdated.length > 0) console.log(`Measuring what ${outdated.length} test files cover …`);
  await inCopies(copies, outdated, async (copy, { file, hash }) => {
    const start = Date.now();
    const list = path.join(copy, ".covered");
    rmSync(list, { force: true });
    activate(copy, "measure");
    const { code, output } = await runTests(copy, database, [file], FILE_TIMEOUT_MS);
    const lines = existsSync(list) ? readFileSync(list, "utf8").trim().split("\n") : [];
    const covered = [...new Set(lines.map(Number))];
    coverage.set(file, { hash, seconds: (Date.now() - start) / 1000, passed: code === 0, covered });
    if (code !== 0) console.log(`${file} is left out: it fails with no mutant active.\n${output.slice(-1500)}`);
    writeFileSync(cache, JSON.stringify(Object.fromEntries(coverage)));
  });
  return coverage;
}

/** The test files that need no browser and no container. */
function testFiles(database: DatabaseKind): string[] {
  return filesBelow("tests").filter(
    (file) =>
      file.endsWith(".test.ts") &&
      !/^tests\/(container|faults|architecture)/.test(file) &&
      (database === "postgresql" || !file.endsWith(".postgresql.test.ts")),
  );
}

/**
 * The test files that may kill a mutant, the likeliest first: those of its folder, then those that cover most of its
 * file. Every test file covers what is evaluated at load time; such a mutant counts as covered by the test files that
 * cover other mutants of its file. SQL is covered by `tests/db`.
 */
export function coveringTests(mutant: PlacedMutant, mutants: PlacedMutant[], coverage: Coverage): string[] {
  const { number, isStatic } = mutant;
  if (number === null) return [...coverage.keys()].filter((file) => file.startsWith("tests/db/"));
  const ofFile = mutants.filter((other) => other.file === mutant.file && !other.isStatic).map((other) => other.number);
  const dynamic = new Set(ofFile);
  const folder = `tests/${mutant.file.split("/")[1] ?? ""}/`;
  const rows = [...coverage].flatMap(([file, { covered, seconds, passed }]) => {
    const near = covered.filter((each) => dynamic.has(each)).length;
    const isCovered = covered.includes(number) && (!isStatic || dynamic.size === 0 || near > 0);
    return passed && isCovered ? [{ file, near, seconds, isOwn: file.startsWith(folder) }] : [];
  });
  const order = (one: (typeof rows)[0], other: (typeof rows)[0]) =>
    Number(other.isOwn) - Number(one.isOwn) || other.near - one.near || one.seconds - other.seconds;
  return rows.toSorted(order).map(({ file }) => file);
}

/** Works through `items`, one at a time in each copy. */
export async function inCopies<T>(copies: string[], items: T[], work: (copy: string, item: T) => Promise<void>) {
  const queue = [...items];
  await Promise.all(
    copies.map(async (copy) => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(copy, item);
    }),
  );
}

function hashOfAll(mutants: PlacedMutant[]): string {
  const hash = createHash("sha256").update(JSON.stringify(mutants.filter(({ number }) => number !== null)));
  for (const file of [...filesBelow("app"), "server.ts"]) hash.update(`${file}\0`).update(read(file)).update("\0");
  return hash.digest("hex");
}

/** Of everything that what a test file covers depends on: the product, the file itself and what it imports of `tests`. */
function hashOfTest(common: string, testFile: string): string {
  const hash = createHash("sha256").update(common);
  const files = new Set([testFile]);
  for (const file of files) {
    hash.update(`${file}\0`).update(read(file)).update("\0");
    for (const [, name = ""] of read(file).matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)) {
      const imported = path.join(path.dirname(file), name);
      if (imported.startsWith("tests/")) files.add(imported);
    }
  }
  return hash.digest("hex");
}
