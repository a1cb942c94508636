import { createHmac } from "node:crypto";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { env } from "../env.server.ts";

/** A relay's password opens new connections for this long; one that stands goes on. */
const CREDENTIAL_TTL_SECONDS = 60 * 60;

export type IceServer = { urls: string[]; username?: string; credential?: string };

/** How two browsers find each other without a relay: what the page of a visit is given before the other side is there. */
export function stunServers(): IceServer[] {
  const { stunUrls } = env.video;
  return stunUrls.length > 0 ? [{ urls: stunUrls }] : [];
}

/** Where the relay is, without a password: enough to learn whether a network lets anything through to it. */
export function relayUrls(): string[] {
  return env.video.turnSecret ? env.video.turnUrls : [];
}

/**
 * The STUN servers, and the relay with a password made for this person and visit, for an hour. Only for the two people of
 * an open room in which the consultant is: a relay carries whatever its password's holder sends (coturn's `use-auth-secret`: the name is the end in seconds since 1970, UTC, and whom it is for; the password is
 * its HMAC-SHA1). Whoever runs the relay learns numbers only.
 */
export function iceServers(person: Person, appointmentId: number): IceServer[] {
  const { turnUrls, turnSecret } = env.video;
  const servers = stunServers();
  if (turnUrls.length === 0 || !turnSecret) return servers;
  const expiresAtSeconds = Math.floor(now().getTime() / 1000) + CREDENTIAL_TTL_SECONDS;
  const username = `${expiresAtSeconds}:${appointmentId}-${person.id}`;
  const credential = createHmac("sha1", turnSecret).update(username).digest("base64");
  return [...servers, { urls: turnUrls, username, credential }];
}
