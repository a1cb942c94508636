import { DAY_SECONDS } from "../duration.ts";
import { env } from "../env.server.ts";
import { hashNetworks, keyedHash, type NetworkHashes } from "../http/network-hash.server.ts";
import { type Refusal, refused } from "../http/outcome.ts";
import { isNewAccount } from "./new-account.server.ts";
import type { Person } from "./person.ts";

/** Open requests of one network (an IPv4 address, an IPv6 /56, or a known family), and of one IPv6 /48. */
const MAX_OPEN = { network: 10, wideNetwork: 30 };

/**
 * Identifies the sender of a request by keyed hashes: of the signed-in family that is known, or else of the networks of
 * the IP address. They change with SESSION_SECRET, and differ for each `purpose`.
 */
export async function networksOfSender(
  purpose: string,
  sender: Person | null,
  address: string,
): Promise<NetworkHashes> {
  if (sender === null || sender.isAdmin || (await isNewAccount(sender.id))) return hashNetworks(purpose, address);
  const family = keyedHash(purpose, `family ${sender.id}`);
  return { network: family, wideNetwork: family };
}

/**
 * Refusal: tooMany, while 10 requests of the sender's network (30 of its IPv6 /48) are open; null otherwise.
 * `countOpen` counts those open requests that match.
 */
export async function refuseWhileManyAreOpen(
  networks: NetworkHashes,
  countOpen: (condition: Partial<NetworkHashes>) => Promise<number>,
): Promise<Refusal | null> {
  if (!env.rateLimits) return null;
  for (const level of ["network", "wideNetwork"] as const) {
    if ((await countOpen({ [level]: networks[level] })) < MAX_OPEN[level]) continue;
    const refusal = refused(
      "tooMany",
      `Many requests from your network are waiting for an answer. Please call us at ${env.practice.phone} instead.`,
    );
    return { ...refusal, retryAfterSeconds: DAY_SECONDS };
  }
  return null;
}
