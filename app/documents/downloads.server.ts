import type { RouterContextProvider } from "react-router";
import { visitOf } from "../accounts/session.server.ts";
import { env } from "../env.server.ts";
import { outgoingContext } from "../http/context.server.ts";
import { type Refusal, refused } from "../http/outcome.ts";

/** A browser opens six connections to a site, or one that carries many. */
const MAX_PER_SESSION = 8;
/** A family's devices together. */
const MAX_PER_PERSON = 24;
const RETRY_SECONDS = 10;

const bySession = new Map<string, number>();
const byPerson = new Map<number, number>();

/**
 * Counts a download from now until its connection is done with it; a refusal where its session, or its person on all
 * devices, has too many open already. Each holds memory for as long as its reader takes.
 */
export function openDownload(context: Readonly<RouterContextProvider>): Refusal | null {
  const visit = visitOf(context);
  const outgoing = context.get(outgoingContext);
  if (!env.rateLimits || !visit || !outgoing) return null;
  const { sid, person } = visit;
  if ((bySession.get(sid) ?? 0) >= MAX_PER_SESSION || (byPerson.get(person.id) ?? 0) >= MAX_PER_PERSON) {
    const tooMany = refused("tooMany", "Too many downloads at once. Please wait until one is through, then try again.");
    return { ...tooMany, retryAfterSeconds: RETRY_SECONDS };
  }
  add(bySession, sid, 1);
  add(byPerson, person.id, 1);
  outgoing.once("close", () => {
    add(bySession, sid, -1);
    add(byPerson, person.id, -1);
  });
  return null;
}

function add<Key>(counts: Map<Key, number>, key: Key, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
