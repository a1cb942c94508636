// npm run faults -- tests [COUNT] [SEED] [--in=PATH]… [--database=sqlite|postgresql] [--processes=N] [--minutes=N] [--files=N] [--again]
// Mutation testing: plants small faults, one at a time, into a copy of the product and lists those that no test fails for.
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { NODE_EXECUTABLE } from "../../../bin/prepare.js";
import { seededRandom } from "../seeded-random.ts";
import { applyMutant } from "./apply-mutants.ts";
import {
  type DatabaseKind,
  type PlacedMutant,
  activate,
  buildInstrumented,
  copySources,
  findMutants,
  read,
  temporaryFolder,
} from "./copies.ts";
import { CACHE, coveringTests, inCopies, measureCoverage, runTests } from "./coverage.ts";
import { type Verdict, printReport, positionOf } from "./report.ts";
import { runProcess } from "./run-process.ts";

const TESTS_TIMEOUT_MS = 240_000;
const CHECK_TIMEOUT_MS = 120_000;
/** How long all survivors together may take in the checks. */
const ALL_CHECKS_MS = 10 * 60_000;
/** The checks of npm test that run nothing of the product. */
const CHECKS = [
  ["types", "typescript/bin/tsc"],
  ["lint", "oxlint/bin/oxlint", "--deny-warnings"],
];
const LAST_SURVIVORS = path.join(CACHE, "last-survivors.json");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    in: { type: "string", multiple: true },
    database: { type: "string", default: "sqlite" },
    processes: { type: "string", default: "2" },
    minutes: { type: "string", default: "60" },
    files: { type: "string", default: "12" },
    again: { type: "boolean", default: false },
  },
});
const database: DatabaseKind = values.database === "postgresql" ? "postgresql" : "sqlite";
const count = Number(positionals[0] ?? 200);
const seed = Number(positionals[1] ?? Date.now() % 1_000_000);

const folder = temporaryFolder();
const plainCopy = path.join(folder, "plain");
copySources(plainCopy);
const mutants = findMutants(database);
const copies = await makeCopies(Math.max(1, Number(values.processes)));
const coverage = await measureCoverage(copies, mutants, database);
const chosen = values.again ? lastSurvivors() : choose();
const deadline = Date.now() + Number(values.minutes) * 60_000;
console.log(`Testing ${chosen.length} of ${mutants.length} mutants, seed ${seed}, on ${database}`);

const verdicts: Verdict[] = [];
await inCopies(copies, chosen, async (copy, mutant) => {
  if (Date.now() > deadline) return;
  const verdict = await testMutant(copy, mutant);
  verdicts.push(verdict);
  writeFileSync(LAST_SURVIVORS, JSON.stringify(survivors().map((each) => identityOf(each.mutant))));
  const outcome = verdict.killedBy ?? "survived the tests";
  console.log(`${verdicts.length}. ${positionOf(mutant)} ${mutant.kind}: ${outcome}`);
});
const checksUntil = Date.now() + ALL_CHECKS_MS;
const canCheck = survivors().length > 0 && (await checksPass());
for (const verdict of survivors())
  if (canCheck && Date.now() < checksUntil) verdict.killedBy = await checkStatically(verdict.mutant);
printReport(verdicts, chosen.length);
process.exit(0);

function survivors() {
  return verdicts.filter(({ killedBy }) => killedBy === null);
}

async function makeCopies(wanted: number): Promise<string[]> {
  const [first = "", ...more] = Array.from({ length: wanted }, (_, index) => path.join(folder, `copy-${index}`));
  const options = { recursive: true, verbatimSymlinks: true };
  cpSync(plainCopy, first, options);
  await buildInstrumented(first, mutants);
  for (const copy of more) cpSync(first, copy, options);
  return [first, ...more];
}

/** Every kind of mutant gets the same share, however many places it has. */
function choose(): PlacedMutant[] {
  const { chance, pick } = seededRandom(seed);
  const covered = new Set([...coverage.values()].flatMap((ofFile) => ofFile.covered));
  const isWanted = ({ file, number }: PlacedMutant) =>
    (values.in?.some((prefix) => file.startsWith(prefix)) ?? true) &&
    !file.includes(database === "sqlite" ? "postgresql" : "sqlite") &&
    // A rule that only browsers apply is left to the browser tests.
    (number === null || covered.has(number) || file.endsWith("server.ts"));
  let byKind = [...Map.groupBy(mutants.filter(isWanted), ({ kind }) => kind).values()];
  const picked: PlacedMutant[] = [];
  while (picked.length < count && byKind.length > 0) {
    const ofKind = pick(byKind);
    picked.push(...ofKind.splice(Math.floor(chance() * ofKind.length), 1));
    byKind = byKind.filter((rest) => rest.length > 0);
  }
  return picked;
}

function lastSurvivors(): PlacedMutant[] {
  if (!existsSync(LAST_SURVIVORS)) throw new Error("There was no run before this one.");
  const identities = new Set(JSON.parse(readFileSync(LAST_SURVIVORS, "utf8")) as string[]);
  return mutants.filter((mutant) => identities.has(identityOf(mutant)));
}

/** The same after other lines of the file have changed. */
function identityOf({ file, kind, start, end, replacement }: PlacedMutant): string {
  const source = read(file);
  const line = source.slice(source.lastIndexOf("\n", start) + 1, source.indexOf("\n", end));
  return [file, kind, line.trim(), source.slice(start, end), replacement].join("|");
}

async function testMutant(copy: string, mutant: PlacedMutant): Promise<Verdict> {
  const covering = coveringTests(mutant, mutants, coverage);
  const files = covering.slice(0, Number(values.files));
  const migration = mutant.number === null ? path.join(copy, mutant.file) : null;
  if (migration) writeFileSync(migration, applyMutant(read(mutant.file), mutant));
  activate(copy, String(mutant.number ?? ""));
  let killedBy: string | null = null;
  try {
    // Most mutants are killed by the nearest tests.
    for (const group of [files.slice(0, 2), files.slice(2)]) {
      if (killedBy !== null || group.length === 0) continue;
      const { code, output } = await runTests(copy, database, group, TESTS_TIMEOUT_MS);
      if (code === null) killedBy = "timeout";
      else if (code !== 0) killedBy = /FAIL\s+(.*)/.exec(output)?.[1] ?? "the test run";
    }
  } finally {
    if (migration) writeFileSync(migration, read(mutant.file));
  }
  return { mutant, killedBy, ran: files.length, covering: covering.length };
}

/** A check that fails with no mutant active would count for every one. */
async function checksPass(): Promise<boolean> {
  const typegen = [NODE_EXECUTABLE, path.join(plainCopy, "node_modules/@react-router/dev/bin.cjs"), "typegen"];
  await runProcess(plainCopy, typegen, CHECK_TIMEOUT_MS);
  const failed = await findFailedCheck();
  if (failed) console.log(`The checks are left out: ${failed} fails with no mutant active.`);
  return failed === null;
}

async function findFailedCheck(): Promise<string | null> {
  for (const [name = "", script = "", ...args] of CHECKS) {
    const command = [NODE_EXECUTABLE, path.join(plainCopy, "node_modules", script), ...args];
    if ((await runProcess(plainCopy, command, CHECK_TIMEOUT_MS)).code !== 0) return name;
  }
  return null;
}

async function checkStatically(mutant: PlacedMutant): Promise<string | null> {
  if (mutant.number === null) return null;
  const file = path.join(plainCopy, mutant.file);
  writeFileSync(file, applyMutant(read(mutant.file), mutant));
  try {
    return await findFailedCheck();
  } finally {
    writeFileSync(file, read(mutant.file));
  }
}
