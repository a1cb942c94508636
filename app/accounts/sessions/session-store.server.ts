import { randomBytes } from "node:crypto";
import { sqltag as sql } from "@prisma/client/runtime/client";
import { DAY_MS } from "../../time-units.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { db, inTransaction, runPreparedQuery } from "../../db/database-client.server.ts";
import { closeConnectionsOfEndedSessions } from "../close-session-connections.server.ts";
import { lockAccountRow } from "../lock-account-row.server.ts";
import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { UNKNOWN_DEVICE } from "./device-name.ts";
import { computeSessionExpiry } from "./session-expiry.ts";
import { notifyNewDevice } from "../email/account-notifications.server.ts";
import { ACTIVE_ACCOUNT_CONDITION, familyIdOf, type Person } from "../person.ts";
import { log } from "../../http/log.server.ts";

/** Days that an expired row is kept, so that the next request of its browser can be notified of the expiry. */
export const EXPIRED_SESSION_DAYS = 7;

const SID_BYTES = 32;
/** Maximum number of open sessions of one person. One more ends the least recently used. */
const MAX_SESSIONS = 20;
/** Maximum attempts of an optimistic update: another tab may write the row at the same moment. */
const MAX_ATTEMPTS = 10;
/** Minimum time between two writes of the activity, so that reading pages does not write to the database each time. */
const ACTIVITY_WRITE_INTERVAL_MS = 10_000;

/** A message in the session, encrypted. `to` is the path of its page, if known; `at` is in ms since 1970. */
export type PendingFlash = { encrypted: string; to?: string; at: number };
/** A form that was not submitted. Its page shows it again. Encrypted in base64; `savedAt` is in ms since 1970. */
export type StoredForm = { encrypted: string; savedAt: number };
/** The JSON in `sessions.sess`. Times are in milliseconds since 1970 (UTC). */
export type SessionData = {
  signedInAt: number;
  activeAt: number;
  notices?: PendingFlash[];
  /** When the password or code was last entered again; a sign-in counts too. */
  authenticatedAt?: number;
  /** The path of the page for which it was entered, and since when (ms) its app exists: until used there. */
  authenticatedFor?: string;
  authenticatedFactorSince?: number;
  /** Set for the session that began with the registration. */
  isFirst?: true;
  /** The device in words; absent in sessions created before it was stored. */
  device?: string;
  /** Set if the session was begun with *This is not my device*. */
  isShared?: true;
  /** The service that the person chose on the public page before signing in, until its booking is begun. */
  chosenService?: string;
} & Partial<StoredForm>;
export type SessionUpdate = (data: SessionData) => SessionData;

export type Session = {
  sid: string;
  person: Person;
  /** The person's display preferences; null until chosen. */
  displayPreferences: string | null;
  /** The version of the terms that the person has accepted; null when that was never stored. */
  termsVersion: string | null;
  /** When the address of the account was confirmed (UTC); null until then. */
  emailConfirmedAt: Date | null;
  /** `sessions.sess` as it was last read or written. */
  sess: string;
  data: SessionData;
  /**
   * The only thing that a restricted session may do: set up the second factor (an administrator of a public site who
   * has none), or keep the account (while its erasure is scheduled). Null: no restriction.
   */
  restriction: "second-factor" | "pending-erasure" | null;
  /** When the account is erased (UTC); null unless erasure is scheduled. */
  eraseAfter: Date | null;
  expires: Date;
  /** Changes to `data` that are not written to the row yet. */
  pendingUpdates: SessionUpdate[];
};

type SessionRow = Person & {
  displayPreferences: string | null;
  sess: string;
  expire: Date;
  /** SQLite returns 0 and 1. */
  hasSecondFactor: boolean | number;
  eraseAfter: Date | null;
  termsVersion: string | null;
  emailConfirmedAt: Date | null;
};

/** `sess` holds the data as JSON; `expire` is UTC. */
export type ExpiredSession = { sid: string; userId: number; sess: string; expire: Date };

/** Returns the open session `sid` of an open account, or null. Prepared, because every signed-in request runs it. */
export async function findSessionById(sid: string): Promise<Session | null> {
  const [row] = await runPreparedQuery<SessionRow>(sql`
    SELECT s."sess", s."expire", u."id", u."email", u."firstName", u."lastName", u."phone", u."isClient", u."isAdmin",
      u."comfort" AS "displayPreferences", u."eraseAfter",
      u."termsVersion", u."emailConfirmedAt", (EXISTS (SELECT 1 FROM "second_factors" f
        WHERE f."userId" = u."id" AND f."confirmedAt" IS NOT NULL)
        OR EXISTS (SELECT 1 FROM "passkeys" k WHERE k."userId" = u."id")) AS "hasSecondFactor"
    FROM "sessions" s JOIN "users" u ON u."id" = s."userId" WHERE s."sid" = ${sid} AND u."closedAt" IS NULL`);
  if (!row || row.expire <= now() || (row.eraseAfter && row.eraseAfter <= now())) return null;
  const { expire: expires, hasSecondFactor: hasFactor, sess, ...account } = row;
  const { displayPreferences, eraseAfter, termsVersion, emailConfirmedAt, ...person } = account;
  const accountFields = { displayPreferences, eraseAfter, termsVersion, emailConfirmedAt };
  const restriction = getRestriction(person, Boolean(hasFactor), eraseAfter);
  const data = JSON.parse(sess) as SessionData;
  return { sid, person, ...accountFields, sess, data, restriction, expires, pendingUpdates: [] };
}

function getRestriction(person: Person, hasFactor: boolean, eraseAfter: Date | null): Session["restriction"] {
  if (eraseAfter) return "pending-erasure";
  return env.isPublic && person.isAdmin && !hasFactor ? "second-factor" : null;
}

/**
 * Returns the session `sid` if it has expired; null if it is open, was ended by the user, or expired over a week ago.
 */
export async function findExpiredSessionById(sid: string): Promise<ExpiredSession | null> {
  const row = await db.session.findUnique({ where: { sid } });
  return row && row.userId && row.expire <= now() ? { ...row, userId: row.userId } : null;
}

/**
 * Returns the open sessions among `sids` of open accounts without scheduled erasure, each with its account. Checks all
 * open sockets in one query.
 */
export async function findUsersBySessionIds(sids: string[]): Promise<Map<string, { id: number; isAdmin: boolean }>> {
  const rows = await db.session.findMany({
    where: { sid: { in: sids }, expire: { gt: now() }, user: ACTIVE_ACCOUNT_CONDITION },
    select: { sid: true, user: { select: { id: true, isAdmin: true } } },
  });
  return new Map(rows.flatMap(({ sid, user }) => (user ? [[sid, user] as const] : [])));
}

/** Does the same as `findSessionById`, and counts as activity of the person. */
export async function touchSessionById(sid: string): Promise<Session | null> {
  const session = await findSessionById(sid);
  if (session) touchSession(session);
  if (session) await flushSessionUpdates(session);
  return session;
}

export type SessionOptions = {
  notices?: PendingFlash[];
  /** The account's version when the person was verified: no access may have been revoked since. */
  accessVersion?: number;
  isFirst?: true;
  device?: string;
  /** Whether the device is not the person's own. */
  isShared?: boolean;
  chosenService?: string | null;
  /** Whether the account has not signed in on this device before; if so, the person is notified. */
  isNewDevice?: boolean;
};

/** Creates a session of `person`. Returns null if the account is closed or has another `accessVersion`. */
export async function createSession(
  person: Person,
  { notices = [], accessVersion, isFirst, device, isShared, chosenService, isNewDevice }: SessionOptions,
): Promise<Session | null> {
  const time = now().getTime();
  const data: SessionData = {
    signedInAt: time,
    activeAt: time,
    notices,
    isFirst,
    device,
    isShared: isShared || undefined,
    chosenService: chosenService ?? undefined,
  };
  const sess = JSON.stringify(data);
  const sid = randomBytes(SID_BYTES).toString("base64url");
  const expiresAt = computeSessionExpiry(person, data);
  await purgeExpiredSessions();
  let surplusCount = 0;
  const isCreated = await inTransaction(async (transaction) => {
    if (!(await lockAccountRow(transaction, person.id, { accessVersion, isOpen: true }))) return false;
    const surplusSessions = await transaction.session.findMany({
      where: { userId: person.id, expire: { gt: now() } },
      orderBy: [{ expire: "desc" }, { sid: "asc" }],
      skip: MAX_SESSIONS - 1,
      select: { sid: true },
    });
    surplusCount = surplusSessions.length;
    await transaction.session.deleteMany({ where: { sid: { in: surplusSessions.map((row) => row.sid) } } });
    await transaction.session.create({ data: { sid, userId: person.id, sess, expire: expiresAt } });
    recordAuditInTransaction(transaction, {
      action: "signed-in",
      actorId: person.id,
      familyId: familyIdOf(person),
      objectId: person.id,
    });
    if (isNewDevice) await notifyNewDevice(transaction, person.id, { sid, device: device ?? UNKNOWN_DEVICE });
    return true;
  });
  if (surplusCount > 0) await closeConnectionsOfEndedSessions(person.id);
  return isCreated ? findSessionById(sid) : null;
}

/** Ends a session and closes its sockets. Both are done when this resolves. */
export async function endSessionById(
  { sid, person }: Pick<Session, "sid" | "person">,
  action: "signed-out" | "session-ended",
): Promise<void> {
  await inTransaction(async (transaction) => {
    const { count } = await transaction.session.deleteMany({ where: { sid } });
    if (count > 0) recordAuditInTransaction(transaction, { action, actorId: person.id, familyId: familyIdOf(person) });
  });
  await closeConnectionsOfEndedSessions(person.id);
}

/** Deletes the rows of sessions that expired a week ago or earlier. */
export async function purgeExpiredSessions(): Promise<void> {
  const expiryCutoff = new Date(now().getTime() - EXPIRED_SESSION_DAYS * DAY_MS);
  await db.session.deleteMany({ where: { expire: { lte: expiryCutoff } } });
}

/** Extends the idle timeout in memory. `flushSessionUpdates` writes it. */
export function touchSession(session: Session): void {
  const time = now().getTime();
  if (time - session.data.activeAt < ACTIVITY_WRITE_INTERVAL_MS) return;
  updateSession(session, (data) => ({ ...data, activeAt: Math.max(data.activeAt, time) }));
}

/** Applies `update` in memory. `flushSessionUpdates` applies it again to the current row. */
export function updateSession(session: Session, update: SessionUpdate): void {
  session.data = update(session.data);
  session.expires = computeSessionExpiry(session.person, session.data);
  session.pendingUpdates.push(update);
}

/**
 * Writes the pending updates with optimistic locking: each of several parallel requests of one browser applies its own
 * to the current row. Gives up after MAX_ATTEMPTS and logs it.
 */
export async function flushSessionUpdates(session: Session): Promise<void> {
  const { sid, person } = session;
  for (let attempt = 0; session.pendingUpdates.length > 0 && attempt < MAX_ATTEMPTS; attempt += 1) {
    const data = session.pendingUpdates.reduce(
      (current, update) => update(current),
      JSON.parse(session.sess) as SessionData,
    );
    const rowUpdate = { sess: JSON.stringify(data), expire: computeSessionExpiry(person, data) };
    const { count } = await db.session.updateMany({ where: { sid, sess: session.sess }, data: rowUpdate });
    if (count === 1)
      Object.assign(session, { sess: rowUpdate.sess, data, expires: rowUpdate.expire, pendingUpdates: [] });
    const row = count === 1 ? null : await db.session.findUnique({ where: { sid }, select: { sess: true } });
    if (!row) return;
    session.sess = row.sess;
  }
  if (session.pendingUpdates.length > 0) log.warn({ attempts: MAX_ATTEMPTS }, "session updates lost");
}
