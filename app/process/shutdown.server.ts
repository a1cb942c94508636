import type { Server } from "node:http";
import { closeDatabase } from "../db/database-client.server.ts";
import { logError } from "../http/errors.server.ts";
import { drainRequests } from "../http/in-flight-requests.server.ts";
import { flushLog } from "../http/log.server.ts";
import { shutDownSignaling } from "../video/signaling.server.ts";
import { stopJobs } from "./jobs.server.ts";

/**
 * Maximum time for requests in progress, such as an upload, a download or a payment (20 s). The host waits longer
 * before it kills the process.
 */
const DRAIN_TIMEOUT_MS = 25_000;
const CRASH_DRAIN_TIMEOUT_MS = 3_000;
/** Exit code after an uncaught exception. `npm start` then restarts the server (bin/restart-policy.js). */
const CRASH_EXIT_CODE = 70;

let shutdown: Promise<void> | null = null;

/**
 * Finishes the requests in progress, closes the sockets, stops the jobs and disconnects from the database. A second
 * call has no effect and resolves with the first.
 */
export function shutDownOnce(server: Server, drainTimeoutMs = DRAIN_TIMEOUT_MS): Promise<void> {
  return (shutdown ??= shutDownGracefully(server, drainTimeoutMs));
}

/**
 * Makes the process exit after a signal, an uncaught exception, or, with `endsWithParent`, after `npm start` has ended.
 */
export function installProcessExitHandlers(server: Server, { endsWithParent }: { endsWithParent: boolean }): void {
  // Ctrl-C in a terminal arrives twice, from the terminal and from `npm start`; the second signal has no effect.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => void exitAfter(shutDownOnce(server), 0));
  // Without `npm start` this process could not be stopped, and the next one needs its port.
  if (endsWithParent) process.once("disconnect", () => void exitAfter(shutDownOnce(server), 0));
  // No request waits for this promise, so requests in progress are not affected.
  process.on("unhandledRejection", (error) => logError(error, "unhandled rejection"));
  // The state of the process is unknown, so requests in progress are finished, and a new process is started.
  process.on("uncaughtException", (error) => {
    logError(error, "crash: uncaught exception");
    void exitAfter(shutDownOnce(server, CRASH_DRAIN_TIMEOUT_MS), CRASH_EXIT_CODE);
  });
}

async function shutDownGracefully(server: Server, drainTimeoutMs: number): Promise<void> {
  await Promise.all([drainRequests(server, drainTimeoutMs), shutDownSignaling()]);
  // Stopped after the requests, which may leave payments to be advanced in the background.
  await stopJobs();
  await closeDatabase();
  flushLog();
}

async function exitAfter(finished: Promise<void>, code: number): Promise<void> {
  await finished.catch((error: unknown) => logError(error, "shutting down"));
  flushLog();
  process.exit(code);
}
