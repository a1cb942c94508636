import type { ErrorRequestHandler } from "express";
import { isFull, isUnreachable } from "../db.server.ts";
import { isApi } from "./guard.server.ts";
import { refusalAnswer } from "./json.server.ts";
import { log, requestNumber } from "./log.server.ts";
import { type Refusal, refused, STATUS } from "./outcome.ts";

export const RETRY_SECONDS = 10;
const OURS = "Something went wrong on our side. Please try again.";

/** What a person is told when something of ours failed. The reason stays in the log, without what they typed. */
export function failure(error: unknown): Refusal | null {
  if (isFull(error))
    return refused(
      "storageFull",
      "We can't save anything just now: our storage is full. Nothing was changed. Please call us.",
    );
  if (!isUnreachable(error)) return null;
  const refusal = refused(
    "unavailable",
    "We can't reach our records just now. Nothing was changed. Please try again in a minute.",
  );
  return { ...refusal, retryAfterSeconds: RETRY_SECONDS };
}

/** Writes down what went wrong and where; `request`, when there is one, lends its number. A sentence of ours is told whole. */
export function logFailure(error: unknown, where: string, request?: object): void {
  const id = request ? requestNumber(request) : null;
  log.error({ ...(id ? { id } : {}), where, error: describe(error) });
}

/**
 * What is thrown where nobody could find out who is visiting, so that nobody is let in: an answer with its own status
 * for pages, their data, files and programs alike. An error of another kind is thrown as it is.
 */
export function answerInstead(error: unknown, path: string, request: object): unknown {
  const known = failure(error);
  if (!known) return error;
  logFailure(error, "finding a sign-in", request);
  if (path.startsWith("/api/")) return refusalAnswer(known);
  const headers = { "Retry-After": String(known.retryAfterSeconds ?? RETRY_SECONDS) };
  return new Response(known.message, { status: STATUS[known.reason], statusText: "Service Unavailable", headers });
}

/** For what a visitor's answer does not depend on: written down, and done without. */
export function goOnWithout(error: unknown, where: string, request: object): void {
  if (!failure(error)) throw error;
  logFailure(error, where, request);
}

/** What a program is answered when something of ours failed; the reason is written down. */
export function failureToProgram(error: unknown, where: string, request?: object) {
  logFailure(error, where, request);
  const known = failure(error);
  const seconds = known?.retryAfterSeconds;
  const headers: Record<string, string> = seconds === undefined ? {} : { "Retry-After": String(seconds) };
  return { status: known ? STATUS[known.reason] : 500, headers, message: known?.message ?? OURS };
}

/** The last answer, to what failed outside the pages and their doors. */
export const answerFailure: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  const { status, headers, message } = failureToProgram(error, `${request.method} outside the pages`, request);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.status(status).set(headers);
  if (isApi(request)) response.json({ message });
  else response.type("text/plain").send(`${message} Mention this number when you call: ${requestNumber(request)}\n`);
};

/** Where it happened, and a message without its values: both databases, and JSON's reader, quote what they were given. */
function describe(error: unknown) {
  if (typeof error === "string") return { message: error };
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line)) ?? [];
  const lastLine = error.message.trim().split("\n").at(-1) ?? "";
  return {
    name: error.name,
    code: (error as { code?: unknown }).code,
    message: withoutValues(lastLine, error),
    frames,
  };
}

const QUOTED = /"[^"]*"?|`[^`]*`?|\([^)]*\)=\([^)]*\)?/g;
const SINGLE_QUOTED = /'[^']*'?/g;
const PERSONAL = /[^\s@]+@[^\s@]+|\d[\d ().-]{4,}\d/g;
/** The patterns look at a text as often as it is long, and a message may hold all that a visitor sent. */
const MAX_MESSAGE_CHARACTERS = 1000;

function withoutValues(message: string, error: Error): string {
  const ownNames = error instanceof TypeError || error instanceof ReferenceError; // quotes our code's names, not values
  const isLong = message.length > MAX_MESSAGE_CHARACTERS;
  // Without the word that was cut in two: half an address is not known for one.
  const short = isLong ? message.slice(0, MAX_MESSAGE_CHARACTERS).replace(/\S*$/, "…") : message;
  const unquoted = short.replace(QUOTED, "…").replace(PERSONAL, "…");
  return ownNames ? unquoted : unquoted.replace(SINGLE_QUOTED, "…");
}
