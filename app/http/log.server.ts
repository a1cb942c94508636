import { randomInt } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { destination, pino, stdTimeFunctions } from "pino";
import { SECOND_MS } from "../time-units.ts";
import { env } from "../env.server.ts";
import { incrementCachedPageCounter, observeHttpRequest } from "./metrics.server.ts";
import { formatLogRecord } from "./format-log-record.ts";

const REQUEST_ID_DIGITS = 8;
const FIRST_SERVER_ERROR_STATUS = 500;
/** Status that is logged but never sent: the connection closed before a response began (nginx uses the same number). */
const CONNECTION_CLOSED_STATUS = 499;

const isTerminal = !env.isPublic && process.stdout.isTTY;
const logStream = destination({ dest: process.stdout.fd, sync: false });
// A log that can't be written (full disk, closed pipe) must not stop the server.
logStream.on("error", () => {});

/** Logs JSON lines to standard output, or readable text to a terminal. */
export const log = pino(
  {
    level: env.logLevel,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
  },
  isTerminal ? { write: (line: string) => process.stdout.write(formatLogRecord(line)) } : logStream,
);

/** The request's id and its route pattern, as in routes.ts. */
type RequestLogContext = { id: string; route?: string };

const requestLogContexts = new WeakMap<object, RequestLogContext>();

/**
 * Assigns a request id, and logs one line when the response closes: method, route pattern, status, milliseconds and
 * bytes. Never logs paths with ids, queries, names, cookies or IP addresses. Only responses to server errors contain
 * the id. Other responses must be identical for everyone, so that they don't reveal whether another family's document
 * exists.
 */
export function assignRequestIdAndLog(request: IncomingMessage, response: ServerResponse): void {
  const id = String(randomInt(10 ** REQUEST_ID_DIGITS)).padStart(REQUEST_ID_DIGITS, "0");
  const logContext: RequestLogContext = { id };
  requestLogContexts.set(request, logContext);
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]) => {
    if (Number(args[0]) >= FIRST_SERVER_ERROR_STATUS) response.setHeader("X-Request-Id", id);
    return writeHead(...args);
  };
  const startedAt = performance.now();
  const { socket } = request;
  const bytesBefore = socket.bytesWritten;
  response.once("close", () => {
    const { route = "none" } = logContext;
    const status = response.headersSent ? response.statusCode : CONNECTION_CLOSED_STATUS;
    if (route === "/healthz" && status === 200) return;
    const { method = "" } = request;
    const ms = performance.now() - startedAt;
    observeHttpRequest({ method, route, status }, ms / SECOND_MS);
    log[status >= FIRST_SERVER_ERROR_STATUS ? "warn" : "info"]({
      id,
      method,
      route,
      status,
      ms: Math.round(ms),
      bytes: socket.bytesWritten - bytesBefore,
      ...(response.writableFinished ? {} : { cut: true }),
    });
  });
}

/** Sets the route pattern of a request for the log, such as "/documents/:id". */
export function setLogRoute(request: object, pattern: string): void {
  const logContext = requestLogContexts.get(request);
  if (logContext) logContext.route = pattern;
}

/** Express middleware that sets the route pattern of the handlers after it. */
export function setLogRouteMiddleware(pattern: string) {
  return (request: object, _response: unknown, next: () => void): void => {
    setLogRoute(request, pattern);
    next();
  };
}

/** Returns the request's id in the log, or null for a request that the server created internally. */
export function getRequestId(request: object): string | null {
  return requestLogContexts.get(request)?.id ?? null;
}

let pageCacheHits = 0;

/**
 * Counts a page served from the cache. The log contains only their number per minute, because they are served faster
 * than lines are written.
 */
export function recordPageCacheHit(): void {
  pageCacheHits += 1;
  incrementCachedPageCounter();
}

/** Logs how many pages were served from memory since the last call, unless there were none. */
export function logPageCacheHits(): void {
  if (pageCacheHits > 0) log.info({ cachedPages: pageCacheHits });
  pageCacheHits = 0;
}

/** Writes all buffered lines before the process exits. */
export function flushLog(): void {
  try {
    if (!isTerminal) logStream.flushSync();
  } catch {
    // The stream is not open yet, or its reader has closed it.
  }
}
