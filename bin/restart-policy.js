// Rules for when `npm start` restarts the server and after which delay. Plain JavaScript for Node 18, as in
// bin/start.js.

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
/** Uptime after which the server counts as healthy and the next delay is reset to the first one. */
export const HEALTHY_MS = 5 * 60_000;
/** Exit code of the server (app/process/shutdown.server.ts) after an uncaught exception. */
const CRASHED = 70;
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
  return wasEverReady || code === CRASHED || code >= MIN_SIGNAL_CODE;
}

/**
 * Returns the delay before a restart in milliseconds: 1 s after the first failure, then doubled, at most a minute.
 * @param {number} failures consecutive unexpected ends, at least 1
 */
export function restartPauseMs(failures) {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
}

/** @param {ProcessEnd} end without code and signal if the process could not be created */
export function describeEnd({ code, signal }) {
  if (code === null && signal === null) return "no process could be made";
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}
