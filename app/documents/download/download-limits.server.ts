import type { RouterContextProvider } from "react-router";
import { getSession } from "../../accounts/sessions/session.server.ts";
import { env } from "../../env.server.ts";
import { nodeResponseContext } from "../../http/context.server.ts";
import { type Refusal, refused } from "../../http/outcome.ts";

/**
 * Concurrent downloads. Per session: above the six HTTP/1.1 connections of a browser. Per person: all devices together.
 * Per process: a stalled download holds up to 370 KB, and 300 of them leave a third of 512 MB free.
 */
export const DOWNLOAD_LIMITS = { session: 8, person: 24, process: 300 };
const RETRY_SECONDS = 10;

const bySession = new Map<string, number>();
const byPerson = new Map<number, number>();
let open = 0;

/**
 * Counts a download until its response closes. Refuses with tooMany (429) above the limit of the session or the person,
 * which RATE_LIMITS=off lifts, and with unavailable (503) above that of the process. Null when it may start.
 */
export function admitDownload(context: Readonly<RouterContextProvider>): Refusal | null {
  const session = getSession(context);
  const outgoing = context.get(nodeResponseContext);
  if (!session || !outgoing) return null;
  const { sid, person } = session;
  const ofSession = bySession.get(sid) ?? 0;
  const ofPerson = byPerson.get(person.id) ?? 0;
  if (env.rateLimits && (ofSession >= DOWNLOAD_LIMITS.session || ofPerson >= DOWNLOAD_LIMITS.person)) {
    const tooMany = refused("tooMany", "Too many downloads at once. Please wait until one is through, then try again.");
    return { ...tooMany, retryAfterSeconds: RETRY_SECONDS };
  }
  if (open >= DOWNLOAD_LIMITS.process) {
    const busy = refused("unavailable", "Very many downloads are open just now. Please try again in a minute.");
    return { ...busy, retryAfterSeconds: RETRY_SECONDS };
  }
  add(bySession, sid, 1);
  add(byPerson, person.id, 1);
  open += 1;
  outgoing.once("close", () => {
    add(bySession, sid, -1);
    add(byPerson, person.id, -1);
    open -= 1;
  });
  return null;
}

function add<Key>(counts: Map<Key, number>, key: Key, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
