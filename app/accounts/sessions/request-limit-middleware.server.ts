import type { NextFunction, Request, RequestHandler, Response } from "express";
import { clientIp } from "../../http/client-ip.server.ts";
import { isSafeMethod } from "../../http/same-origin.server.ts";
import { isApiRequest, rejectTooManyRequests } from "../../http/request-guard.server.ts";
import { isExemptFromMutationLimits } from "./mutation-rate-limits.server.ts";
import { createHttpRequestLimiter } from "./http-request-limit.server.ts";

/** Five requests per second. */
const MAX_CHANGING_REQUESTS = 300;
/** Twenty requests per second; a family behind one router needs far fewer. */
const MAX_API_READS = 1_200;
/** Ten requests per second; pages that refresh automatically need far fewer. */
const MAX_PAGE_RENDERS = 600;
const WINDOW_SECONDS = 60;

const TOO_MANY_REQUESTS_MESSAGE = "Too many requests at once. Please wait a minute and try again.";
const TOO_MANY_PAGES_MESSAGE = "Too many pages at once. Please wait a minute and try again.";

type LimitOptions = {
  name: string;
  /** Requests per minute of one account in one network, or of all anonymous clients of one address. */
  max: number;
  isCounted: (request: Request) => boolean;
  message: string;
};

/**
 * Responds with 429 to more than 300 changing requests per minute of one account, or of the anonymous clients of one IP
 * address, before the body is read. Requests that end access are counted separately.
 */
export const limitChangingRequests = createRequestLimitMiddleware({
  name: "changes",
  max: MAX_CHANGING_REQUESTS,
  isCounted: ({ method }) => !isSafeMethod(method),
  message: TOO_MANY_REQUESTS_MESSAGE,
});

/**
 * Responds with 429 to more than 1,200 reading API requests per minute, counted in the same way, before the session is
 * read.
 */
export const limitApiReads = createRequestLimitMiddleware({
  name: "api-reads",
  max: MAX_API_READS,
  isCounted: (request) => isApiRequest(request) && isSafeMethod(request.method),
  message: TOO_MANY_REQUESTS_MESSAGE,
});

/**
 * Responds with 429 to more than 600 rendered pages per minute, counted in the same way. A cookie, a query or an
 * unknown path bypasses the page cache. Cached pages don't count, and API requests have their own limits.
 */
export const limitPageRenders = createRequestLimitMiddleware({
  name: "pages",
  max: MAX_PAGE_RENDERS,
  isCounted: (request) => !isApiRequest(request),
  message: TOO_MANY_PAGES_MESSAGE,
});

function createRequestLimitMiddleware({ name, max, isCounted, message }: LimitOptions): RequestHandler {
  const limit = createHttpRequestLimiter(name, max, WINDOW_SECONDS);
  return async (request: Request, response: Response, next: NextFunction) => {
    const cookieHeader = request.headers.cookie ?? null;
    const rateLimitRefusal = isCounted(request)
      ? await limit.consume(clientIp(request), cookieHeader, isExemptFromMutationLimits(request.path, request.method))
      : null;
    if (rateLimitRefusal) rejectTooManyRequests(response, rateLimitRefusal, message);
    else next();
  };
}
