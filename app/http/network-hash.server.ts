import { createHmac } from "node:crypto";
import { env } from "../env.server.ts";
import { networksOf } from "./client-ip.server.ts";

/** Keyed hashes of an address's networks: the IPv4 address itself in both, or the IPv6 /56 and its /48. */
export type NetworkHashes = { network: string; wideNetwork: string };

/** HMAC of `text` for one `purpose`, so that hashes of two tables can't be joined. */
export function keyedHash(purpose: string, text: string, secret = env.sessionSecrets[0] ?? ""): string {
  return createHmac("sha256", secret).update(`${purpose}: ${text}`).digest("base64url");
}

/** The networks of an address (see `clientIp`), as they are stored. */
export function hashNetworks(purpose: string, address: string, secret?: string): NetworkHashes {
  const networks = networksOf(address);
  const hash = (network = "") => keyedHash(purpose, network, secret);
  return { network: hash(networks.at(-2) ?? networks[0]), wideNetwork: hash(networks.at(-1)) };
}

/** The same under each secret that is in force, so that what was stored before a rotation is found. */
export function hashNetworksWithAllSecrets(purpose: string, address: string): NetworkHashes[] {
  return env.sessionSecrets.map((secret) => hashNetworks(purpose, address, secret));
}
