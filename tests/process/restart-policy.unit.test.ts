// Proves how long `npm start` waits before it restarts a server that ended.
import { describe, expect, test } from "vitest";
import { countFailures, describeEnd, restartDelayMs, shouldRestart } from "../../bin/restart-policy.js";

const exit = (code: number) => ({ code, signal: null });
const killed = (signal: NodeJS.Signals) => ({ code: null, signal });

describe("npm start begins the server anew", () => {
  test.each([
    ["the kernel, short of memory, killed it", killed("SIGKILL")],
    ["it ran out of its own heap", killed("SIGABRT")],
    ["it read memory that is not its own", killed("SIGSEGV")],
    ["a shell in between reports the heap", exit(134)],
    ["a container engine reports the kill", exit(137)],
    ["an exception was caught by nobody", exit(70)],
    ["there was no memory for a process", { code: null, signal: null }],
  ])("whether it had been ready or not, when %s", (_, end) => {
    expect([shouldRestart(end, true), shouldRestart(end, false)]).toEqual([true, true]);
  });

  test("once it was ready, after any code but its own orderly end", () => {
    expect([1, 2, 13, 69, 127, 128, 255].map((code) => shouldRestart(exit(code), true))).not.toContain(false);
    expect(shouldRestart(exit(0), true)).toBe(false);
  });

  test("never when it refused its settings before it was ready", () => {
    expect([0, 1, 2, 9, 69, 71, 127].map((code) => shouldRestart(exit(code), false))).not.toContain(true);
  });

  test("after a pause that doubles, and never exceeds a minute", () => {
    const pauses = [1, 2, 3, 6, 7, 8, 5000].map((failures) => restartDelayMs(failures) / 1000);
    expect(pauses).toEqual([1, 2, 4, 32, 60, 60, 60]);
  });

  test("after a second again once it was ready for five minutes, and not before", () => {
    const minutes = (count: number) => count * 60_000;
    const pauseAfter = (readyMs: number) => restartDelayMs(countFailures(5, readyMs)) / 1000;
    const neverReady = Number.NEGATIVE_INFINITY;
    expect([neverReady, 0, minutes(5) - 1, minutes(5), minutes(600)].map(pauseAfter)).toEqual([32, 32, 32, 1, 1]);
    expect([countFailures(0, minutes(5)), countFailures(0, neverReady)]).toEqual([1, 1]);
  });

  test("and says how the last one ended", () => {
    expect([killed("SIGKILL"), exit(137), { code: null, signal: null }].map(describeEnd)).toEqual([
      "signal SIGKILL",
      "exit code 137",
      "the process could not be started",
    ]);
  });
});
