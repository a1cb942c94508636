import { recordRequestIfRefused } from "../../audit/record-refusals.server.ts";
import { runAsActor } from "../../audit/audit-actor.server.ts";
import { createContext, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import { sqltag as sql } from "@prisma/client/runtime/client";
import { now } from "../../clock.ts";
import { runPreparedQuery } from "../../db/database-client.server.ts";
import { isBodyStreamed, readBody } from "../../http/request-body.server.ts";
import { clientIpContext, nodeRequestContext } from "../../http/request-context.server.ts";
import { toSessionOutageResponse, logOutageOrRethrow } from "../../http/errors.server.ts";
import { readFormTextEntries } from "../../http/form.server.ts";
import { runWithMailRequesterIp } from "../../mail/mail-requester-ip.server.ts";
import { setLogRoute } from "../../http/log.server.ts";
import { type DeviceAccount, knownDeviceCookie } from "../known-device.server.ts";
import type { Person } from "../person.ts";
import { consumeMutationLimits, rateLimitedMutationResponse } from "./mutation-rate-limits.server.ts";
import type { ReauthenticationSource } from "../sign-in/credential-limits.server.ts";
import { describeUserAgent } from "./device-name.ts";
import { cacheSessionOwner } from "./http-request-limit.server.ts";
import { readSid, sessionCookie } from "./session-cookie.server.ts";
import { isSafeMethod } from "../../http/same-origin.server.ts";
import {
  createSession,
  endSessionById,
  type ExpiredSession,
  findExpiredSessionById,
  findSessionById,
  flushSessionUpdates,
  type Session,
  type SessionOptions,
  type SessionUpdate,
  touchSession,
  touchSessionById,
  updateSession,
} from "./session-store.server.ts";

/**
 * Sent on sign-out, so that the browser of a shared computer clears its cache and the unsent forms stored for its tabs.
 */
export const CLEAR_CACHE_HEADERS = { "Clear-Site-Data": '"cache", "storage"' };

/** The session of one request, and the data that the middleware adds to its response. */
type RequestSession = {
  session: Session | null;
  /** The Cookie header of the request. */
  cookieHeader: string | null;
  userAgent: string | null;
  /** Set-Cookie values. */
  cookies: string[];
  /** Applied to the session at the end of the request, if there is one. */
  deferredUpdate?: SessionUpdate;
  retryAfterSeconds?: number;
};

/** API endpoints that a screen polls every 5 s. */
const POLLED_ENDPOINTS = ["/api/appointments", "/api/consultation-requests"];

const requestSessionContext = createContext<RequestSession>();

/** Looks up the session before loaders and actions run, and saves its changes after them. */
export const sessionMiddleware: MiddlewareFunction<Response> = async (
  { request, context, url, pattern, params },
  next,
) => {
  const nodeRequest = context.get(nodeRequestContext);
  setLogRoute(nodeRequest, `/${pattern.replace(/^\//, "")}`);
  const cookieHeader = request.headers.get("cookie");
  const sid = await readSid(cookieHeader);
  // A body may take a minute to arrive. The session is looked up afterward, because it may end in that time.
  if (sid !== null && !isSafeMethod(request.method) && !isBodyStreamed(nodeRequest)) await readBody(request);
  const initialSession = await findSessionAndCacheOwner(sid).catch((error: unknown) => {
    throw toSessionOutageResponse(error, url.pathname, nodeRequest);
  });
  const userAgent = request.headers.get("user-agent");
  const requestSession: RequestSession = { session: initialSession, cookies: [], cookieHeader, userAgent };
  context.set(requestSessionContext, requestSession);
  if (initialSession && !isPolling(request, url)) touchSession(initialSession);
  const ip = context.get(clientIpContext);
  // Streamed bodies (uploads) have their own limits and are stored before this point.
  if (initialSession && !isSafeMethod(request.method) && !isBodyStreamed(nodeRequest)) {
    const mutationRequest = {
      pattern,
      method: request.method,
      readEntries: () => readFormTextEntries(request).catch(() => null),
    };
    const rateLimitRefusal = await consumeMutationLimits(initialSession, ip, mutationRequest);
    if (rateLimitRefusal) return rateLimitedMutationResponse(rateLimitRefusal, url.pathname);
  }
  const requester = initialSession?.person.isAdmin ? null : ip;
  const actor = initialSession && { id: initialSession.person.id, sid: initialSession.sid };
  const response = await runWithMailRequesterIp(requester, () => runAsActor(actor, next));
  await recordRequestIfRefused(initialSession?.person ?? null, { pattern, params, url, status: response.status }).catch(
    (error: unknown) => logOutageOrRethrow(error, "recording a refusal", nodeRequest),
  );
  const { session, cookies, deferredUpdate, retryAfterSeconds } = requestSession;
  if (session && deferredUpdate) updateSession(session, deferredUpdate);
  if (session)
    await flushSessionUpdates(session).catch((error: unknown) =>
      logOutageOrRethrow(error, "session update", nodeRequest),
    );
  if (retryAfterSeconds !== undefined) response.headers.set("Retry-After", String(retryAfterSeconds));
  for (const value of cookies) response.headers.append("Set-Cookie", value);
  if (initialSession || session) response.headers.set("Cache-Control", "private, no-store");
  return response;
};

/** Returns the open session of a Cookie header; null if there is none or it is restricted. */
export async function findUnrestrictedSession(cookieHeader: string | null): Promise<Session | null> {
  const session = await findSessionAndCacheOwner(await readSid(cookieHeader));
  return session?.restriction ? null : session;
}

/**
 * Does the same as `findUnrestrictedSession`, and counts as activity of the person. For long work outside the pages,
 * such as an upload.
 */
export async function touchSessionByCookie(cookieHeader: string | null): Promise<Session | null> {
  const session = await findUnrestrictedSession(cookieHeader);
  return session && touchSessionById(session.sid);
}

/** Returns the expired session of a Cookie header; null if the user ended it or it expired over a week ago. */
export async function findExpiredSession(cookieHeader: string | null): Promise<ExpiredSession | null> {
  const sid = await readSid(cookieHeader);
  return sid === null ? null : findExpiredSessionById(sid);
}

/** Returns the session of this request, even if restricted: `getPerson` returns the person who may use the site. */
export function getPossiblyRestrictedSession(context: Readonly<RouterContextProvider>): Session | null {
  return context.get(requestSessionContext).session;
}

/**
 * Signs `person` in with a new session id and ends the previous session of the request, if any. Returns false, without
 * signing in, if the account is closed or has another `accessVersion`.
 */
export async function startSession(
  context: Readonly<RouterContextProvider>,
  person: Person,
  options: SessionOptions = {},
): Promise<boolean> {
  const requestSession = context.get(requestSessionContext);
  await endSession(context);
  const session = await createSession(person, { device: describeUserAgent(requestSession.userAgent), ...options });
  if (!session) return false;
  requestSession.session = session;
  requestSession.cookies = await signInCookies(session, requestSession.cookieHeader);
  return true;
}

/** Returns the Set-Cookie values that sign the browser with this Cookie header in to `session`. */
export async function signInCookies({ sid, data }: Session, cookieHeader: string | null): Promise<string[]> {
  // Without Max-Age, the browser deletes the cookie when it is closed. A shared device is not remembered.
  if (data.isShared) return [await sessionCookie.serialize(sid, { maxAge: undefined })];
  const account = await findDeviceAccount(sid);
  return [await sessionCookie.serialize(sid), ...(account ? [await knownDeviceCookie(cookieHeader, account)] : [])];
}

/**
 * Returns the account data to which the known devices of an open session are bound; null if the session has ended. One
 * statement, so that a session ended by a change of the password never reads the new hash.
 */
async function findDeviceAccount(sid: string): Promise<DeviceAccount | null> {
  const [account] = await runPreparedQuery<DeviceAccount>(sql`
    SELECT u."id", u."email", u."password"
    FROM "sessions" s JOIN "users" u ON u."id" = s."userId" WHERE s."sid" = ${sid}`);
  return account ?? null;
}

/**
 * Makes the browser of this request a known device of its account again, unless the device is shared. Used after a
 * change of the password or address in this session, because the change makes all devices unknown.
 */
export async function refreshKnownDeviceCookie(context: Readonly<RouterContextProvider>): Promise<void> {
  const { session, cookieHeader } = context.get(requestSessionContext);
  const account = session && !session.data.isShared ? await findDeviceAccount(session.sid) : null;
  if (account) appendCookie(context, await knownDeviceCookie(cookieHeader, account));
}

/** Ends the session of this request. Its row is deleted when this resolves. */
export async function endSession(context: Readonly<RouterContextProvider>): Promise<void> {
  const requestSession = context.get(requestSessionContext);
  if (requestSession.session) await endSessionById(requestSession.session, "signed-out");
  requestSession.session = null;
  requestSession.cookies = [await sessionCookie.serialize("", { maxAge: 0 })];
}

/** Returns the Cookie header of this request. */
export function getCookieHeader(context: Readonly<RouterContextProvider>): string | null {
  return context.get(requestSessionContext).cookieHeader;
}

/** Adds a Set-Cookie header to the response of this request. */
export function appendCookie(context: Readonly<RouterContextProvider>, value: string): void {
  context.get(requestSessionContext).cookies.push(value);
}

/** Sets the Retry-After header of this request's response. */
export function setRetryAfter(context: Readonly<RouterContextProvider>, seconds: number | undefined): void {
  context.get(requestSessionContext).retryAfterSeconds = seconds;
}

/** Applies `update`, after loaders and actions, to the session that exists then. Replaces an earlier such update. */
export function setDeferredSessionUpdate(context: Readonly<RouterContextProvider>, update: SessionUpdate): void {
  context.get(requestSessionContext).deferredUpdate = update;
}

/** Returns where a signed-in person enters a password or code again: this session, and the client's IP address. */
export function getReauthenticationSource(context: Readonly<RouterContextProvider>): ReauthenticationSource {
  return { sid: getPossiblyRestrictedSession(context)?.sid ?? "", ip: context.get(clientIpContext) };
}

/**
 * Returns when this session expires without further activity (ISO 8601, UTC), the milliseconds until then, and its
 * person.
 */
export function getSessionExpiryInfo(context: Readonly<RouterContextProvider>) {
  const session = getPossiblyRestrictedSession(context);
  if (!session) return null;
  const { expires, person } = session;
  return { endsAt: expires.toISOString(), remainingMs: expires.getTime() - now().getTime(), personId: person.id };
}

/**
 * Checks whether a script sends this request on its own, which is not activity: pages mark such requests with
 * `?refresh`. The revalidation of the page that is shown has no mark, and its referrer is that page.
 */
function isPolling(request: Request, url: URL): boolean {
  if (!isSafeMethod(request.method)) return false;
  if (url.searchParams.has("refresh") || POLLED_ENDPOINTS.includes(url.pathname)) return true;
  const referrerUrl = URL.parse(request.headers.get("referer") ?? "");
  const isFetchRequest = request.headers.get("sec-fetch-dest") === "empty";
  return (
    isFetchRequest &&
    referrerUrl !== null &&
    referrerUrl.pathname === url.pathname &&
    referrerUrl.searchParams.toString() === url.searchParams.toString()
  );
}

async function findSessionAndCacheOwner(sid: string | null): Promise<Session | null> {
  if (sid === null) return null;
  const session = await findSessionById(sid);
  cacheSessionOwner(sid, session?.person ?? null);
  return session;
}
