import type { ErrorRequestHandler } from "express";
import { isDiskFullError, isConnectionError } from "../db/errors.server.ts";
import { isApiRequest } from "./request-guard.server.ts";
import { errorResponse } from "./json.server.ts";
import { log, getRequestId } from "./log.server.ts";
import { type Refusal, refused, HTTP_STATUS } from "./outcome.ts";

export const RETRY_AFTER_SECONDS = 10;
const INTERNAL_ERROR_MESSAGE = "Something went wrong on our side. Please try again.";

/** What a person is told when something of ours failed. The reason stays in the log, without what they typed. */
export function outageRefusal(error: unknown): Refusal | null {
  if (isDiskFullError(error))
    return refused(
      "storageFull",
      "We can't save anything just now: our storage is full. Nothing was changed. Please call us.",
    );
  if (!isConnectionError(error)) return null;
  const refusal = refused(
    "unavailable",
    "We can't reach our records just now. Nothing was changed. Please try again in a minute.",
  );
  return { ...refusal, retryAfterSeconds: RETRY_AFTER_SECONDS };
}

/** Writes down what went wrong and where; `request`, when there is one, lends its number. A sentence of ours is told whole. */
export function logError(error: unknown, where: string, request?: object): void {
  const id = request ? getRequestId(request) : null;
  if (isAbortedBody(error, request)) log.info({ ...(id ? { id } : {}), where }, "request aborted");
  else log.error({ ...(id ? { id } : {}), where, error: serializeError(error) });
}

/** A sender that left before its body was complete is no fault of the product. */
function isAbortedBody(error: unknown, request: object | undefined): boolean {
  const { complete, destroyed } = (request ?? {}) as { complete?: boolean; destroyed?: boolean };
  return complete === false && destroyed === true && error instanceof Error && error.message === "aborted";
}

/**
 * What is thrown where nobody could find out who is visiting, so that nobody is let in: an answer with its own status
 * for pages, their data, files and programs alike. An error of another kind is thrown as it is.
 */
export function toErrorResponse(error: unknown, path: string, request: object): unknown {
  const outage = outageRefusal(error);
  if (!outage) return error;
  logError(error, "finding a sign-in", request);
  if (path.startsWith("/api/")) return errorResponse(outage);
  const headers = { "Retry-After": String(outage.retryAfterSeconds ?? RETRY_AFTER_SECONDS) };
  return new Response(outage.message, {
    status: HTTP_STATUS[outage.reason],
    statusText: "Service Unavailable",
    headers,
  });
}

/** For what a visitor's answer does not depend on: written down, and done without. */
export function tolerateOutage(error: unknown, where: string, request: object): void {
  if (!outageRefusal(error)) throw error;
  logError(error, where, request);
}

/** What a program is answered when something of ours failed; the reason is written down. */
export function apiError(error: unknown, where: string, request?: object) {
  logError(error, where, request);
  const outage = outageRefusal(error);
  const retryAfterSeconds = outage?.retryAfterSeconds;
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) };
  return {
    status: outage ? HTTP_STATUS[outage.reason] : 500,
    headers,
    message: outage?.message ?? INTERNAL_ERROR_MESSAGE,
  };
}

/** The last answer, to what failed outside the pages and their doors. */
export const errorHandler: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  const { status, headers, message } = apiError(error, `${request.method} outside the pages`, request);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.status(status).set(headers);
  if (isApiRequest(request)) response.json({ message });
  else response.type("text/plain").send(`${message} Mention this number when you call: ${getRequestId(request)}\n`);
};

/** Where it happened, and a message without its values: both databases, and JSON's reader, quote what they were given. */
function serializeError(error: unknown) {
  if (typeof error === "string") return { message: error };
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line)) ?? [];
  const lastLine = error.message.trim().split("\n").at(-1) ?? "";
  return {
    name: error.name,
    code: (error as { code?: unknown }).code,
    message: redactMessage(lastLine, error),
    frames,
  };
}

const QUOTED_VALUE = /"[^"]*"?|`[^`]*`?|\([^)]*\)=\([^)]*\)?/g;
const SINGLE_QUOTED_VALUE = /'[^']*'?/g;
const PERSONAL_DATA = /[^\s@]+@[^\s@]+|\d[\d ().-]{4,}\d/g;
/** The patterns look at a text as often as it is long, and a message may hold all that a visitor sent. */
const MAX_MESSAGE_CHARACTERS = 1000;

function redactMessage(message: string, error: Error): string {
  const quotesCode = error instanceof TypeError || error instanceof ReferenceError; // quotes our code's names, not values
  const isLong = message.length > MAX_MESSAGE_CHARACTERS;
  // Without the word that was cut in two: half an address is not known for one.
  const short = isLong ? message.slice(0, MAX_MESSAGE_CHARACTERS).replace(/\S*$/, "…") : message;
  const unquoted = short.replace(QUOTED_VALUE, "…").replace(PERSONAL_DATA, "…");
  return quotesCode ? unquoted : unquoted.replace(SINGLE_QUOTED_VALUE, "…");
}
