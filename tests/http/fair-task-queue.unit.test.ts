// Proves the order in which tasks of several networks start, and how many of one network run at once.
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { FairTaskQueue } from "../../app/http/fair-task-queue.server.ts";

async function ticks(count: number) {
  for (let tick = 0; tick < count; tick += 1) await setImmediate();
}

test("tasks start one per network in turn, so a network's many tasks do not delay those of other networks", async () => {
  const queue = new FairTaskQueue(8);
  const started: string[] = [];
  for (const network of ["many", "many", "many", "many", "one", "two", "two"])
    queue.add(network, () => started.push(network));
  expect(started).toEqual([]);
  await ticks(10);
  expect(started).toEqual(["many", "one", "two", "many", "two", "many", "many"]);
});

test("at most two tasks of a network run at once; the next starts when one is released", async () => {
  const queue = new FairTaskQueue(2);
  const releases: (() => void)[] = [];
  for (let count = 0; count < 4; count += 1) queue.add("many", () => releases.push(queue.acquire("many")));
  await ticks(10);
  expect(releases).toHaveLength(2);
  const other = new Promise<void>((resolve) => queue.add("other", resolve));
  await other;
  releases[0]?.();
  releases[0]?.();
  await ticks(10);
  expect(releases).toHaveLength(3);
  releases[1]?.();
  await ticks(10);
  expect(releases).toHaveLength(4);
});
