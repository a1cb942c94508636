// Proves when a periodic job runs, and that stopping it waits for the run in progress.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type PeriodicJob, startPeriodicJob } from "../../app/periodic-job.ts";

const MINUTE = 60_000;
let errors: [unknown, string][] = [];
let runs = 0;

beforeEach(() => {
  vi.useFakeTimers();
  errors = [];
  runs = 0;
});
afterEach(() => vi.useRealTimers());

function start(job: Partial<PeriodicJob>) {
  const count = () => void (runs += 1);
  return startPeriodicJob({ name: "counting", intervalMs: MINUTE, run: count, ...job }, (...error) =>
    errors.push(error),
  );
}

/** A run that goes on until it is released. */
function longRun() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const run = () => {
    runs += 1;
    return promise;
  };
  return { run, release: resolve };
}

async function hasSettled(promise: Promise<void>): Promise<boolean> {
  let isSettled = false;
  void promise.then(() => (isSettled = true));
  await vi.advanceTimersByTimeAsync(0);
  return isSettled;
}

describe("a periodic job", () => {
  test("runs immediately, and again one interval later", async () => {
    start({});
    expect(runs).toBe(1);
    await vi.advanceTimersByTimeAsync(MINUTE - 1);
    expect(runs).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs).toBe(2);
  });

  test("with a delay first runs at the end of the delay", async () => {
    start({ delayMs: 5 * MINUTE });
    await vi.advanceTimersByTimeAsync(5 * MINUTE - 1);
    expect(runs).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs).toBe(1);
  });

  test("never has two runs at the same time, however long a run takes", async () => {
    const { run, release } = longRun();
    start({ run });
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(runs).toBe(1);
    release();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(runs).toBe(2);
  });

  test("that returns a delay runs again after that delay instead of its interval", async () => {
    start({ run: () => ((runs += 1) === 1 ? 2_000 : undefined) });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(runs).toBe(2);
    await vi.advanceTimersByTimeAsync(MINUTE - 1);
    expect(runs).toBe(2);
  });

  test("that fails is reported by its name and runs again, whether it throws or rejects", async () => {
    const failure = new Error("no database");
    start({
      run: () => {
        runs += 1;
        if (runs === 1) throw failure;
        return Promise.reject(failure);
      },
    });
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(runs).toBe(3);
    expect(errors).toEqual(Array.from({ length: 3 }, () => [failure, "counting"]));
  });

  test("without an interval runs once, even when it fails", async () => {
    start({ intervalMs: null, run: () => Promise.reject(new Error(String((runs += 1)))) });
    await vi.advanceTimersByTimeAsync(100 * MINUTE);
    expect([runs, errors.length]).toEqual([1, 1]);
  });
});

describe("stopping a job", () => {
  test("between two runs prevents further runs", async () => {
    const { stop } = start({});
    await stop();
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(runs).toBe(1);
  });

  test("sends an abort signal to the run in progress, waits for it and prevents further runs", async () => {
    let isTold = false;
    const { run, release } = longRun();
    const { stop } = start({
      run: (signal) => {
        signal.addEventListener("abort", () => (isTold = true));
        return run();
      },
    });
    const stopped = stop();
    expect([isTold, await hasSettled(stopped)]).toEqual([true, false]);
    release();
    expect(await hasSettled(stopped)).toBe(true);
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(runs).toBe(1);
  });

  test("waits for its onStop handler and reports the handler's failure", async () => {
    const { promise, reject } = Promise.withResolvers<void>();
    const stopped = start({ onStop: () => promise }).stop();
    expect(await hasSettled(stopped)).toBe(false);
    reject(new Error("the provider is gone"));
    expect(await hasSettled(stopped)).toBe(true);
    expect(errors).toEqual([[new Error("the provider is gone"), "counting"]]);
  });

  test("does not wait longer than 3 s for a run that never ends", async () => {
    const stopped = start({ run: longRun().run }).stop();
    await vi.advanceTimersByTimeAsync(2_999);
    expect(await hasSettled(stopped)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await hasSettled(stopped)).toBe(true);
  });
});
