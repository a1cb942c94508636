import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { NODE_EXECUTABLE, ROOT } from "../../../bin/prepare.js";
import { instrument } from "./apply-mutants.ts";
import { runProcess } from "./run-process.ts";
import { type Mutant, sourceMutants } from "./source-mutants.ts";
import { isReplaced, sqlMutants } from "./sql-mutants.ts";

export type DatabaseKind = "sqlite" | "postgresql";
/** `number` is what `isActive` is asked with; null for SQL, which is written into the migration. */
export type PlacedMutant = Mutant & { file: string; number: number | null };

const NOT_COPIED = new Set([
  "node_modules",
  "build",
  ".git",
  "data",
  "screenshots",
  "test-results",
  "playwright-report",
]);
/** Code of browsers only, and what is passed to them or to a worker as text. */
const NOT_SERVER = /\.client\.ts$|\/use-[^/]*\.ts$|password-worker\.ts$|^app\/(ui\/|routes\.ts)/;
const IS_ACTIVE = "app/is-active.ts";
const BUILD_TIMEOUT_MS = 300_000;

/** A temporary folder, removed when this process ends. Other accounts may pass through it: PostgreSQL has its own. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "portal-mutation-"));
  chmodSync(folder, 0o711);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));
  return folder;
}

/** Copies the working tree without what is built; packages are linked. */
export function copySources(target: string): void {
  mkdirSync(target);
  for (const name of readdirSync(ROOT))
    if (!NOT_COPIED.has(name) && !/^\.env$|\.log$/.test(name))
      cpSync(path.join(ROOT, name), path.join(target, name), { recursive: true });
  symlinkSync(path.join(ROOT, "node_modules"), path.join(target, "node_modules"));
}

/** All mutants of the server's code and of the migrations of one database, in the order of files and places. */
export function findMutants(database: DatabaseKind): PlacedMutant[] {
  const isSource = (file: string) => file.endsWith(".ts") && !NOT_SERVER.test(file);
  const sources = [...filesBelow("app").filter(isSource), "server.ts"];
  const migrations = filesBelow(`prisma/${database}/migrations`).filter((file) => file.endsWith(".sql"));
  const inSources = sources.flatMap((file) => sourceMutants(file, read(file)).map((mutant) => ({ ...mutant, file })));
  const inSql = migrations.flatMap((file, index) => {
    const later = migrations.slice(index + 1).map(read);
    const placed = sqlMutants(read(file)).filter((mutant) => !isReplaced(mutant, read(file), later));
    return placed.map((mutant) => ({ ...mutant, file, number: null }));
  });
  return [...inSources.map((mutant, number) => ({ ...mutant, number })), ...inSql];
}

/** Instruments the copy at `target` with all mutants and builds it. */
export async function buildInstrumented(target: string, mutants: PlacedMutant[]): Promise<void> {
  cpSync(path.join(import.meta.dirname, "is-active.ts"), path.join(target, IS_ACTIVE));
  for (const [file, ofFile] of Map.groupBy(mutants, (mutant) => mutant.file)) {
    const first = ofFile[0]?.number ?? null;
    if (first === null) continue;
    const relative = path.relative(path.dirname(file), IS_ACTIVE);
    const importPath = relative.startsWith(".") ? relative : `./${relative}`;
    writeFileSync(path.join(target, file), instrument(read(file), ofFile, first, importPath));
  }
  activate(target, "");
  const { code, output } = await runProcess(target, [NODE_EXECUTABLE, "bin/build.js"], BUILD_TIMEOUT_MS);
  if (code !== 0) throw new Error(`The copy could not be built:\n${output}`);
}

/** `mutant` is a number, "measure", or empty for the product as it is. Each process of the copy reads it at its start. */
export function activate(copy: string, mutant: string): void {
  writeFileSync(path.join(copy, ".mutant"), mutant);
}

const texts = new Map<string, string>();

/** The text of a file of the working tree as it was at the first reading, when it was copied. */
export function read(file: string): string {
  const text = texts.get(file) ?? readFileSync(path.join(ROOT, file), "utf8");
  texts.set(file, text);
  return text;
}

export function filesBelow(folder: string): string[] {
  const entries = readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
  return files.map((file) => path.relative(ROOT, file)).toSorted();
}
