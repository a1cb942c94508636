import { randomInt } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { destination, pino, stdTimeFunctions } from "pino";
import { env } from "../env.server.ts";
import { prettyLog } from "./pretty-log.ts";

const REQUEST_ID_DIGITS = 8;
/** The first status that says that the fault is ours. */
const FIRST_SERVER_ERROR_STATUS = 500;
const CACHE_HIT_REPORT_INTERVAL_MS = 60_000;

const isTerminal = !env.isPublic && process.stdout.isTTY;
const logStream = destination({ dest: process.stdout.fd, sync: false });
// A log that can't be written (a full disk, a closed pipe) is no reason to answer nobody.
logStream.on("error", () => {});

/** One JSON line for each thing that happened, on standard output; for a person at a terminal, words. */
export const log = pino(
  {
    level: env.logLevel,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
  },
  isTerminal ? { write: (line: string) => process.stdout.write(prettyLog(line)) } : logStream,
);

/** What is written of a request beside its answer: its number, and its address as routes.ts writes it. */
type RequestLogContext = { id: string; route?: string };

const requestLogContexts = new WeakMap<object, RequestLogContext>();

/**
 * Gives a request its number, and writes one line when it is over: method, the route's pattern, status, time and bytes.
 * Nothing of what was asked or sent stands in it: no address with its ids and words, no name, no cookie, no visitor's
 * address. The number goes out with a failure of ours, so that who calls can say it; every other answer stays the same,
 * byte for byte, whoever asks: nothing may tell somebody else's document from one that never was.
 */
export function logRequest(request: IncomingMessage, response: ServerResponse): void {
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
    const { route } = logContext;
    if (route === "/healthz" && response.statusCode === 200) return;
    log[response.statusCode >= FIRST_SERVER_ERROR_STATUS ? "warn" : "info"]({
      id: id,
      method: request.method,
      route: route ?? "none",
      status: response.statusCode,
      ms: Math.round(performance.now() - startedAt),
      bytes: socket.bytesWritten - bytesBefore,
      ...(response.writableFinished ? {} : { cut: true }),
    });
  });
}

/** Names the route that a request found, as a pattern: "/documents/:id". */
export function setLogRoute(request: object, pattern: string): void {
  const logContext = requestLogContexts.get(request);
  if (logContext) logContext.route = pattern;
}

/** Names what comes next in the list of Express' handlers. */
export function logRoute(pattern: string) {
  return (request: object, _response: unknown, next: () => void): void => {
    setLogRoute(request, pattern);
    next();
  };
}

/** The number under which a request stands in the log; null for what came over no wire. */
export function getRequestId(request: object): string | null {
  return requestLogContexts.get(request)?.id ?? null;
}

let cacheHits = 0;

/** Public pages are answered from memory far faster than lines are written: they are counted, and told once a minute. */
export function countCacheHit(): void {
  cacheHits += 1;
}

/** Until the returned function is called, which tells the rest. */
export function startCacheHitReports(): () => void {
  const report = () => {
    if (cacheHits > 0) log.info({ cachedPages: cacheHits });
    cacheHits = 0;
  };
  const timer = setInterval(report, CACHE_HIT_REPORT_INTERVAL_MS).unref();
  return () => {
    clearInterval(timer);
    report();
  };
}

/** Hands everything to the system before the process ends. */
export function flushLog(): void {
  try {
    if (!isTerminal) logStream.flushSync();
  } catch {
    // Nothing was opened yet, or nobody reads it any more.
  }
}
