import type { IncomingMessage } from "node:http";
import type { NextFunction, Request, Response } from "express";
import { env } from "../env.server.ts";
import { reserveBodyMemory, RESERVATION_STEP_BYTES } from "./body-memory.server.ts";
import { clientIp } from "./client-ip.server.ts";
import { NetworkConcurrency } from "./network-concurrency.server.ts";
import { HTTP_STATUS } from "./outcome.ts";
import { isSafeMethod } from "./same-origin.server.ts";
import { pagePath, rejectRequest } from "./request-guard.server.ts";

const KIB_BYTES = 1024;
const MAX_BODY_BYTES = 256 * KIB_BYTES;
const MAX_SMALL_BODY_BYTES = RESERVATION_STEP_BYTES;
/** Matches the paths that visitors without a session may post to and whose bodies contain a few short fields. */
const SMALL_BODY_PATH = new RegExp(
  `^/(${[
    "login|login/code|login/passkey|register|logout|comfort|forgot-password|api/auth/[^/]+",
    "(reset-password|claim-visit|confirm-email|undo-email-change|unsubscribe|invitation|simulated-checkout)/[^/]+",
  ].join("|")})$`,
  "i",
);

const MAX_UNFINISHED_BODIES = 20;
/** Maximum for one account with all its sessions, and for all accounts of a network together. */
const MAX_UNFINISHED_ACCOUNT_BODIES = 40;
/**
 * Maximum for one account that does not depend on the other accounts of its network: one large body or five small ones.
 */
const GUARANTEED_ACCOUNT_BODIES = 5;
const RETRY_AFTER_SECONDS = 10;
/** Weight of an unfinished body larger than 16 KiB. A sender may have 4 of them, or 20 small ones. */
const LARGE_BODY_WEIGHT = 5;

/** Returns the maximum body size for a path in bytes. Uploads are streamed and have their own limits. */
export function maxBodyBytes(path: string): number {
  return SMALL_BODY_PATH.test(pagePath(path)) ? MAX_SMALL_BODY_BYTES : MAX_BODY_BYTES;
}

/**
 * Count unfinished bodies by network: of anonymous clients, of each session, of each account, and of all accounts
 * together.
 */
const anonymousConcurrency = new NetworkConcurrency();
const sessionConcurrency = new NetworkConcurrency();
const accountConcurrency = new NetworkConcurrency();
const totalAccountConcurrency = new NetworkConcurrency();

type SignedInAccount = { sid: string; id: number; isAdmin: boolean };
type FindAccount = (cookieHeader: string | null) => Promise<SignedInAccount | null>;

/**
 * Express middleware that reserves memory for a body as it arrives. Responds with 503 when all memory is used by bodies
 * that are still making progress, and with 429 when 20 bodies of one address are unfinished. A body larger than 16 KiB
 * counts as five. The limit is 30 for an IPv6 /56 and 40 for a /48. A session that `findAccount` recognizes has its own
 * limit of 20 in each network, separate from the anonymous clients there, and its account has a limit of 40. All
 * accounts of one network share a limit of 40. That shared limit never refuses the consultant or an account's first
 * five bodies.
 */
export function bodyLimitMiddleware(findAccount: FindAccount) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!hasUnreadBody(request)) return next();
    findAccount(request.headers.cookie ?? null).then(
      (account) => admitRequestBody(account, request, response, next),
      next,
    );
  };
}

function admitRequestBody(
  account: SignedInAccount | null,
  request: Request,
  response: Response,
  next: NextFunction,
): void {
  // The response of a destroyed socket is already closed, so its "close" event would never release the memory.
  if (request.socket.destroyed) return;
  const maxBytes = maxBodyBytes(request.path);
  const bytes = isChunked(request) ? maxBytes : Math.min(declaredBytes(request), maxBytes);
  const ip = clientIp(request);
  const weight = bytes > MAX_SMALL_BODY_BYTES ? LARGE_BODY_WEIGHT : 1;
  const isLimitReached = env.isRateLimitingEnabled && isSenderAtLimit(account, ip, weight);
  if (isLimitReached || !reserveBodyMemory(request, response, bytes)) {
    response.set("Retry-After", String(RETRY_AFTER_SECONDS));
    const status = isLimitReached ? HTTP_STATUS.tooMany : HTTP_STATUS.unavailable;
    return rejectRequest(response, status, "Too much is being sent right now. Please try again in a few seconds.");
  }
  trackUnfinishedBody(request, (change) => addUnfinishedWeight(account, ip, change), weight);
  next();
}

function hasUnreadBody(request: Request): boolean {
  if (isSafeMethod(request.method) || request.readableEnded) return false;
  return hasDeclaredBody(request);
}

/** Whether the headers of a request declare a body. */
export function hasDeclaredBody(request: IncomingMessage): boolean {
  return isChunked(request) || declaredBytes(request) > 0;
}

function isChunked({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined;
}

function declaredBytes({ headers }: IncomingMessage): number {
  return Number(headers["content-length"] ?? 0);
}

function isSenderAtLimit(account: SignedInAccount | null, ip: string, weight: number): boolean {
  if (!account) return anonymousConcurrency.findNetworkAtLimit(ip, weight, MAX_UNFINISHED_BODIES) !== null;
  const owner = accountKey(account);
  if (sessionConcurrency.findNetworkAtLimit(ip, weight, MAX_UNFINISHED_BODIES, account.sid)) return true;
  if (accountConcurrency.findNetworkAtLimit(ip, weight, MAX_UNFINISHED_ACCOUNT_BODIES, owner)) return true;
  if (account.isAdmin || !accountConcurrency.findNetworkAtLimit(ip, weight, GUARANTEED_ACCOUNT_BODIES, owner))
    return false;
  return totalAccountConcurrency.findNetworkAtLimit(ip, weight, MAX_UNFINISHED_ACCOUNT_BODIES) !== null;
}

function addUnfinishedWeight(account: SignedInAccount | null, ip: string, weight: number): void {
  if (!account) return anonymousConcurrency.add(ip, weight);
  sessionConcurrency.add(ip, weight, account.sid);
  accountConcurrency.add(ip, weight, accountKey(account));
  if (!account.isAdmin) totalAccountConcurrency.add(ip, weight);
}

function accountKey({ id }: SignedInAccount): string {
  return `${id} `;
}

function trackUnfinishedBody(request: Request, add: (weight: number) => void, weight: number): void {
  const { socket } = request;
  add(weight);
  let isCounted = true;
  const finish = () => {
    if (!isCounted) return;
    isCounted = false;
    socket.off("close", finish);
    add(-weight);
  };
  request.once("end", finish);
  request.once("close", finish);
  // A request emits neither event if it was answered before its body arrived and its connection closes then.
  socket.once("close", finish);
}
