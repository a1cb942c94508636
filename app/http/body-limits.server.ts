import type { NextFunction, Request, Response } from "express";
import { env } from "../env.server.ts";
import { reserveMemory, STEP_BYTES } from "./body-memory.server.ts";
import { clientIp } from "./client-ip.server.ts";
import { NetworkConcurrency } from "./network-concurrency.server.ts";
import { HTTP_STATUS } from "./outcome.ts";
import { pagePath, rejectRequest } from "./request-guard.server.ts";

const KIB_BYTES = 1024;
const MAX_BODY_BYTES = 256 * KIB_BYTES;
const MAX_SMALL_BODY_BYTES = STEP_BYTES;
/** Paths open to visitors without a session, whose bodies hold a few short fields. */
const SMALL_BODY_PATH = new RegExp(
  `^/(${[
    "login|login/code|login/passkey|register|logout|comfort|forgot-password|api/auth/[^/]+",
    "(reset-password|claim-visit|confirm-email|undo-email-change|unsubscribe|invitation|simulated-checkout)/[^/]+",
  ].join("|")})$`,
  "i",
);

const MAX_UNFINISHED = 20;
/** The limit for one account with all its sessions, and for all accounts of a network together. */
const MAX_UNFINISHED_OF_ACCOUNTS = 40;
/** What an account may have whatever others of its network have: one large body, or five small ones. */
const MAX_UNFINISHED_OF_OWN = 5;
const RETRY_SECONDS = 10;
/** What an unfinished body over 16 KiB counts for: a sender has 4 of them, or 20 small ones. */
const LARGE_BODY_WEIGHT = 5;

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** The maximum body size for a path, in bytes. Uploads are streamed and have limits of their own. */
export function maxBodyBytes(path: string): number {
  return SMALL_BODY_PATH.test(pagePath(path)) ? MAX_SMALL_BODY_BYTES : MAX_BODY_BYTES;
}

/** The unfinished bodies of strangers, of each session and account, and of all accounts together, by network. */
const anonymousConcurrency = new NetworkConcurrency();
const sessionConcurrency = new NetworkConcurrency();
const accountConcurrency = new NetworkConcurrency();
const totalAccountConcurrency = new NetworkConcurrency();

type Account = { sid: string; id: number; isAdmin: boolean };
type FindAccount = (cookieHeader: string | null) => Promise<Account | null>;

/**
 * Reserves memory for a body as it arrives. Responds with 503 when all of the memory is in use by bodies that progress,
 * and with 429 when 20 bodies of one address are unfinished, where one over 16 KiB counts for five; of an IPv6 /56 it
 * is 30, of a /48 40. A session that `findAccount` knows has 20 of its own in each network, apart from strangers there, and
 * its account 40. The accounts of one network have 40 together, which refuse neither the consultant nor an account's first
 * five.
 */
export function bodyLimit(findAccount: FindAccount) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!hasUnreadBody(request)) return next();
    findAccount(request.headers.cookie ?? null).then((account) => reserveBody(account, request, response, next), next);
  };
}

function reserveBody(account: Account | null, request: Request, response: Response, next: NextFunction): void {
  // The response of a destroyed socket has already closed, so its memory would never be released.
  if (request.socket.destroyed) return;
  const maxBytes = maxBodyBytes(request.path);
  const bytes = isChunked(request) ? maxBytes : Math.min(declaredBytes(request), maxBytes);
  const ip = clientIp(request);
  const weight = bytes > MAX_SMALL_BODY_BYTES ? LARGE_BODY_WEIGHT : 1;
  const isFull = env.rateLimits && isSenderFull(account, ip, weight);
  if (isFull || !reserveMemory(request, response, bytes)) {
    response.set("Retry-After", String(RETRY_SECONDS));
    const status = isFull ? HTTP_STATUS.tooMany : HTTP_STATUS.unavailable;
    return rejectRequest(response, status, "Too much is being sent just now. Please try again in a few seconds.");
  }
  countUnfinished(request, (change) => addUnfinished(account, ip, change), weight);
  next();
}

function hasUnreadBody(request: Request): boolean {
  if (SAFE_METHODS.has(request.method) || request.readableEnded) return false;
  return isChunked(request) || declaredBytes(request) > 0;
}

function isChunked({ headers }: Request): boolean {
  return headers["transfer-encoding"] !== undefined;
}

function declaredBytes({ headers }: Request): number {
  return Number(headers["content-length"] ?? 0);
}

function isSenderFull(account: Account | null, ip: string, weight: number): boolean {
  if (!account) return anonymousConcurrency.findFull(ip, weight, MAX_UNFINISHED) !== null;
  const owner = ownerKey(account);
  if (sessionConcurrency.findFull(ip, weight, MAX_UNFINISHED, account.sid)) return true;
  if (accountConcurrency.findFull(ip, weight, MAX_UNFINISHED_OF_ACCOUNTS, owner)) return true;
  if (account.isAdmin || !accountConcurrency.findFull(ip, weight, MAX_UNFINISHED_OF_OWN, owner)) return false;
  return totalAccountConcurrency.findFull(ip, weight, MAX_UNFINISHED_OF_ACCOUNTS) !== null;
}

function addUnfinished(account: Account | null, ip: string, weight: number): void {
  if (!account) return anonymousConcurrency.add(ip, weight);
  sessionConcurrency.add(ip, weight, account.sid);
  accountConcurrency.add(ip, weight, ownerKey(account));
  if (!account.isAdmin) totalAccountConcurrency.add(ip, weight);
}

function ownerKey({ id }: Account): string {
  return `${id} `;
}

function countUnfinished(request: Request, add: (weight: number) => void, weight: number): void {
  add(weight);
  let isCounted = true;
  const finish = () => {
    if (!isCounted) return;
    isCounted = false;
    add(-weight);
  };
  request.once("end", finish);
  request.once("close", finish);
}
