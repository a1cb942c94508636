// Proves that tasks with the same key run one after another, and time out instead of piling up.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isConnectionError } from "../../app/db/database-errors.server.ts";
import { KeyedSerialQueue } from "../../app/serial-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const after = (ms: number, result: string) => new Promise<string>((resolve) => setTimeout(() => resolve(result), ms));

test("a task that waits over 4 seconds for others of its key times out; tasks of other keys run", async () => {
  const queue = new KeyedSerialQueue<number>();
  const first = queue.run(1, () => after(4_000, "first"));
  const second = queue.run(1, () => after(1, "second"));
  const third = queue.run(1, () => after(1, "third")).catch((error: unknown) => error);
  const other = queue.run(2, () => after(1, "other"));
  await vi.advanceTimersByTimeAsync(1);
  expect(await other).toBe("other");
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await Promise.all([first, second])).toEqual(["first", "second"]);
  expect(isConnectionError(await third)).toBe(true);
  expect(await queue.run(1, () => "later")).toBe("later");
});
