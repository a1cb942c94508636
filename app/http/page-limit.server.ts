import type { NextFunction, Request, Response } from "express";
import { clientAddress } from "./address.server.ts";
import { isApi, refuse } from "./guard.server.ts";
import { limit } from "./limits.server.ts";
import { STATUS } from "./outcome.ts";

/** Ten a second, from one household: far more than people and pages that refresh themselves ask for. */
const MAX_PAGES = 600;
const WINDOW_SECONDS = 60;

const pages = limit("pages", MAX_PAGES, WINDOW_SECONDS);

/**
 * Bounds the pages that are made for one address: any cookie, query or unknown path passes by the pages in memory.
 * Calls of the API are not counted here, nor is what is answered from memory.
 */
export async function limitPages(request: Request, response: Response, next: NextFunction): Promise<void> {
  const tooMany = isApi(request) ? null : await pages.use(clientAddress(request));
  if (!tooMany) return next();
  response.set("Retry-After", String(tooMany.retryAfterSeconds));
  refuse(response, STATUS.tooMany, "Too many pages at once. Please wait a minute and try again.");
}
