import { isNewAccount } from "../accounts/new-account.server.ts";
import type { Person } from "../accounts/person.ts";
import { hashNetworks, keyedHash, type NetworkHashes } from "../http/network-hash.server.ts";

const PURPOSE = "network of a consultation request";

/**
 * Whose requests are ranked together, as keyed hashes that tell no address: those of one network (see `hashNetworks`),
 * or of one family that is known, wherever it sends them from. With a new SESSION_SECRET the same network counts as
 * another one.
 */
export async function networksOfVisitor(visitor: Person | null, address: string): Promise<NetworkHashes> {
  if (visitor === null || visitor.isAdmin || (await isNewAccount(visitor.id))) return hashNetworks(PURPOSE, address);
  const family = keyedHash(PURPOSE, `family ${visitor.id}`);
  return { network: family, wideNetwork: family };
}
