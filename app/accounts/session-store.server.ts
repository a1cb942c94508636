import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";
import type { Person } from "./person.ts";
import type { PendingFlash } from "./flash.server.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long a sign-in lasts: without a person's own action, and in all (decisions §5.13). */
const CLIENT_TIMEOUTS = { idleMs: 24 * HOUR_MS, totalMs: 7 * 24 * HOUR_MS };
const ADMIN_TIMEOUTS = { idleMs: 15 * MINUTE_MS, totalMs: 12 * HOUR_MS };

/** Another tab can write the session at the same moment; after this many times something else is wrong. */
const MAX_ATTEMPTS = 10;

/** Activity is written down at most this often, so that reading pages does not write to the database each time. */
const ACTIVITY_WRITE_INTERVAL_MS = 10_000;

/** What `sessions.sess` holds, as JSON; times are milliseconds since 1970, UTC. */
export type SessionData = { signedInAt: number; activeAt: number; notices?: PendingFlash[] };
export type SessionUpdate = (data: SessionData) => SessionData;

/** `sess` is the row as it was read, `changes` is what this request has to add to it. */
export type Session = {
  sid: string;
  person: Person;
  /** How pages look for this person; null until chosen. */
  comfort: string | null;
  sess: string;
  data: SessionData;
  expires: Date;
  pendingUpdates: SessionUpdate[];
};

/** When this sign-in ends if nothing more is done, and how it is renewed. */
export function sessionExpiresAt(person: Person, data: SessionData): Date {
  const timeouts = person.isAdmin ? ADMIN_TIMEOUTS : CLIENT_TIMEOUTS;
  return new Date(Math.min(data.activeAt + timeouts.idleMs, data.signedInAt + timeouts.totalMs));
}

export function touchSession(session: Session): void {
  const time = now().getTime();
  if (time - session.data.activeAt < ACTIVITY_WRITE_INTERVAL_MS) return;
  updateSession(session, (data) => ({ ...data, activeAt: Math.max(data.activeAt, time) }));
}

export function updateSession(session: Session, update: SessionUpdate): void {
  session.data = update(session.data);
  session.expires = sessionExpiresAt(session.person, session.data);
  session.pendingUpdates.push(update);
}

/** Writes what this request changed on top of what is stored by now, so that tabs at work at once lose nothing. */
export async function saveSession(session: Session): Promise<void> {
  const { sid, person } = session;
  for (let attempt = 0; session.pendingUpdates.length > 0 && attempt < MAX_ATTEMPTS; attempt += 1) {
    const data = session.pendingUpdates.reduce(
      (current, update) => update(current),
      JSON.parse(session.sess) as SessionData,
    );
    const next = { sess: JSON.stringify(data), expire: sessionExpiresAt(person, data) };
    const { count } = await db.session.updateMany({ where: { sid, sess: session.sess }, data: next });
    if (count === 1) Object.assign(session, { sess: next.sess, data, expires: next.expire, pendingUpdates: [] });
    const row = count === 1 ? null : await db.session.findUnique({ where: { sid }, select: { sess: true } });
    if (!row) return;
    session.sess = row.sess;
  }
}
