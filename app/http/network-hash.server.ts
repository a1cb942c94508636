import { createHmac } from "node:crypto";
import { env } from "../env.server.ts";
import { networksOf } from "./client-ip.server.ts";

/** Keyed hashes of an address's networks: of an IPv6 /56 and its /48. For IPv4, both are hashes of the address. */
export type NetworkHashes = { network: string; wideNetwork: string };

/** Returns an HMAC of `text` for one `purpose`, so that hashes in two tables can't be joined. */
export function keyedHash(purpose: string, text: string, secret = env.sessionSecrets[0] ?? ""): string {
  return createHmac("sha256", secret).update(`${purpose}: ${text}`).digest("base64url");
}

/** Returns the hashes of an address's networks (see `clientIp`), as they are stored. */
export function hashNetworks(purpose: string, ip: string, secret?: string): NetworkHashes {
  const networks = networksOf(ip);
  const hash = (network = "") => keyedHash(purpose, network, secret);
  return { network: hash(networks.at(-2) ?? networks[0]), wideNetwork: hash(networks.at(-1)) };
}

/** Returns the hashes that `hashNetworks` returns with each active secret, to find rows stored before a rotation. */
export function hashNetworksWithAllSecrets(purpose: string, ip: string): NetworkHashes[] {
  return env.sessionSecrets.map((secret) => hashNetworks(purpose, ip, secret));
}
