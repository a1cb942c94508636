import type { NextFunction, Request, Response } from "express";
import { clientIp } from "./client-ip.server.ts";
import { isApiRequest, rejectTooMany } from "./request-guard.server.ts";
import { networkLimit } from "./rate-limit.server.ts";
import { waitForOwnTick } from "./request-queue.server.ts";

/** Ten a second from one address; pages that refresh themselves need far fewer. */
const MAX_PAGES = 600;
const WINDOW_SECONDS = 60;

const pages = networkLimit("pages", MAX_PAGES, WINDOW_SECONDS);

/**
 * Limits the pages rendered for one address: a cookie, a query or an unknown path bypasses the page cache. Cached pages
 * don't count, and API requests have limits of their own.
 */
export async function limitPageRenders(request: Request, response: Response, next: NextFunction): Promise<void> {
  const tooMany = isApiRequest(request) ? null : await pages.consume(clientIp(request));
  if (!tooMany) {
    await waitForOwnTick();
    return next();
  }
  rejectTooMany(response, tooMany, "Too many pages at once. Please wait a minute and try again.");
}
