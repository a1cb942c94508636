import type { NextFunction, Request, Response } from "express";
import { clientIp } from "./client-ip.server.ts";
import { networkLimit } from "./rate-limit.server.ts";
import { isApiRequest, rejectTooMany } from "./request-guard.server.ts";

/** Twenty a second from one address; a family behind one router needs far fewer. */
const MAX_READS = 1_200;
const WINDOW_SECONDS = 60;
const READ_METHODS = new Set(["GET", "HEAD"]);

const reads = networkLimit("api-reads", MAX_READS, WINDOW_SECONDS);

/** Responds with 429 to more than 1,200 reading API requests a minute from one address, before the session is read. */
export async function limitApiReads(request: Request, response: Response, next: NextFunction): Promise<void> {
  const isRead = isApiRequest(request) && READ_METHODS.has(request.method);
  const tooMany = isRead ? await reads.consume(clientIp(request)) : null;
  if (!tooMany) return next();
  rejectTooMany(response, tooMany, "Too many requests at once. Please wait a minute and try again.");
}
