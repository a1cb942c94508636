import type { RouterContextProvider } from "react-router";
import { getSession } from "../accounts/session.server.ts";
import { env } from "../env.server.ts";
import { nodeResponseContext } from "../http/context.server.ts";
import { type Refusal, refused } from "../http/outcome.ts";

/**
 * How many may be open at once. Of a session: a browser opens six connections to a site, or one that carries many. Of a
 * person: a family's devices together. Of the process: a stalled one holds up to 370 KB, and a third of 512 MB stays free.
 */
export const DOWNLOAD_LIMITS = { session: 8, person: 24, process: 300 };
const RETRY_SECONDS = 10;

const bySession = new Map<string, number>();
const byPerson = new Map<number, number>();
let open = 0;

/**
 * Counts a download from now until its connection is done with it; a refusal where its session, its person on all
 * devices, or the process has too many open already. Each holds memory for as long as its reader takes.
 */
export function openDownload(context: Readonly<RouterContextProvider>): Refusal | null {
  const visit = getSession(context);
  const outgoing = context.get(nodeResponseContext);
  if (!visit || !outgoing) return null;
  const { sid, person } = visit;
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
