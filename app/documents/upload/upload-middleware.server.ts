import { HOUR_MS } from "../../time-units.ts";
import type { IncomingMessage } from "node:http";
import type { NextFunction, Request, Response } from "express";
import type { RouterContextProvider } from "react-router";
import { registerSessionsEndedHandler } from "../../accounts/close-session-connections.server.ts";
import { touchSessionByCookie } from "../../accounts/sessions/session.server.ts";
import { recordRefusedAttempt } from "../../audit/record-refusals.server.ts";
import { markBodyStreamed } from "../../http/request-body.server.ts";
import { clientIp } from "../../http/client-ip.server.ts";
import { nodeRequestContext } from "../../http/request-context.server.ts";
import { logError } from "../../http/errors.server.ts";
import { type Outcome, type RefusalReason, refused } from "../../http/outcome.ts";
import type { Document } from "../documents.server.ts";
import { type RawUploadFields, UploadAbortedError } from "./upload-form-parser.server.ts";
import { watchMinimumTransferRate } from "../minimum-transfer-rate.server.ts";
import { acquireUploadSlot } from "../upload-limits.server.ts";
import { storeUpload } from "./store-upload.server.ts";

/** Paths that accept a file, as the router matches them: the API endpoint and the form's action. */
export const UPLOAD_PATH_PATTERN = /^\/(api\/documents|documents\/new)\/?$/i;

/** Maximum duration of an upload's body; other bodies have one minute (http/body-timeout.server.ts). */
export const MAX_UPLOAD_MS = HOUR_MS;

const MIN_RATE_WINDOWS = 4;
/** Minimum number of bytes in any 40 s: about 3 kbit/s. No real connection stays below that rate for 40 s. */
const MIN_BYTES_PER_PERIOD = 16 * 1024;

/** Reasons of refusals that are recorded. An invalid form is not recorded, because it is not a refusal of the file. */
const RECORDED_REFUSAL_REASONS: ReadonlySet<RefusalReason> = new Set([
  "unsupported",
  "tooLarge",
  "notFound",
  "forbidden",
]);

type ReceivedUpload = { outcome: () => Outcome<Document>; fields: RawUploadFields };

const uploadsByRequest = new WeakMap<object, ReceivedUpload>();

/**
 * Stores an uploaded file directly from the connection, because the framework would buffer it in memory. The route then
 * gets the result from `getUploadOutcome`. The body of a request without a session is not read: the route refuses it.
 */
export async function storeUploadMiddleware(request: Request, response: Response, next: NextFunction): Promise<void> {
  markBodyStreamed(request);
  const cookie = request.headers.cookie ?? null;
  const fields: RawUploadFields = {};
  const setOutcome = (outcome: () => Outcome<Document>) => uploadsByRequest.set(request, { outcome, fields });
  try {
    const session = await touchSessionByCookie(cookie);
    const release = session && (await acquireUploadSlot(session, clientIp(request)));
    if (session && !release) {
      const concurrencyRefusal = {
        ...refused("tooMany", "Too many uploads at once. Please wait until one is done."),
        retryAfterSeconds: 10,
      };
      setOutcome(() => concurrencyRefusal);
    }
    if (!session || !release) return next();
    if (request.headers.expect) response.writeContinue();
    const userId = session.person.id;
    const endIfSignedOut = async () => {
      if ((await touchSessionByCookie(cookie))?.person.id !== userId) request.socket.destroy();
    };
    const stopRateCheck = enforceUploadRateAndDuration(request, endIfSignedOut);
    const stopSessionCheck = callWhenSessionsEnd(userId, endIfSignedOut);
    try {
      const outcome = await storeUpload(
        session.person,
        request,
        fields,
        async () => (await touchSessionByCookie(cookie))?.person.id === session.person.id,
      );
      if (!outcome.ok && RECORDED_REFUSAL_REASONS.has(outcome.reason)) await recordRefusedUpload(session.person.id);
      setOutcome(() => outcome);
    } finally {
      stopRateCheck();
      stopSessionCheck();
      release();
    }
  } catch (error) {
    if (error instanceof UploadAbortedError) return;
    setOutcome(() => {
      throw error;
    });
  }
  next();
}

/**
 * Returns the result of this request's upload; null if the middleware stored none. Throws an unexpected error of the
 * upload.
 */
export function getUploadOutcome(context: Readonly<RouterContextProvider>): Outcome<Document> | null {
  return uploadsByRequest.get(context.get(nodeRequestContext))?.outcome() ?? null;
}

/** Returns the text fields of this request's upload that have been parsed. */
export function getRawUploadFields(context: Readonly<RouterContextProvider>): RawUploadFields {
  return uploadsByRequest.get(context.get(nodeRequestContext))?.fields ?? {};
}

/**
 * Returns whether `storeUploadMiddleware`, instead of the HTTP server, responds to `Expect: 100-continue`. It does so after
 * it has checked the session.
 */
export function shouldUploadSendContinue(request: IncomingMessage): boolean {
  return request.method === "POST" && UPLOAD_PATH_PATTERN.test(request.url?.replace(/[?#].*$/, "") ?? "");
}

/** Logs a failure to record the refusal instead of throwing, so that the refusal is always sent. */
async function recordRefusedUpload(personId: number): Promise<void> {
  await recordRefusedAttempt(personId, { action: "upload-refused", objectType: "document" }).catch((error: unknown) =>
    logError(error, "recording a refusal"),
  );
}

/** Session checks of uploads in progress, keyed by person id. */
const sessionChecks = new Map<number, Set<() => Promise<void>>>();

registerSessionsEndedHandler(async (userId) => {
  for (const check of sessionChecks.get(userId) ?? []) await check();
});

/** Calls `check` when sessions of the person end in this process, until the returned function is called. */
function callWhenSessionsEnd(userId: number, check: () => Promise<void>): () => void {
  const checks = sessionChecks.get(userId) ?? new Set();
  sessionChecks.set(userId, checks);
  checks.add(check);
  return () => {
    checks.delete(check);
    if (checks.size === 0) sessionChecks.delete(userId);
  };
}

/**
 * Destroys a connection that is too slow or takes more than an hour. While the rate is high enough, calls
 * `checkSession` every 10 s, starting after 40 s. Returns a function that stops this.
 */
function enforceUploadRateAndDuration(request: IncomingMessage, checkSession: () => Promise<unknown>): () => void {
  const { socket } = request;
  const totalTimer = setTimeout(() => socket.destroy(), MAX_UPLOAD_MS);
  const stopWatching = watchMinimumTransferRate({
    countBytes: () => socket.bytesRead,
    minBytes: MIN_BYTES_PER_PERIOD,
    windowCount: MIN_RATE_WINDOWS,
    onTooSlow: () => socket.destroy(),
    onProgress: () => void checkSession().catch(() => {}),
  });
  return () => {
    clearTimeout(totalTimer);
    stopWatching();
  };
}
