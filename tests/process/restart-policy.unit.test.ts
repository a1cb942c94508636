// Proves when `npm start` restarts a server that ended, and after which delay.
import { describe, expect, test } from "vitest";
import { countFailures, describeEnd, restartDelayMs, shouldRestart } from "../../bin/restart-policy.js";

const exit = (code: number) => ({ code, signal: null });
const killed = (signal: NodeJS.Signals) => ({ code: null, signal });

describe("npm start restarts the server", () => {
  test.each([
    ["it was killed with SIGKILL (out of memory)", killed("SIGKILL")],
    ["it was aborted with SIGABRT (heap limit)", killed("SIGABRT")],
    ["it had a segmentation fault", killed("SIGSEGV")],
    ["a shell reports SIGABRT as code 134", exit(134)],
    ["a container engine reports SIGKILL as code 137", exit(137)],
    ["it ended after an uncaught exception (code 70)", exit(70)],
    ["its process could not be started", { code: null, signal: null }],
  ])("whether or not it was ready, when %s", (_, end) => {
    expect([shouldRestart(end, true), shouldRestart(end, false)]).toEqual([true, true]);
  });

  test("after every exit code except 0 if it was ready", () => {
    expect([1, 2, 13, 69, 127, 128, 255].map((code) => shouldRestart(exit(code), true))).not.toContain(false);
    expect(shouldRestart(exit(0), true)).toBe(false);
  });

  test("but not after an ordinary exit code, such as 1 for invalid settings, before it was ready", () => {
    expect([0, 1, 2, 9, 69, 71, 127].map((code) => shouldRestart(exit(code), false))).not.toContain(true);
  });

  test("after a delay that doubles with each failure, up to one minute", () => {
    const pauses = [1, 2, 3, 6, 7, 8, 5000].map((failures) => restartDelayMs(failures) / 1000);
    expect(pauses).toEqual([1, 2, 4, 32, 60, 60, 60]);
  });

  test("after one second again when it was ready for at least five minutes", () => {
    const minutes = (count: number) => count * 60_000;
    const pauseAfter = (readyMs: number) => restartDelayMs(countFailures(5, readyMs)) / 1000;
    const neverReady = Number.NEGATIVE_INFINITY;
    expect([neverReady, 0, minutes(5) - 1, minutes(5), minutes(600)].map(pauseAfter)).toEqual([32, 32, 32, 1, 1]);
    expect([countFailures(0, minutes(5)), countFailures(0, neverReady)]).toEqual([1, 1]);
  });

  test("and describes the signal or exit code with which it ended", () => {
    expect([killed("SIGKILL"), exit(137), { code: null, signal: null }].map(describeEnd)).toEqual([
      "signal SIGKILL",
      "exit code 137",
      "the process could not be started",
    ]);
  });
});
