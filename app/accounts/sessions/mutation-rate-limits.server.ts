import { DAY_SECONDS, HOUR_SECONDS } from "../../time-units.ts";
import { jsonRefusalResponse } from "../../http/json.server.ts";
import { HTTP_STATUS, type Refusal } from "../../http/outcome.ts";
import { pagePath } from "../../http/request-guard.server.ts";
import { createNetworkLimiter, createRateLimiter } from "../../http/rate-limit.server.ts";
import { isNewAccount } from "../new-account.server.ts";
import type { Session } from "./session-store.server.ts";

/**
 * One request every six seconds for an hour: a person who fills in every form of the site sends fewer than a hundred.
 */
const sessionLimiter = createRateLimiter("session-changes", 600, HOUR_SECONDS, "process");
const dailySessionLimiter = createRateLimiter("session-changes-day", 2_000, DAY_SECONDS, "process");
/** Shared by all sessions of an account; high enough that one stolen session can't block the owner's new one. */
const accountLimiter = createRateLimiter("account-changes", 3_000, HOUR_SECONDS, "process");
const dailyAccountLimiter = createRateLimiter("account-changes-day", 10_000, DAY_SECONDS, "process");
/**
 * A person who fills in every form of the site sends fewer. Requests within this limit are never refused because of
 * other clients' requests.
 */
const dailyOwnLimiter = createRateLimiter("own-changes-day", 100, DAY_SECONDS, "process");
/** For requests beyond `dailyOwnLimiter` of accounts whose first visit has not taken place. */
const networkMutationLimiter = createNetworkLimiter("network-changes", 1_200, HOUR_SECONDS, "process");
const dailyNetworkMutationLimiter = createNetworkLimiter("network-changes-day", 4_000, DAY_SECONDS, "process");

/**
 * Routes whose requests revoke access or end something else of the family's. They are not counted here, so that an
 * attacker's requests can't block them: they have their own limits, or can be repeated only as often as the things that
 * they end were created. The others write no entry in the audit trail.
 */
const EXEMPT_ROUTES = new RegExp(
  `^(${[
    "(api/auth/)?(login|logout|change-password|forgot-password|reset-password|confirm-email)",
    "(api/auth/)?(second-factor|passkeys|passkey-options|passkey-login|sessions)",
    "confirm-identity|change-email|undo-email-change|unsubscribe|stay-signed-in",
    "dashboard/settings/(devices|delete-account)|dashboard/settings$|keep-account|api/me/keep",
    "appointments/[^/]+/cancel|documents/[^/]+/delete|api/intake-form/check",
  ].join("|")})(/|$)`,
  "i",
);
/** Forms that end something, on pages where something can also be created. */
const EXEMPT_FORM_FIELDS: Record<string, readonly [name: string, value: string]> = {
  "dashboard/settings/calendar": ["link", "end"],
  "consents/:document": ["intent", "withdraw"],
  "appointments/new": ["intent", "discard"],
};

/**
 * A changing request. `pattern` is the route's, as in routes.ts. `readEntries` returns the fields as the route reads
 * them, or null if they can't be read, so that an exempt request is always one that the route treats in the same
 * way.
 */
type MutationRequest = {
  pattern: string;
  method: string;
  readEntries: () => Promise<[name: string, value: string][] | null>;
};

/**
 * Counts a changing request of a signed-in family, because each may write entries of the audit trail, which are kept
 * for six years. The consultant and requests that end something are not limited. Refusal: tooMany, after 600 an hour or
 * 2,000 a day of the session, or 3,000 an hour or 10,000 a day of the account; for a new account, after its first 100
 * of a day, also after 1,200 an hour or 4,000 a day of such requests in its network.
 */
export async function consumeMutationLimits(
  { sid, person }: Pick<Session, "sid" | "person">,
  ip: string,
  request: MutationRequest,
): Promise<Refusal | null> {
  if (person.isAdmin || (await isExempt(request))) return null;
  const account = String(person.id);
  const accountRefusal =
    (await sessionLimiter.consume(sid)) ??
    (await dailySessionLimiter.consume(sid)) ??
    (await accountLimiter.consume(account)) ??
    (await dailyAccountLimiter.consume(account));
  if (accountRefusal) return accountRefusal;
  const isOverOwnDailyLimit = (await dailyOwnLimiter.consume(account)) !== null;
  if (!isOverOwnDailyLimit || !(await isNewAccount(person.id))) return null;
  return (await networkMutationLimiter.consume(ip)) ?? dailyNetworkMutationLimiter.consume(ip);
}

/**
 * Checks by its path whether a request ends access or protects the account, or shows the page for that. `path` may also
 * be that of a data request, or a route's pattern.
 */
export function isExemptFromMutationLimits(path: string, method: string): boolean {
  return method === "DELETE" || EXEMPT_ROUTES.test(pagePath(path).replace(/^\//, ""));
}

async function isExempt({ pattern, method, readEntries }: MutationRequest): Promise<boolean> {
  if (isExemptFromMutationLimits(pattern, method)) return true;
  const route = pattern.replace(/^\//, "");
  const [name, value] = EXEMPT_FORM_FIELDS[route] ?? [];
  if (name === undefined) return false;
  const values = ((await readEntries()) ?? []).filter((entry) => entry[0] === name);
  return values.length === 1 && values[0]?.[1] === value;
}

/** Returns the response to a refused change, for the API and for pages, before the route runs. */
export function rateLimitedMutationResponse(refusal: Refusal, path: string): Response {
  if (path.startsWith("/api/")) return jsonRefusalResponse(refusal);
  const headers = {
    "Retry-After": String(refusal.retryAfterSeconds),
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "private, no-store",
  };
  return new Response(`${refusal.message}\n`, { status: HTTP_STATUS[refusal.reason], headers });
}
