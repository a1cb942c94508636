import { HOUR_SECONDS } from "../time-units.ts";
import { createHmac } from "node:crypto";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { env } from "../env.server.ts";

/** How long the credentials can create new allocations. An existing allocation continues after that. */
const CREDENTIAL_TTL_SECONDS = HOUR_SECONDS;

export type IceServer = { urls: string[]; username?: string; credential?: string };

/** Returns the STUN servers, the only servers that a page gets before the other side is present. */
export function stunServers(): IceServer[] {
  const { stunUrls } = env.video;
  return stunUrls.length > 0 ? [{ urls: stunUrls }] : [];
}

/** Returns the URLs of the relay without credentials, to test whether a network allows connections to it. */
export function relayUrls(): string[] {
  return env.video.turnSecret ? env.video.turnUrls : [];
}

/**
 * Returns the STUN servers, and the relay with credentials for this person and visit that expire in an hour. Call this
 * only for the two people of an open room in which the consultant is present, because a relay forwards whatever the
 * holder of credentials sends.
 * The format is coturn's `use-auth-secret`: the username is the expiry (seconds since 1970, UTC) with the ids of visit
 * and person, and the credential is the base64 HMAC-SHA1 of the username. The operator of the relay sees no names.
 */
export function createIceServersWithCredentials(person: Person, appointmentId: number): IceServer[] {
  const { turnUrls, turnSecret } = env.video;
  const servers = stunServers();
  if (turnUrls.length === 0 || !turnSecret) return servers;
  const expiresAtSeconds = Math.floor(now().getTime() / 1000) + CREDENTIAL_TTL_SECONDS;
  const username = `${expiresAtSeconds}:${appointmentId}-${person.id}`;
  const credential = createHmac("sha1", turnSecret).update(username).digest("base64");
  return [...servers, { urls: turnUrls, username, credential }];
}
