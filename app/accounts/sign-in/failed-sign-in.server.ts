import { recordAuditNow } from "../../audit/record-audit.server.ts";
import { hashNetworks } from "../../http/network-hash.server.ts";

/**
 * Records a wrong password, code or passkey: the account, if there is one, and a keyed hash of the client's network.
 * The sign-in limits bound the number of records.
 */
export function auditFailedSignIn(
  action: "sign-in-failed" | "sign-in-code-failed" | "sign-in-passkey-failed" | "sign-in-passkey-copied",
  account: { id: number; isAdmin: boolean } | null,
  ip: string,
): Promise<void> {
  const { network } = hashNetworks("network of a sign-in", ip);
  const familyId = account && !account.isAdmin ? account.id : null;
  return recordAuditNow({ action, familyId, objectId: account?.id ?? null, network });
}
