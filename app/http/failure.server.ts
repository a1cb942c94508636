import type { ErrorRequestHandler } from "express";
import { isUnreachable } from "../db.server.ts";
import { isApi } from "./guard.server.ts";
import { DATA_POLICY } from "./headers.server.ts";
import { log, requestNumber } from "./log.server.ts";
import { type Refusal, refused, STATUS } from "./outcome.ts";

const RETRY_SECONDS = 10;
const OURS = "Something went wrong on our side. Please try again.";

/** What a person is told when something of ours failed. The reason stays in the log, without what they typed. */
export function failure(error: unknown): Refusal | null {
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

/** What a program is answered when something of ours failed; the reason is written down. */
export function failureToProgram(error: unknown, where: string, request?: object) {
  logFailure(error, where, request);
  const known = failure(error);
  const headers: Record<string, string> = known ? { "Retry-After": String(known.retryAfterSeconds) } : {};
  return { status: known ? STATUS[known.reason] : 500, headers, message: known?.message ?? OURS };
}

/** The last answer, to what failed outside the pages and their doors. */
export const answerFailure: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  const { status, headers, message } = failureToProgram(error, `${request.method} outside the pages`, request);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.status(status).set({ ...headers, "Content-Security-Policy": DATA_POLICY });
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

function withoutValues(message: string, error: Error): string {
  const ownNames = error instanceof TypeError || error instanceof ReferenceError; // quotes our code's names, not values
  const unquoted = message.replace(QUOTED, "…").replace(PERSONAL, "…");
  return ownNames ? unquoted : unquoted.replace(SINGLE_QUOTED, "…");
}
