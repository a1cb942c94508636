import type { IncomingMessage, ServerResponse } from "node:http";
import type { NextFunction, Request, Response } from "express";
import type { RouterContextProvider } from "react-router";
import { touchSessionByCookie } from "../accounts/session.server.ts";
import { nodeRequestContext } from "../http/context.server.ts";
import { type Outcome, refused } from "../http/outcome.ts";
import type { Document } from "./documents.server.ts";
import { type Fields, UploadAborted } from "./multipart.server.ts";
import { oneMoreUnderWay } from "./quota.server.ts";
import { upload } from "./upload.server.ts";

/** The addresses that take a file: the API's, and the form's own. */
export const UPLOAD_PATHS = ["/api/documents", "/documents/new"];

/** The longest that an upload may take in all; any other request's body has far less. */
export const LONGEST_UPLOAD_MS = 3_600_000;

const PACE_WINDOW_MS = 10_000;
const PACE_WINDOWS = 4;
/** In any 40 s at least this much must come: 3 kbit/s, which no honest line falls below for so long. */
const LEAST_BYTES = 16 * 1024;
const LINGER_MS = 2000;

type Received = { outcome: () => Outcome<Document>; fields: Fields };

const received = new WeakMap<object, Received>();

/**
 * Takes the file of an upload straight from the connection, before the framework would gather it in memory, and lets
 * the route behind the address say what came of it (`uploadOutcome`). A visitor's body is not read at all: the route
 * turns the visitor away.
 */
export async function receiveUpload(request: Request, response: Response, next: NextFunction): Promise<void> {
  dropRestAfterAnswer(request, response);
  const cookie = request.headers.cookie ?? null;
  const fields: Fields = {};
  const say = (outcome: () => Outcome<Document>) => received.set(request, { outcome, fields });
  try {
    const visit = await touchSessionByCookie(cookie);
    const done = visit && oneMoreUnderWay(visit.person);
    if (visit && !done) {
      const tooMany = {
        ...refused("tooMany", "Too many uploads at once. Please wait until one is through."),
        retryAfterSeconds: 10,
      };
      say(() => tooMany);
    }
    if (!visit || !done) return next();
    if (request.headers.expect) response.writeContinue();
    const stop = keepPace(request, () => touchSessionByCookie(cookie));
    try {
      const outcome = await upload(
        visit.person,
        request,
        fields,
        async () => (await touchSessionByCookie(cookie))?.person.id === visit.person.id,
      );
      say(() => outcome);
    } finally {
      stop();
      done();
    }
  } catch (error) {
    if (error instanceof UploadAborted) return;
    say(() => {
      throw error;
    });
  }
  next();
}

/** What came of the file that this request carried; null where it carried none that was taken. Throws what went wrong. */
export function uploadOutcome(context: Readonly<RouterContextProvider>): Outcome<Document> | null {
  return received.get(context.get(nodeRequestContext))?.outcome() ?? null;
}

/** What the form of this request said beside its file, as far as it was read. */
export function uploadFields(context: Readonly<RouterContextProvider>): Fields {
  return received.get(context.get(nodeRequestContext))?.fields ?? {};
}

/** Node would tell every sender with `Expect: 100-continue` to go on; an upload is first asked whose it is. */
export function decidesOnContinue(request: IncomingMessage): boolean {
  return request.method === "POST" && UPLOAD_PATHS.includes(request.url?.replace(/[?#].*$/, "") ?? "");
}

/** Cuts a connection that brings next to nothing, and one that takes for ever; the others keep their sender signed in. */
function keepPace(request: IncomingMessage, stillThere: () => Promise<unknown>): () => void {
  const { socket } = request;
  const marks = [socket.bytesRead];
  const end = setTimeout(() => socket.destroy(), LONGEST_UPLOAD_MS);
  const watch = setInterval(() => {
    marks.push(socket.bytesRead);
    const before = marks.length > PACE_WINDOWS ? marks.shift() : undefined;
    if (before !== undefined && socket.bytesRead - before < LEAST_BYTES) socket.destroy();
    else if (before !== undefined) stillThere().catch(() => {});
  }, PACE_WINDOW_MS);
  return () => {
    clearTimeout(end);
    clearInterval(watch);
  };
}

/**
 * An answer may stand before the whole body has come. What still comes is dropped for a moment, unread, so that the
 * sender gets to read the answer instead of a reset; then the connection ends.
 */
function dropRestAfterAnswer(request: IncomingMessage, response: ServerResponse): void {
  response.once("finish", () => {
    if (request.complete) return;
    request.removeAllListeners("data");
    request.resume();
    const { socket } = request;
    const end = setTimeout(() => {
      if (!request.complete) socket.destroy();
    }, LINGER_MS);
    socket.once("close", () => clearTimeout(end));
  });
}
