import { createHmac } from "node:crypto";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { env } from "../env.server.ts";

/** A relay's password opens new connections for this long; one that stands goes on. */
const LIFE_SECONDS = 60 * 60;

export type IceServer = { urls: string[]; username?: string; credential?: string };

/**
 * How two browsers find each other: the STUN servers, and the relay with a password made for this person and visit, for
 * an hour (coturn's `use-auth-secret`: the name is the end in seconds since 1970, UTC, and whom it is for; the password is
 * its HMAC-SHA1). Whoever runs the relay learns numbers only.
 */
export function iceServers(person: Person, appointmentId: number): IceServer[] {
  const { stunUrls, turnUrls, turnSecret } = env.video;
  const servers: IceServer[] = stunUrls.length > 0 ? [{ urls: stunUrls }] : [];
  if (turnUrls.length === 0 || !turnSecret) return servers;
  const end = Math.floor(now().getTime() / 1000) + LIFE_SECONDS;
  const username = `${end}:${appointmentId}-${person.id}`;
  const credential = createHmac("sha1", turnSecret).update(username).digest("base64");
  return [...servers, { urls: turnUrls, username, credential }];
}
