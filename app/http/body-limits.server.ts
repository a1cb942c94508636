import type { NextFunction, Request, Response } from "express";
import { env } from "../env.server.ts";
import { reserveMemory, STEP_BYTES } from "./body-memory.server.ts";
import { clientIp } from "./client-ip.server.ts";
import { NetworkConcurrency } from "./network-concurrency.server.ts";
import { HTTP_STATUS } from "./outcome.ts";
import { rejectRequest } from "./request-guard.server.ts";

const KIB_BYTES = 1024;
const MAX_BODY_BYTES = 256 * KIB_BYTES;
const MAX_SMALL_BODY_BYTES = STEP_BYTES;
/** Paths open to visitors without a session. Their bodies hold a few short fields. */
const SMALL_BODY_PATH =
  /^\/(login|login\/code|login\/passkey|register|logout|comfort|reset-password\/[^/]+|claim-visit\/[^/]+|api\/auth\/[^/]+)(\.data)?\/?$/i;

const MAX_UNFINISHED_OF_ADDRESS = 20;
const RETRY_SECONDS = 10;
/** What an unfinished body over 16 KiB counts for: a network has 4 of them, or 20 small ones. */
const LARGE_BODY_WEIGHT = 5;

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** The maximum body size for a path, in bytes. Uploads are streamed and have limits of their own. */
export function maxBodyBytes(path: string): number {
  return SMALL_BODY_PATH.test(path) ? MAX_SMALL_BODY_BYTES : MAX_BODY_BYTES;
}

const unfinished = new NetworkConcurrency();

/**
 * Reserves memory for a body as it arrives. Responds with 503 when all of the memory is in use by bodies that progress,
 * and with 429 when 20 bodies of one address are unfinished, where one over 16 KiB counts for five; of an IPv6 /56 it
 * is 30, of a /48 40.
 */
export function admitBody(request: Request, response: Response, next: NextFunction): void {
  const { headers } = request;
  const isChunked = headers["transfer-encoding"] !== undefined;
  const declaredBytes = Number(headers["content-length"] ?? 0);
  if (SAFE_METHODS.has(request.method) || request.readableEnded || !(isChunked || declaredBytes > 0)) return next();
  // The response of a destroyed socket has already closed, so its memory would never be released.
  if (request.socket.destroyed) return;
  const maxBytes = maxBodyBytes(request.path);
  const bytes = isChunked ? maxBytes : Math.min(declaredBytes, maxBytes);
  const address = clientIp(request);
  const weight = bytes > MAX_SMALL_BODY_BYTES ? LARGE_BODY_WEIGHT : 1;
  const isAddressFull = env.rateLimits && unfinished.findFull(address, weight, MAX_UNFINISHED_OF_ADDRESS) !== null;
  if (isAddressFull || !reserveMemory(request, response, bytes)) {
    response.set("Retry-After", String(RETRY_SECONDS));
    const status = isAddressFull ? HTTP_STATUS.tooMany : HTTP_STATUS.unavailable;
    return rejectRequest(response, status, "Too much is being sent just now. Please try again in a few seconds.");
  }
  countUnfinished(request, address, weight);
  next();
}

function countUnfinished(request: Request, address: string, weight: number): void {
  unfinished.add(address, weight);
  let isCounted = true;
  const finish = () => {
    if (!isCounted) return;
    isCounted = false;
    unfinished.add(address, -weight);
  };
  request.once("end", finish);
  request.once("close", finish);
}
