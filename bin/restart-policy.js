// Rules for when `npm start` restarts the server and after which delay. Plain JavaScript for Node 18, as in
// bin/start.js.

const INITIAL_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;
/** Uptime after which the server counts as healthy and the next delay is reset to the first one. */
const MIN_HEALTHY_UPTIME_MS = 5 * 60_000;
/** Exit code of the server (app/process/shutdown.server.ts) after an uncaught exception. */
const CRASH_EXIT_CODE = 70;
/** Shells and container engines report a signal as 128 plus its number. */
const MIN_SIGNAL_CODE = 128;

/** @typedef {{ code: number | null, signal: NodeJS.Signals | null }} ProcessEnd */

/**
 * Returns whether the server is restarted after its process ended. Exit code 0 is an orderly end. Signals, crashes and
 * signal codes always cause a restart. Before the server was ever ready, any other exit code is a configuration error,
 * which a restart would only repeat.
 * @param {ProcessEnd} end
 * @param {boolean} wasEverReady
 */
export function shouldRestart({ code, signal }, wasEverReady) {
  if (signal !== null || code === null) return true;
  if (code === 0) return false;
  return wasEverReady || code === CRASH_EXIT_CODE || code >= MIN_SIGNAL_CODE;
}

/**
 * Returns the number of consecutive failures, counting the one that just ended the server.
 * @param {number} failures those before it
 * @param {number} readyMs how long the server was ready before it ended; negative if it never was
 */
export function countFailures(failures, readyMs) {
  return readyMs >= MIN_HEALTHY_UPTIME_MS ? 1 : failures + 1;
}

/**
 * Returns the delay before a restart in milliseconds: 1 s after the first failure, then doubled, at most a minute.
 * @param {number} failures consecutive unexpected ends, at least 1
 */
export function restartDelayMs(failures) {
  return Math.min(MAX_DELAY_MS, INITIAL_DELAY_MS * 2 ** (failures - 1));
}

/** @param {ProcessEnd} end without code and signal if the process could not be created */
export function describeEnd({ code, signal }) {
  if (code === null && signal === null) return "the process could not be started";
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}
