import { createHmac } from "node:crypto";
import { isNewAccount } from "../accounts/new-account.server.ts";
import type { Person } from "../accounts/person.ts";
import { env } from "../env.server.ts";

/**
 * Identifies the sender of a request by a keyed hash: of the signed-in family, or else of the widest network of the IP
 * address. It changes with SESSION_SECRET.
 */
export async function networkOf(visitor: Person | null, address: string): Promise<string> {
  const isKnownFamily = visitor !== null && !visitor.isAdmin && !(await isNewAccount(visitor.id));
  const source = isKnownFamily ? `family ${visitor.id}` : `address ${address}`;
  const [secret = ""] = env.sessionSecrets;
  return createHmac("sha256", secret).update(`network of a consultation request: ${source}`).digest("base64url");
}
