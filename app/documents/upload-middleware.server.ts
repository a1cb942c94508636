import type { IncomingMessage } from "node:http";
import type { NextFunction, Request, Response } from "express";
import type { RouterContextProvider } from "react-router";
import { touchSessionByCookie } from "../accounts/session.server.ts";
import { nodeRequestContext } from "../http/context.server.ts";
import { type Outcome, refused } from "../http/outcome.ts";
import type { Document } from "./documents.server.ts";
import { type RawUploadFields, UploadAborted } from "./multipart.server.ts";
import { trackUpload } from "./quota.server.ts";
import { storeUpload } from "./upload.server.ts";

/** The addresses that take a file: the API's, and the form's own. */
export const UPLOAD_PATHS = ["/api/documents", "/documents/new"];

/** The longest that an upload may take in all; any other request's body has far less. */
export const MAX_UPLOAD_MS = 3_600_000;

const RATE_WINDOW_MS = 10_000;
const RATE_WINDOWS = 4;
/** In any 40 s at least this much must come: 3 kbit/s, which no honest line falls below for so long. */
const MIN_BYTES = 16 * 1024;

type ReceivedUpload = { outcome: () => Outcome<Document>; fields: RawUploadFields };

const uploadsByRequest = new WeakMap<object, ReceivedUpload>();

/**
 * Takes the file of an upload straight from the connection, before the framework would gather it in memory, and lets
 * the route behind the address say what came of it (`uploadOutcome`). A visitor's body is not read at all: the route
 * turns the visitor away.
 */
export async function uploadMiddleware(request: Request, response: Response, next: NextFunction): Promise<void> {
  const cookie = request.headers.cookie ?? null;
  const fields: RawUploadFields = {};
  const setOutcome = (outcome: () => Outcome<Document>) => uploadsByRequest.set(request, { outcome, fields });
  try {
    const session = await touchSessionByCookie(cookie);
    const release = session && trackUpload(session.person);
    if (session && !release) {
      const tooMany = {
        ...refused("tooMany", "Too many uploads at once. Please wait until one is through."),
        retryAfterSeconds: 10,
      };
      setOutcome(() => tooMany);
    }
    if (!session || !release) return next();
    if (request.headers.expect) response.writeContinue();
    const stopRateCheck = enforceMinimumRate(request, () => touchSessionByCookie(cookie));
    try {
      const outcome = await storeUpload(
        session.person,
        request,
        fields,
        async () => (await touchSessionByCookie(cookie))?.person.id === session.person.id,
      );
      setOutcome(() => outcome);
    } finally {
      stopRateCheck();
      release();
    }
  } catch (error) {
    if (error instanceof UploadAborted) return;
    setOutcome(() => {
      throw error;
    });
  }
  next();
}

/** What came of the file that this request carried; null where it carried none that was taken. Throws what went wrong. */
export function uploadOutcome(context: Readonly<RouterContextProvider>): Outcome<Document> | null {
  return uploadsByRequest.get(context.get(nodeRequestContext))?.outcome() ?? null;
}

/** What the form of this request said beside its file, as far as it was read. */
export function uploadFields(context: Readonly<RouterContextProvider>): RawUploadFields {
  return uploadsByRequest.get(context.get(nodeRequestContext))?.fields ?? {};
}

/** Node would tell every sender with `Expect: 100-continue` to go on; an upload is first asked whose it is. */
export function handlesExpectContinue(request: IncomingMessage): boolean {
  return request.method === "POST" && UPLOAD_PATHS.includes(request.url?.replace(/[?#].*$/, "") ?? "");
}

/** Cuts a connection that brings next to nothing, and one that takes for ever; the others keep their sender signed in. */
function enforceMinimumRate(request: IncomingMessage, keepSessionAlive: () => Promise<unknown>): () => void {
  const { socket } = request;
  const byteCounts = [socket.bytesRead];
  const totalTimer = setTimeout(() => socket.destroy(), MAX_UPLOAD_MS);
  const rateTimer = setInterval(() => {
    byteCounts.push(socket.bytesRead);
    const earlierBytes = byteCounts.length > RATE_WINDOWS ? byteCounts.shift() : undefined;
    if (earlierBytes !== undefined && socket.bytesRead - earlierBytes < MIN_BYTES) socket.destroy();
    else if (earlierBytes !== undefined) keepSessionAlive().catch(() => {});
  }, RATE_WINDOW_MS);
  return () => {
    clearTimeout(totalTimer);
    clearInterval(rateTimer);
  };
}
