import { inTransaction, type Transaction } from "../../db/database-client.server.ts";
import type { Outcome } from "../../http/outcome.ts";
import { revokeSessionsAndLinks } from "../revoke-account-access.server.ts";
import { lockAccountRow } from "../lock-account-row.server.ts";
import { notSignedInRefusal } from "../authorization.server.ts";
import { closeConnectionsOfEndedSessions } from "../close-session-connections.server.ts";

/**
 * Runs `change`, which adds or removes a second factor or passkey of the account, with the account locked. If it is
 * accepted, all sessions except `sid` end in the same transaction, because they may belong to a person who could not
 * sign in by the new methods. Their connections are closed when this resolves. Refusal: unauthorized, if `sid` has
 * ended in the meantime.
 */
export async function changeSignInMethodsAndRevokeAccess<T>(
  userId: number,
  sid: string,
  change: (transaction: Transaction) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const outcome = await inTransaction(async (transaction) => {
    if (!(await lockAccountRow(transaction, userId, { sid }))) return notSignedInRefusal();
    const result = await change(transaction);
    if (result.ok)
      await revokeSessionsAndLinks(transaction, userId, { exceptSid: sid, preservesConsultantLinks: true });
    return result;
  });
  if (outcome.ok) await closeConnectionsOfEndedSessions(userId);
  return outcome;
}
