import type { NextFunction, Request, Response } from "express";
import { clientIp } from "./client-ip.server.ts";
import { isApiRequest, rejectRequest } from "./request-guard.server.ts";
import { networkLimit } from "./rate-limit.server.ts";
import { HTTP_STATUS } from "./outcome.ts";
import { waitForOwnTick } from "./request-queue.server.ts";

/** Ten a second from one address; pages that refresh themselves need far fewer. */
const MAX_PAGES = 600;
const WINDOW_SECONDS = 60;

const pages = networkLimit("pages", MAX_PAGES, WINDOW_SECONDS);

/**
 * Limits the pages rendered for one address: a cookie, a query or an unknown path bypasses the page cache. API requests
 * and cached pages don't count.
 */
export async function limitPageRenders(request: Request, response: Response, next: NextFunction): Promise<void> {
  const tooMany = isApiRequest(request) ? null : await pages.consume(clientIp(request));
  if (!tooMany) {
    await waitForOwnTick();
    return next();
  }
  response.set("Retry-After", String(tooMany.retryAfterSeconds));
  rejectRequest(response, HTTP_STATUS.tooMany, "Too many pages at once. Please wait a minute and try again.");
}
