import { randomBytes } from "node:crypto";
import { sqltag as sql } from "@prisma/client/runtime/client";
import {
  createContext,
  type MiddlewareFunction,
  redirect,
  redirectDocument,
  type RouterContextProvider,
} from "react-router";
import { now } from "../clock.ts";
import { preparedQuery, db, inTransaction } from "../db/client.server.ts";
import { nodeRequestContext } from "../http/context.server.ts";
import { toErrorResponse, tolerateOutage } from "../http/errors.server.ts";
import { setLogRoute } from "../http/log.server.ts";
import { isUnreadable, openText, sealText } from "../db/field-encryption.server.ts";
import type { Notice } from "../ui/notice.ts";
import { lockAccount } from "./access.server.ts";
import { rememberDevice } from "./known-device.server.ts";
import type { Person } from "./person.ts";
import { COOKIE_LIFETIME_DAYS, readSid, sessionCookie } from "./session-cookie.server.ts";
import {
  type SessionUpdate,
  updateSession,
  sessionExpiresAt,
  type SessionData,
  touchSession,
  saveSession,
  type Session,
} from "./session-store.server.ts";
import { nextFlash, type PendingFlash, enqueueFlash } from "./flash.server.ts";

const HOUR_MS = 3_600_000;
const SID_BYTES = 32;
/** Of one person at once; a further sign-in ends the one that was least recently used. */
const MAX_SESSIONS = 20;
const NOTICES = "sessions.sess";

/** Signing out: a shared computer keeps nothing of what was on the screen. */
export const CLEAR_CACHE_HEADERS = { "Clear-Site-Data": '"cache"' };

type RequestSession = {
  session: Session | null;
  cookies: string[];
  /** What the browser sent. */
  cookieHeader: string | null;
  immediateFlash: Notice | null;
  pendingFlash?: PendingFlash;
  retryAfterSeconds?: number;
};

const POLLED_ENDPOINTS = ["/api/appointments", "/api/consultation-requests"];

const requestSessionContext = createContext<RequestSession>();

/** Finds who is visiting, before any loader or action, and writes back what changed after them. */
export const sessionMiddleware: MiddlewareFunction<Response> = async ({ request, context, url, pattern }, next) => {
  const nodeRequest = context.get(nodeRequestContext);
  setLogRoute(nodeRequest, `/${pattern.replace(/^\//, "")}`);
  const cookieHeader = request.headers.get("cookie");
  const initialSession = await findSession(cookieHeader).catch((error: unknown) => {
    throw toErrorResponse(error, url.pathname, nodeRequest);
  });
  const requestSession: RequestSession = { session: initialSession, cookies: [], cookieHeader, immediateFlash: null };
  context.set(requestSessionContext, requestSession);
  if (initialSession && !isPolling(request, url)) touchSession(initialSession);
  const response = await next();
  const { pendingFlash } = requestSession;
  if (requestSession.session && pendingFlash) {
    updateSession(requestSession.session, (data) => ({
      ...data,
      notices: enqueueFlash(data.notices ?? [], pendingFlash),
    }));
  }
  if (requestSession.session)
    await saveSession(requestSession.session).catch((error: unknown) =>
      tolerateOutage(error, "noting activity", nodeRequest),
    );
  if (requestSession.retryAfterSeconds !== undefined)
    response.headers.set("Retry-After", String(requestSession.retryAfterSeconds));
  for (const value of requestSession.cookies) response.headers.append("Set-Cookie", value);
  if (initialSession || requestSession.session) response.headers.set("Cache-Control", "private, no-store");
  return response;
};

/** The signed-in person of a Cookie header, or null. The socket's upgrade asks the same question. */
export async function findSession(cookieHeader: string | null): Promise<Session | null> {
  const sid = await readSid(cookieHeader);
  return sid === null ? null : findSessionById(sid);
}

/** One question instead of Prisma's two: every request of a signed-in person asks it. */
async function findSessionById(sid: string): Promise<Session | null> {
  const [row] = await preparedQuery<Person & { comfort: string | null; sess: string; expire: Date }>(sql`
    SELECT s."sess", s."expire", u."id", u."email", u."firstName", u."lastName", u."phone", u."isClient", u."isAdmin",
      u."comfort"
    FROM "sessions" s JOIN "users" u ON u."id" = s."userId" WHERE s."sid" = ${sid} AND u."closedAt" IS NULL`);
  if (!row || row.expire <= now()) return null;
  const { sess, expire: expires, comfort, ...person } = row;
  return { sid, person, comfort, sess, data: JSON.parse(sess) as SessionData, expires, pendingUpdates: [] };
}

/** The same, noting that the person is doing something: for long work outside the pages, such as an upload. */
export async function touchSessionByCookie(cookieHeader: string | null): Promise<Session | null> {
  const sid = await readSid(cookieHeader);
  return sid === null ? null : touchSessionById(sid);
}

/** The same without a request: a running call is its own people's activity (decisions §5.13). */
export async function touchSessionById(sid: string): Promise<Session | null> {
  const session = await findSessionById(sid);
  if (session) touchSession(session);
  if (session) await saveSession(session);
  return session;
}

/** The sign-in of this browser that has run out; null where it was ended by hand, or is forgotten after a week. */
export async function findExpiredSession(
  cookieHeader: string | null,
): Promise<{ sid: string; userId: number; sess: string } | null> {
  const sid = await readSid(cookieHeader);
  const row = sid && (await db.session.findUnique({ where: { sid } }));
  return row && row.userId && row.expire <= now() ? { sid, userId: row.userId, sess: row.sess } : null;
}

export function getSession(context: Readonly<RouterContextProvider>): Session | null {
  return context.get(requestSessionContext).session;
}

/**
 * Signs `person` in under a new id; the session that carried the request, if any, ends. False, and nobody is signed
 * in, when the account is closed or has not the password of `hash` any more.
 */
export async function startSession(
  context: Readonly<RouterContextProvider>,
  person: Person,
  { notice, hash }: { notice?: Notice; hash?: string } = {},
): Promise<boolean> {
  const requestSession = context.get(requestSessionContext);
  await endSession(context);
  const time = now().getTime();
  const data: SessionData = {
    signedInAt: time,
    activeAt: time,
    notices: notice ? [{ sealed: sealNotice(notice), at: time }] : [],
  };
  const sess = JSON.stringify(data);
  const session: Session = {
    sid: randomBytes(SID_BYTES).toString("base64url"),
    person,
    comfort: null,
    sess,
    data,
    expires: sessionExpiresAt(person, data),
    pendingUpdates: [],
  };
  await purgeExpiredSessions();
  const isStarted = await inTransaction(async (transaction) => {
    if (!(await lockAccount(transaction, person.id, { hash, isOpen: true }))) return false;
    const surplus = await transaction.session.findMany({
      where: { userId: person.id, expire: { gt: now() } },
      orderBy: [{ expire: "desc" }, { sid: "asc" }],
      skip: MAX_SESSIONS - 1,
      select: { sid: true },
    });
    await transaction.session.deleteMany({ where: { sid: { in: surplus.map(({ sid }) => sid) } } });
    await transaction.session.create({ data: { sid: session.sid, userId: person.id, sess, expire: session.expires } });
    return true;
  });
  if (!isStarted) return false;
  requestSession.session = session;
  requestSession.cookies = [
    await sessionCookie.serialize(session.sid),
    await rememberDevice(requestSession.cookieHeader, person.email),
  ];
  return true;
}

/** Ends the session of this request; its row is gone when this returns. */
export async function endSession(context: Readonly<RouterContextProvider>): Promise<void> {
  const requestSession = context.get(requestSessionContext);
  if (requestSession.session) await db.session.deleteMany({ where: { sid: requestSession.session.sid } });
  requestSession.session = null;
  requestSession.cookies = [await sessionCookie.serialize("", { maxAge: 0 })];
}

/** Sends one more cookie with the answer to this request. */
export function appendCookie(context: Readonly<RouterContextProvider>, value: string): void {
  context.get(requestSessionContext).cookies.push(value);
}

/** Stores the one message that the next page shows, or the page `to` where the address is known. */
export function flash(context: Readonly<RouterContextProvider>, notice: Notice, to?: string): void {
  const path = to?.replace(/[?#].*/, "");
  Object.assign(context.get(requestSessionContext), {
    pendingFlash: { sealed: sealNotice(notice), to: path, at: now().getTime() },
  });
}

/** Shows a message in the page that answers this very request, also to visitors; it is stored nowhere. */
export function flashNow(context: Readonly<RouterContextProvider>, notice: Notice, retryAfterSeconds?: number): void {
  Object.assign(context.get(requestSessionContext), { immediateFlash: notice, retryAfterSeconds });
}

/** Takes the message to show at `path`, once, whichever tab asks first: what just failed, else what was stored. */
export async function consumeFlash(context: Readonly<RouterContextProvider>, path: string): Promise<Notice | null> {
  const { session, immediateFlash } = context.get(requestSessionContext);
  if (immediateFlash) return immediateFlash;
  const time = now().getTime();
  let consumed: PendingFlash | undefined;
  const removeFlash: SessionUpdate = (data) => {
    consumed = nextFlash(data.notices ?? [], path, time);
    return { ...data, notices: data.notices?.filter((pending) => pending !== consumed) };
  };
  if (!session || !nextFlash(session.data.notices ?? [], path, time)) return null;
  updateSession(session, removeFlash);
  await saveSession(session);
  return consumed?.sealed ? openNotice(consumed.sealed) : null;
}

/** A message can repeat what somebody typed, such as the name of a document. */
function sealNotice(notice: Notice): string {
  return sealText(JSON.stringify(notice), NOTICES);
}

function openNotice(sealed: string): Notice | null {
  const text = openText(sealed, NOTICES);
  return isUnreadable(text) ? null : (JSON.parse(text) as Notice);
}

/** Leaves for another page of ours with a message. `wholePage` where that page is a document. */
export function redirectWithFlash(
  context: Readonly<RouterContextProvider>,
  to: string,
  notice: Notice,
  reloadDocument = false,
): Response {
  flash(context, notice, to);
  return reloadDocument ? redirectDocument(to) : redirect(to);
}

/**
 * What is asked again and again without anybody's doing is nobody's activity: a page of ours says so with `?refresh`,
 * and of the API these are the two lists that a screen asks for every 5 s (specification §7).
 */
function isPolling(request: Request, url: URL): boolean {
  const isRead = request.method === "GET" || request.method === "HEAD";
  return isRead && (url.searchParams.has("refresh") || POLLED_ENDPOINTS.includes(url.pathname));
}

/** Removes the rows of sign-ins that ended a week ago or earlier: until then one tells its own person what happened. */
export async function purgeExpiredSessions(): Promise<void> {
  await db.session.deleteMany({
    where: { expire: { lte: new Date(now().getTime() - COOKIE_LIFETIME_DAYS * 24 * HOUR_MS) } },
  });
}

/** When this sign-in ends by itself: without a person's own action, and at the latest (ISO 8601, UTC). */
export function sessionExpiry(context: Readonly<RouterContextProvider>) {
  const session = getSession(context);
  return session && { endsAt: session.expires.toISOString(), remainingMs: session.expires.getTime() - now().getTime() };
}
