import { createHash } from "node:crypto";
import { now } from "../../clock.ts";
import { db } from "../../db/database-client.server.ts";
import { MAX_ID } from "../../http/field-schemas.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import type { Person } from "../person.ts";
import { UNKNOWN_DEVICE } from "./device-name.ts";
import { endSessionById, type SessionData } from "./session-store.server.ts";

/** An open session as its owner sees it. Times are in UTC. */
export type Device = { id: number; current: boolean; createdAt: Date; lastSeenAt: Date; device: string };

/**
 * Returns the person's open sessions, the current one first, then the most recently used. `sid` is that of the request.
 */
export async function listSignedInDevices(person: Person, sid: string): Promise<Device[]> {
  const devices = (await findOpenSessions(person)).map(({ sid: each, sess }): Device => {
    const { signedInAt, activeAt, device = UNKNOWN_DEVICE } = JSON.parse(sess) as SessionData;
    return {
      id: publicSessionId(each),
      current: each === sid,
      createdAt: new Date(signedInAt),
      lastSeenAt: new Date(activeAt),
      device,
    };
  });
  return devices.toSorted(
    (a, b) => Number(b.current) - Number(a.current) || b.lastSeenAt.getTime() - a.lastSeenAt.getTime(),
  );
}

/** Returns the person's open session `id`; null if there is none. */
export async function findDeviceSession(
  person: Person,
  id: number | null,
): Promise<{ sid: string; data: SessionData } | null> {
  const session = (await findOpenSessions(person)).find(({ sid }) => publicSessionId(sid) === id);
  return session ? { sid: session.sid, data: JSON.parse(session.sess) as SessionData } : null;
}

/** Ends the person's session `id` and closes its sockets. Refusal: notFound, also for another person's session. */
export async function signOutDevice(person: Person, id: number | null): Promise<Outcome<null>> {
  const session = await findDeviceSession(person, id);
  if (!session) return refused("notFound", "This device is no longer signed in.");
  await endSessionById({ sid: session.sid, person }, "session-ended");
  return accepted(null);
}

function findOpenSessions(person: Person) {
  return db.session.findMany({
    where: { userId: person.id, expire: { gt: now() } },
    select: { sid: true, sess: true },
  });
}

/**
 * Returns a public id for a session: 31 bits of a hash, never 0. The session's own id is not revealed, because it is
 * the secret in its cookie.
 */
export function publicSessionId(sid: string): number {
  const hash = createHash("sha256").update(`device ${sid}`).digest();
  return (hash.readUInt32BE(0) % MAX_ID) + 1;
}
