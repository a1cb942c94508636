import { now } from "../clock.ts";
import { db } from "../db.server.ts";
import type { Person } from "./person.ts";
import type { WaitingNotice } from "./waiting-notices.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** How long a sign-in lasts: without a person's own action, and in all (decisions §5.13). */
const CLIENT_LIFE = { idleMs: 24 * HOUR, totalMs: 7 * 24 * HOUR };
const ADMIN_LIFE = { idleMs: 15 * MINUTE, totalMs: 12 * HOUR };

/** Another tab can write the session at the same moment; after this many times something else is wrong. */
const MOST_TRIES = 10;

/** Activity is written down at most this often, so that reading pages does not write to the database each time. */
const ACTIVITY_STEP_MS = 10_000;

/** What `sessions.sess` holds, as JSON; times are milliseconds since 1970, UTC. */
export type Kept = { signedInAt: number; activeAt: number; notices?: WaitingNotice[] };
export type Change = (kept: Kept) => Kept;

/** `sess` is the row as it was read, `changes` is what this request has to add to it. */
export type Visit = {
  sid: string;
  person: Person;
  /** How pages look for this person; null until chosen. */
  comfort: string | null;
  sess: string;
  kept: Kept;
  expires: Date;
  changes: Change[];
};

/** When this sign-in ends if nothing more is done, and how it is renewed. */
export function expiryOf(person: Person, kept: Kept): Date {
  const life = person.isAdmin ? ADMIN_LIFE : CLIENT_LIFE;
  return new Date(Math.min(kept.activeAt + life.idleMs, kept.signedInAt + life.totalMs));
}

export function noteActivity(visit: Visit): void {
  const time = now().getTime();
  if (time - visit.kept.activeAt < ACTIVITY_STEP_MS) return;
  change(visit, (kept) => ({ ...kept, activeAt: Math.max(kept.activeAt, time) }));
}

export function change(visit: Visit, how: Change): void {
  visit.kept = how(visit.kept);
  visit.expires = expiryOf(visit.person, visit.kept);
  visit.changes.push(how);
}

/** Writes what this request changed on top of what is stored by now, so that tabs at work at once lose nothing. */
export async function save(visit: Visit): Promise<void> {
  const { sid, person } = visit;
  for (let tries = 0; visit.changes.length > 0 && tries < MOST_TRIES; tries += 1) {
    const kept = visit.changes.reduce((so, how) => how(so), JSON.parse(visit.sess) as Kept);
    const next = { sess: JSON.stringify(kept), expire: expiryOf(person, kept) };
    const { count } = await db.session.updateMany({ where: { sid, sess: visit.sess }, data: next });
    if (count === 1) Object.assign(visit, { sess: next.sess, kept, expires: next.expire, changes: [] });
    const row = count === 1 ? null : await db.session.findUnique({ where: { sid }, select: { sess: true } });
    if (!row) return;
    visit.sess = row.sess;
  }
}
