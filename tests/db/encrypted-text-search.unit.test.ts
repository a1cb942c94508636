// Proves how many rows a search in encrypted texts reads, what matches, and how many rows it returns.
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testEnvironment } from "../support/test-environment.ts";

const folder = temporaryFolder("search");
Object.assign(process.env, await testEnvironment(`file:${folder}/none.db`, folder));
const { findIdsInNewestRows } = await import("../../app/db/text-search.server.ts");

/** Rows with the ids 1 to `count`, read newest first. */
function table(count: number, textOf: (id: number) => (string | null)[]) {
  const reads: number[] = [];
  const read = async ({ lt }: { lt: number }, take: number) => {
    const newest = Math.min(count, lt - 1);
    reads.push(newest);
    const ids = Array.from({ length: Math.max(0, Math.min(take, newest)) }, (_, at) => newest - at);
    return ids.map((id) => ({ id, texts: textOf(id) }));
  };
  return { read, reads };
}

test("each search word must be in one of a row's texts, ignoring case; without words nothing is read", async () => {
  const { read, reads } = table(4, (id) => [["Leo reads", "LEO", "reads leo", "Lea reads"][id - 1] ?? null, null]);
  expect(await findIdsInNewestRows([], read)).toEqual([]);
  expect(reads).toEqual([]);
  expect(await findIdsInNewestRows(["leo", "READS"], read)).toEqual([3, 1]);
  const split = table(1, () => ["Leo", "reads"]);
  expect(await findIdsInNewestRows(["leo", "reads"], split.read)).toEqual([1]);
  expect(await findIdsInNewestRows(["leoreads"], split.read)).toEqual([]);
});

test("accents, the kind of apostrophe and the format of a phone number make no difference", async () => {
  const { read } = table(3, (id) => [["Inês O\u2019Malley", "(732) 555-0134", "1:30 PM, room 12"][id - 1] ?? null]);
  for (const word of ["ines", "INÊS", "o'malley", "O\u2019MALLEY"])
    expect(await findIdsInNewestRows([word], read)).toEqual([1]);
  expect(await findIdsInNewestRows(["7325550134"], read)).toEqual([2]);
  expect(await findIdsInNewestRows(["(732)", "555-0134"], read)).toEqual([2]);
  expect(await findIdsInNewestRows(["13012"], read)).toEqual([]);
});

test("only the newest 5,000 rows are searched", async () => {
  const { read, reads } = table(6_000, (id) => [id <= 1_001 ? "old" : "new"]);
  expect(await findIdsInNewestRows(["old"], read)).toEqual([1_001]);
  expect([reads.length, reads.at(-1)]).toEqual([50, 1_100]);
});

test("at most 400 rows are returned, the newest first", async () => {
  const all = table(600, () => ["the same"]);
  const ids = await findIdsInNewestRows(["same"], all.read);
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([400, 600, 201]);
  expect(all.reads).toEqual([600, 500, 400, 300]);
  expect(await findIdsInNewestRows(["same"], table(400, () => ["the same"]).read)).toHaveLength(400);
});

test("a phone number is found in any stored and searched format, and inside a longer text", async () => {
  const { read } = table(4, (id) => [
    ["(848) 555-0110", "1-848-555-0110", "848.555.0110 ext. 5, evenings", "8 years, 48 days; 55 of 50110"][id - 1] ??
      "",
  ]);
  for (const search of [
    "8485550110",
    "848-555-0110",
    "(848) 555-0110",
    "848 555 0110",
    "+1 848 555 0110",
    "+18485550110",
  ])
    expect([search, await findIdsInNewestRows(search.split(" "), read)]).toEqual([search, [3, 2, 1]]);
  expect(await findIdsInNewestRows(["evenings", "(848)", "555-0110"], read)).toEqual([3]);
});

test("a date and a year are found as they are written", async () => {
  const { read } = table(1, () => ["IEP meeting on 10/12, plan of 2025 and 2026"]);
  expect(await findIdsInNewestRows(["10/12"], read)).toEqual([1]);
  expect(await findIdsInNewestRows(["2026", "2025"], read)).toEqual([1]);
});
