// Proves that random hostile requests cause no server error (`npm run faults -- requests` is the long run).
import { expect, inject, test } from "vitest";
import { fuzzRequests } from "../faults/http-fuzzer.ts";

const MAX_HEAP_GROWTH_MEBIBYTES = 64;
/** Of the whole process after its warm-up, which only the long run has. */
const MAX_GROWTH_MEBIBYTES = process.env.REQUESTS ? 50 : 256;
/** On a crowded machine fewer are sent; the full run takes its time. */
const MAX_MS = 30_000;
/** A run that sent fewer says nothing. */
const MIN_SENT = 300;
const count = Number(process.env.REQUESTS ?? 1_000);
const maxMs = process.env.REQUESTS ? Number(process.env.REQUESTS_MINUTES ?? Infinity) * 60_000 : MAX_MS;
const seed = Number(process.env.REQUESTS_SEED ?? 7);

test(`${count} random hostile requests get a response each, and none causes a server error`, async () => {
  const result = await fuzzRequests({ template: inject("template"), count, seed, maxMs });
  console.log(JSON.stringify(result, null, 1));
  expect(result.faults).toEqual([]);
  expect(result.logged).toEqual([]);
  expect(result.sent).toBeGreaterThanOrEqual(Math.min(count, MIN_SENT));
  expect(result.grownByMebibytes.heap).toBeLessThan(MAX_HEAP_GROWTH_MEBIBYTES);
  expect(result.grownByMebibytes.rss).toBeLessThan(MAX_GROWTH_MEBIBYTES);
});
