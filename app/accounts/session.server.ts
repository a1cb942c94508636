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
import { preparedQuery, db, inTransaction } from "../db.server.ts";
import { nodeRequestContext } from "../http/context.server.ts";
import { toErrorResponse, tolerateOutage } from "../http/failure.server.ts";
import { setLogRoute } from "../http/log.server.ts";
import { isUnreadable, openText, sealText } from "../sealed-text.server.ts";
import type { Notice } from "../ui/notice.ts";
import { lockAccount } from "./access.server.ts";
import { rememberDevice } from "./known-device.server.ts";
import type { Person } from "./person.ts";
import { COOKIE_DAYS, readSid, sessionCookie } from "./session-cookie.server.ts";
import { type Change, change, expiryOf, type Kept, noteActivity, save, type Visit } from "./visit.server.ts";
import { noticeFor, type WaitingNotice, withNotice } from "./waiting-notices.ts";

const HOUR = 3_600_000;
const SID_BYTES = 32;
/** Of one person at once; a further sign-in ends the one that was least recently used. */
const MAX_SESSIONS = 20;
const NOTICES = "sessions.sess";

/** Signing out: a shared computer keeps nothing of what was on the screen. */
export const KEEP_NOTHING = { "Clear-Site-Data": '"cache"' };

type Door = {
  visit: Visit | null;
  cookies: string[];
  /** What the browser sent. */
  cookieHeader: string | null;
  failure: Notice | null;
  toSay?: WaitingNotice;
  retryAfterSeconds?: number;
};

const REFRESHED_CALLS = ["/api/appointments", "/api/consultation-requests"];

const doorContext = createContext<Door>();

/** Finds who is visiting, before any loader or action, and writes back what changed after them. */
export const sessionMiddleware: MiddlewareFunction<Response> = async ({ request, context, url, pattern }, next) => {
  const incoming = context.get(nodeRequestContext);
  setLogRoute(incoming, `/${pattern.replace(/^\//, "")}`);
  const cookieHeader = request.headers.get("cookie");
  const visit = await findVisit(cookieHeader).catch((error: unknown) => {
    throw toErrorResponse(error, url.pathname, incoming);
  });
  const door: Door = { visit, cookies: [], cookieHeader, failure: null };
  context.set(doorContext, door);
  if (visit && !isBackground(request, url)) noteActivity(visit);
  const response = await next();
  const { toSay } = door;
  if (door.visit && toSay) {
    change(door.visit, (kept) => ({ ...kept, notices: withNotice(kept.notices ?? [], toSay) }));
  }
  if (door.visit) await save(door.visit).catch((error: unknown) => tolerateOutage(error, "noting activity", incoming));
  if (door.retryAfterSeconds !== undefined) response.headers.set("Retry-After", String(door.retryAfterSeconds));
  for (const value of door.cookies) response.headers.append("Set-Cookie", value);
  if (visit || door.visit) response.headers.set("Cache-Control", "private, no-store");
  return response;
};

/** The signed-in person of a Cookie header, or null. The socket's upgrade asks the same question. */
export async function findVisit(cookieHeader: string | null): Promise<Visit | null> {
  const sid = await readSid(cookieHeader);
  return sid === null ? null : findVisitBySid(sid);
}

/** One question instead of Prisma's two: every request of a signed-in person asks it. */
async function findVisitBySid(sid: string): Promise<Visit | null> {
  const [row] = await preparedQuery<Person & { comfort: string | null; sess: string; expire: Date }>(sql`
    SELECT s."sess", s."expire", u."id", u."email", u."firstName", u."lastName", u."phone", u."isClient", u."isAdmin",
      u."comfort"
    FROM "sessions" s JOIN "users" u ON u."id" = s."userId" WHERE s."sid" = ${sid} AND u."closedAt" IS NULL`);
  if (!row || row.expire <= now()) return null;
  const { sess, expire: expires, comfort, ...person } = row;
  return { sid, person, comfort, sess, kept: JSON.parse(sess) as Kept, expires, changes: [] };
}

/** The same, noting that the person is doing something: for long work outside the pages, such as an upload. */
export async function renewVisit(cookieHeader: string | null): Promise<Visit | null> {
  const sid = await readSid(cookieHeader);
  return sid === null ? null : renewSession(sid);
}

/** The same without a request: a running call is its own people's activity (decisions §5.13). */
export async function renewSession(sid: string): Promise<Visit | null> {
  const visit = await findVisitBySid(sid);
  if (visit) noteActivity(visit);
  if (visit) await save(visit);
  return visit;
}

/** The sign-in of this browser that has run out; null where it was ended by hand, or is forgotten after a week. */
export async function findEnded(
  cookieHeader: string | null,
): Promise<{ sid: string; userId: number; sess: string } | null> {
  const sid = await readSid(cookieHeader);
  const row = sid && (await db.session.findUnique({ where: { sid } }));
  return row && row.userId && row.expire <= now() ? { sid, userId: row.userId, sess: row.sess } : null;
}

export function visitOf(context: Readonly<RouterContextProvider>): Visit | null {
  return context.get(doorContext).visit;
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
  const door = context.get(doorContext);
  await endSession(context);
  const time = now().getTime();
  const kept: Kept = {
    signedInAt: time,
    activeAt: time,
    notices: notice ? [{ sealed: sealNotice(notice), at: time }] : [],
  };
  const sess = JSON.stringify(kept);
  const visit: Visit = {
    sid: randomBytes(SID_BYTES).toString("base64url"),
    person,
    comfort: null,
    sess,
    kept,
    expires: expiryOf(person, kept),
    changes: [],
  };
  await forgetEndedSessions();
  const isStarted = await inTransaction(async (transaction) => {
    if (!(await lockAccount(transaction, person.id, { hash, isOpen: true }))) return false;
    const surplus = await transaction.session.findMany({
      where: { userId: person.id, expire: { gt: now() } },
      orderBy: [{ expire: "desc" }, { sid: "asc" }],
      skip: MAX_SESSIONS - 1,
      select: { sid: true },
    });
    await transaction.session.deleteMany({ where: { sid: { in: surplus.map(({ sid }) => sid) } } });
    await transaction.session.create({ data: { sid: visit.sid, userId: person.id, sess, expire: visit.expires } });
    return true;
  });
  if (!isStarted) return false;
  door.visit = visit;
  door.cookies = [await sessionCookie.serialize(visit.sid), await rememberDevice(door.cookieHeader, person.email)];
  return true;
}

/** Ends the session of this request; its row is gone when this returns. */
export async function endSession(context: Readonly<RouterContextProvider>): Promise<void> {
  const door = context.get(doorContext);
  if (door.visit) await db.session.deleteMany({ where: { sid: door.visit.sid } });
  door.visit = null;
  door.cookies = [await sessionCookie.serialize("", { maxAge: 0 })];
}

/** Sends one more cookie with the answer to this request. */
export function alsoSetCookie(context: Readonly<RouterContextProvider>, value: string): void {
  context.get(doorContext).cookies.push(value);
}

/** Stores the one message that the next page shows, or the page `to` where the address is known. */
export function toast(context: Readonly<RouterContextProvider>, notice: Notice, to?: string): void {
  const path = to?.replace(/[?#].*/, "");
  Object.assign(context.get(doorContext), { toSay: { sealed: sealNotice(notice), to: path, at: now().getTime() } });
}

/** Shows a message in the page that answers this very request, also to visitors; it is stored nowhere. */
export function sayFailure(
  context: Readonly<RouterContextProvider>,
  failure: Notice,
  retryAfterSeconds?: number,
): void {
  Object.assign(context.get(doorContext), { failure, retryAfterSeconds });
}

/** Takes the message to show at `path`, once, whichever tab asks first: what just failed, else what was stored. */
export async function takeNotice(context: Readonly<RouterContextProvider>, path: string): Promise<Notice | null> {
  const { visit, failure } = context.get(doorContext);
  if (failure) return failure;
  const time = now().getTime();
  let taken: WaitingNotice | undefined;
  const take: Change = (kept) => {
    taken = noticeFor(kept.notices ?? [], path, time);
    return { ...kept, notices: kept.notices?.filter((each) => each !== taken) };
  };
  if (!visit || !noticeFor(visit.kept.notices ?? [], path, time)) return null;
  change(visit, take);
  await save(visit);
  return taken?.sealed ? openNotice(taken.sealed) : null;
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
export function redirectWith(
  context: Readonly<RouterContextProvider>,
  to: string,
  notice: Notice,
  wholePage = false,
): Response {
  toast(context, notice, to);
  return wholePage ? redirectDocument(to) : redirect(to);
}

/**
 * What is asked again and again without anybody's doing is nobody's activity: a page of ours says so with `?refresh`,
 * and of the API these are the two lists that a screen asks for every 5 s (specification §7).
 */
function isBackground(request: Request, url: URL): boolean {
  const isRead = request.method === "GET" || request.method === "HEAD";
  return isRead && (url.searchParams.has("refresh") || REFRESHED_CALLS.includes(url.pathname));
}

/** Removes the rows of sign-ins that ended a week ago or earlier: until then one tells its own person what happened. */
export async function forgetEndedSessions(): Promise<void> {
  await db.session.deleteMany({ where: { expire: { lte: new Date(now().getTime() - COOKIE_DAYS * 24 * HOUR) } } });
}

/** When this sign-in ends by itself: without a person's own action, and at the latest (ISO 8601, UTC). */
export function sessionEnd(context: Readonly<RouterContextProvider>) {
  const visit = visitOf(context);
  return visit && { endsAt: visit.expires.toISOString(), remainingMs: visit.expires.getTime() - now().getTime() };
}
