import type { ErrorRequestHandler } from "express";
import { isDiskFullError, isConnectionError } from "../db/database-errors.server.ts";
import { isApiRequest } from "./request-guard.server.ts";
import { jsonRefusalResponse } from "./json.server.ts";
import { log, getRequestId } from "./log.server.ts";
import { type Refusal, refused, HTTP_STATUS } from "./outcome.ts";

export const RETRY_AFTER_SECONDS = 10;
const INTERNAL_ERROR_MESSAGE = "Something went wrong on our side. Please try again.";

/**
 * Returns the refusal for an outage of the database or the storage, or null for any other error. The cause is only
 * logged.
 */
export function outageRefusal(error: unknown): Refusal | null {
  if (isDiskFullError(error))
    return refused(
      "storageFull",
      "We can't save anything right now: our storage is full. Nothing was changed. Please call us.",
    );
  if (!isConnectionError(error)) return null;
  const refusal = refused(
    "unavailable",
    "We can't reach our records right now. Nothing was changed. Please try again in a minute.",
  );
  return { ...refusal, retryAfterSeconds: RETRY_AFTER_SECONDS };
}

/**
 * Logs an error with the name of the operation and, if there is a request, its id. Messages are logged without values.
 */
export function logError(error: unknown, operation: string, request?: object): void {
  const id = request ? getRequestId(request) : null;
  if (isAbortedBody(error, request)) log.info({ ...(id ? { id } : {}), where: operation }, "request aborted");
  else log.error({ ...(id ? { id } : {}), where: operation, error: serializeError(error) });
}

/** Checks whether the client disconnected before its body was complete, which is not a server error. */
function isAbortedBody(error: unknown, request: object | undefined): boolean {
  const { complete, destroyed } = (request ?? {}) as { complete?: boolean; destroyed?: boolean };
  return complete === false && destroyed === true && error instanceof Error && error.message === "aborted";
}

/**
 * Converts an outage in the session middleware into a response with its own status. Used for pages, page data, files
 * and the API. Returns any other error unchanged.
 */
export function toSessionOutageResponse(error: unknown, path: string, request: object): unknown {
  const outage = outageRefusal(error);
  if (!outage) return error;
  logError(error, "session lookup", request);
  if (path.startsWith("/api/")) return jsonRefusalResponse(outage);
  const headers = { "Retry-After": String(outage.retryAfterSeconds ?? RETRY_AFTER_SECONDS) };
  return new Response(outage.message, {
    status: HTTP_STATUS[outage.reason],
    statusText: "Service Unavailable",
    headers,
  });
}

/**
 * Returns a `.catch` handler for a command that a form calls. The handler logs the error and returns a refusal, so that
 * the page keeps the values the user typed. The refusal for an outage has its own text; for any other error it is
 * `message`.
 */
export function createFailureHandler(message: string, operation: string, request?: object) {
  return (error: unknown): Refusal => {
    if (error instanceof Response) throw error;
    logError(error, operation, request);
    return outageRefusal(error) ?? refused("failed", message);
  };
}

/** Logs an outage of something that the response does not depend on. Throws any other error. */
export function logOutageOrRethrow(error: unknown, operation: string, request: object): void {
  if (!outageRefusal(error)) throw error;
  logError(error, operation, request);
}

/** Logs an unexpected error and builds the API's response to it. */
export function logErrorAndBuildReply(error: unknown, operation: string, request?: object) {
  logError(error, operation, request);
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

/** Express error handler for errors outside of pages and API endpoints. */
export const expressErrorHandler: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  const { status, headers, message } = logErrorAndBuildReply(error, `${request.method} outside the pages`, request);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.status(status).set(headers);
  if (isApiRequest(request)) response.json({ message });
  else response.type("text/plain").send(`${message} Mention this number when you call: ${getRequestId(request)}\n`);
};

/**
 * Returns the error's name, stack and a message without values, because database drivers and JSON.parse quote their
 * input.
 */
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

const QUOTED_VALUE_PATTERN = /"[^"]*"?|`[^`]*`?|\([^)]*\)=\([^)]*\)?/g;
const SINGLE_QUOTED_VALUE_PATTERN = /'[^']*'?/g;
const PERSONAL_DATA_PATTERN = /[^\s@]+@[^\s@]+|\d[\d ().-]{4,}\d/g;
/** Limits the time that the patterns below take: a message may contain everything that a visitor sent. */
const MAX_MESSAGE_CHARACTERS = 1000;

function redactMessage(message: string, error: Error): string {
  const quotesCode = error instanceof TypeError || error instanceof ReferenceError; // Their messages quote names from the source code, not values.
  const isLong = message.length > MAX_MESSAGE_CHARACTERS;
  // Drops the word that was cut off, because half an email address would not match the pattern for one.
  const truncatedMessage = isLong ? message.slice(0, MAX_MESSAGE_CHARACTERS).replace(/\S*$/, "…") : message;
  const redactedMessage = truncatedMessage.replace(QUOTED_VALUE_PATTERN, "…").replace(PERSONAL_DATA_PATTERN, "…");
  return quotesCode ? redactedMessage : redactedMessage.replace(SINGLE_QUOTED_VALUE_PATTERN, "…");
}
