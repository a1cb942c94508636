// Becomes app/is-active.ts in the copies of the product. In a browser no mutant is active.
import type * as Files from "node:fs";

const files = globalThis.process?.getBuiltinModule?.("node:fs") as typeof Files | undefined;
const root = files ? import.meta.dirname.replace(/\/(app|build\/server)(\/.*)?$/, "") : "";
const active = files ? files.readFileSync(`${root}/.mutant`, "utf8") : "";
const seen = new Set<number>();

/** True when mutant `number` is under test. While coverage is measured, each process writes each number once. */
export const isActive = active === "measure" ? measure : (number: number): boolean => active === String(number);

function measure(number: number): boolean {
  if (!seen.has(number)) {
    seen.add(number);
    files?.appendFileSync(`${root}/.covered`, `${number}\n`);
  }
  return false;
}
