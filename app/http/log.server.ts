import { randomInt } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { destination, pino, stdTimeFunctions } from "pino";
import { env } from "../env.server.ts";
import { readableLine } from "./readable-line.ts";

const NUMBER_DIGITS = 8;
/** The first status that says that the fault is ours. */
const OURS_FROM = 500;
const KEPT_EVERY_MS = 60_000;

const onTerminal = !env.isPublic && process.stdout.isTTY;
const file = destination({ dest: process.stdout.fd, sync: false });
// A log that can't be written (a full disk, a closed pipe) is no reason to answer nobody.
file.on("error", () => {});

/** One JSON line for each thing that happened, on standard output; for a person at a terminal, words. */
export const log = pino(
  {
    level: env.logLevel,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
  },
  onTerminal ? { write: (line: string) => process.stdout.write(readableLine(line)) } : file,
);

/** What is written of a request beside its answer: its number, and its address as routes.ts writes it. */
type Noted = { number: string; route?: string };

const noted = new WeakMap<object, Noted>();

/**
 * Gives a request its number, and writes one line when it is over: method, the route's pattern, status, time and bytes.
 * Nothing of what was asked or sent stands in it: no address with its ids and words, no name, no cookie, no visitor's
 * address. The number goes out with a failure of ours, so that who calls can say it; every other answer stays the same,
 * byte for byte, whoever asks: nothing may tell somebody else's document from one that never was.
 */
export function logRequest(request: IncomingMessage, response: ServerResponse): void {
  const number = String(randomInt(10 ** NUMBER_DIGITS)).padStart(NUMBER_DIGITS, "0");
  const note: Noted = { number };
  noted.set(request, note);
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
  response.writeHead = (...head: unknown[]) => {
    if (Number(head[0]) >= OURS_FROM) response.setHeader("X-Request-Id", number);
    return writeHead(...head);
  };
  const began = performance.now();
  const { socket } = request;
  const written = socket.bytesWritten;
  response.once("close", () => {
    const { route } = note;
    if (route === "/healthz" && response.statusCode === 200) return;
    log[response.statusCode >= OURS_FROM ? "warn" : "info"]({
      id: number,
      method: request.method,
      route: route ?? "none",
      status: response.statusCode,
      ms: Math.round(performance.now() - began),
      bytes: socket.bytesWritten - written,
      ...(response.writableFinished ? {} : { cut: true }),
    });
  });
}

/** Names the route that a request found, as a pattern: "/documents/:id". */
export function noteRoute(request: object, pattern: string): void {
  const note = noted.get(request);
  if (note) note.route = pattern;
}

/** Names what comes next in the list of Express' handlers. */
export function named(pattern: string) {
  return (request: object, _response: unknown, next: () => void): void => {
    noteRoute(request, pattern);
    next();
  };
}

/** The number under which a request stands in the log; null for what came over no wire. */
export function requestNumber(request: object): string | null {
  return noted.get(request)?.number ?? null;
}

let kept = 0;

/** Public pages are answered from memory far faster than lines are written: they are counted, and told once a minute. */
export function countKept(): void {
  kept += 1;
}

/** Until the returned function is called, which tells the rest. */
export function tellKept(): () => void {
  const tell = () => {
    if (kept > 0) log.info({ keptPages: kept });
    kept = 0;
  };
  const timer = setInterval(tell, KEPT_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    tell();
  };
}

/** Hands everything to the system before the process ends. */
export function flushLog(): void {
  try {
    if (!onTerminal) file.flushSync();
  } catch {
    // Nothing was opened yet, or nobody reads it any more.
  }
}
