import { isNewAccount } from "../accounts/new-account.server.ts";
import type { Person } from "../accounts/person.ts";
import { hashNetworks, keyedHash, type NetworkHashes } from "../http/network-hash.server.ts";

const PURPOSE = "network of a consultation request";

/**
 * Identifies the sender of a request by keyed hashes: of the signed-in family that is known, or else of the networks of
 * the IP address. They change with SESSION_SECRET.
 */
export async function networksOfVisitor(visitor: Person | null, address: string): Promise<NetworkHashes> {
  if (visitor === null || visitor.isAdmin || (await isNewAccount(visitor.id))) return hashNetworks(PURPOSE, address);
  const family = keyedHash(PURPOSE, `family ${visitor.id}`);
  return { network: family, wideNetwork: family };
}
