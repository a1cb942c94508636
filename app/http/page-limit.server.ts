import type { NextFunction, Request, Response } from "express";
import { clientIp } from "./client-ip.server.ts";
import { isApiRequest, reject } from "./request-guard.server.ts";
import { networkLimit } from "./rate-limit.server.ts";
import { HTTP_STATUS } from "./outcome.ts";
import { ownTurn } from "./request-queue.server.ts";

/** Ten a second, from one household: far more than people and pages that refresh themselves ask for. */
const MAX_PAGES = 600;
const WINDOW_SECONDS = 60;

const pages = networkLimit("pages", MAX_PAGES, WINDOW_SECONDS);

/**
 * Bounds the pages that are made for one address: any cookie, query or unknown path passes by the pages in memory.
 * Calls of the API are not counted here, nor is what is answered from memory.
 */
export async function limitPages(request: Request, response: Response, next: NextFunction): Promise<void> {
  const tooMany = isApiRequest(request) ? null : await pages.consume(clientIp(request));
  if (!tooMany) {
    await ownTurn();
    return next();
  }
  response.set("Retry-After", String(tooMany.retryAfterSeconds));
  reject(response, HTTP_STATUS.tooMany, "Too many pages at once. Please wait a minute and try again.");
}
