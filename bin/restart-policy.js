// When `npm start` begins the server anew, and after which pause. Plain JavaScript for Node 18, like bin/start.js.

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
/** A server that answered for so long was healthy: the next pause is the first again. */
export const HEALTHY_MS = 5 * 60_000;
/** The server ends with this code (app/process/shutdown.server.ts) after an exception that nobody caught. */
const CRASHED = 70;
/** Shells and container engines report a signal as 128 and its number. */
const MIN_SIGNAL_CODE = 128;

/** @typedef {{ code: number | null, signal: NodeJS.Signals | null }} ProcessEnd */

/**
 * Whether an end that nobody asked for is followed by a new start. Code 0 is the server's own orderly end. Before the
 * server was ever ready any other plain code is a mistake in its settings, which a new start would only repeat.
 * @param {ProcessEnd} end
 * @param {boolean} wasEverReady
 */
export function shouldRestart({ code, signal }, wasEverReady) {
  if (signal !== null || code === null) return true;
  if (code === 0) return false;
  return wasEverReady || code === CRASHED || code >= MIN_SIGNAL_CODE;
}

/**
 * The pause before a start, in milliseconds: 1 s after the first failure, then twice the one before, at most a minute.
 * @param {number} failures how many ends in a row nobody asked for, 1 or more
 */
export function restartPauseMs(failures) {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
}

/** @param {ProcessEnd} end neither code nor signal: there was no process */
export function describeEnd({ code, signal }) {
  if (code === null && signal === null) return "no process could be made";
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}
