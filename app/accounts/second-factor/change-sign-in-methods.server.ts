import { inTransaction, type Transaction } from "../../db/client.server.ts";
import type { Outcome } from "../../http/outcome.ts";
import { lockAccountRow, revokeSessionsAndLinks } from "../account-access.server.ts";
import { notSignedInRefusal } from "../authorization.server.ts";
import { closeConnectionsOfEndedSessions } from "../ended-sessions.server.ts";

/**
 * Runs `change`, which adds or removes a second factor or passkey of the account, with the account locked. Where it is
 * accepted, all sessions but `sid` end in the same transaction, because they may be of somebody who could not sign in by
 * the new methods; their connections are closed when this resolves. Refusal: unauthorized, where `sid` has ended meanwhile.
 */
export async function changeSignInMethods<T>(
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
