import type { Server } from "node:http";
import { closeDatabase } from "../db/client.server.ts";
import { logError } from "../http/errors.server.ts";
import { drainRequests } from "../http/in-flight-requests.server.ts";
import { flushLog } from "../http/log.server.ts";
import { shutDownSignalling } from "../video/signalling.server.ts";
import { stopJobs } from "./jobs.server.ts";

/** Requests in progress, such as an upload, a download or a payment (20 s). The host waits longer before it kills. */
const DRAIN_TIMEOUT_MS = 25_000;
const CRASH_DRAIN_TIMEOUT_MS = 3_000;
/** After an uncaught exception; `npm start` then starts the server again (bin/restart-policy.js). */
const EXIT_CRASHED = 70;

let shutdown: Promise<void> | null = null;

/**
 * Finishes the requests in progress, closes the sockets, stops the jobs and disconnects from the database. A second call
 * changes nothing and resolves with the first.
 */
export function shutDown(server: Server, drainTimeoutMs = DRAIN_TIMEOUT_MS): Promise<void> {
  return (shutdown ??= finishAll(server, drainTimeoutMs));
}

/** Exits after a signal, an uncaught exception, or, with `endsWithParent`, when `npm start` is gone. */
export function exitOnSignals(server: Server, { endsWithParent }: { endsWithParent: boolean }): void {
  // A terminal's Ctrl-C arrives twice, from the terminal and from `npm start`: the second changes nothing.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void exitAfter(shutDown(server), 0));
  // Without `npm start` nobody could stop this process, and the next one needs its port.
  if (endsWithParent) process.once("disconnect", () => void exitAfter(shutDown(server), 0));
  // No request waits for this promise: those in progress are not affected.
  process.on("unhandledRejection", (error) => logError(error, "unhandled rejection"));
  // The state of the process is unknown: requests in progress are finished, and a new process starts.
  process.on("uncaughtException", (error) => {
    logError(error, "crash: uncaught exception");
    void exitAfter(shutDown(server, CRASH_DRAIN_TIMEOUT_MS), EXIT_CRASHED);
  });
}

async function finishAll(server: Server, drainTimeoutMs: number): Promise<void> {
  await Promise.all([drainRequests(server, drainTimeoutMs), shutDownSignalling()]);
  // After the requests, which may leave payments to be advanced in the background.
  await stopJobs();
  await closeDatabase();
  flushLog();
}

async function exitAfter(finished: Promise<void>, code: number): Promise<void> {
  await finished.catch((error: unknown) => logError(error, "shutting down"));
  flushLog();
  process.exit(code);
}
