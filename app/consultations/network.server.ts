import { createHmac } from "node:crypto";
import { isNewAccount } from "../accounts/new-account.server.ts";
import type { Person } from "../accounts/person.ts";
import { env } from "../env.server.ts";

/**
 * Whose requests are ranked together, as a keyed hash that tells no address: those of one network address, or of one
 * family that is known, wherever it sends them from. With a new SESSION_SECRET the same network counts as another one.
 */
export async function networkOf(visitor: Person | null, address: string): Promise<string> {
  const isKnownFamily = visitor !== null && !visitor.isAdmin && !(await isNewAccount(visitor.id));
  const source = isKnownFamily ? `family ${visitor.id}` : `address ${address}`;
  const [secret = ""] = env.sessionSecrets;
  return createHmac("sha256", secret).update(`network of a consultation request: ${source}`).digest("base64url");
}
