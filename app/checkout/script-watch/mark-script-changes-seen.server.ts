import { refusalUnlessAdmin } from "../../accounts/authorization.server.ts";
import type { Person } from "../../accounts/person.ts";
import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { now } from "../../clock.ts";
import { inTransaction } from "../../db/database-client.server.ts";
import { refreshWarnings } from "../../http/admin-warnings.server.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { watchedScriptUrl } from "./watch-payment-script.server.ts";

const alreadySeenRefusal = refused("notFound", "It is already marked as seen.");

/**
 * Marks the changes of the watched script up to number `lastChangeId` as seen. Later changes, which the page did not show, stay
 * unseen. Refusals: forbidden; notFound (already marked).
 */
export async function markScriptChangesSeen(person: Person, lastChangeId: number): Promise<Outcome<null>> {
  const notAdminRefusal = refusalUnlessAdmin(person);
  if (notAdminRefusal) return notAdminRefusal;
  const url = watchedScriptUrl();
  if (url === null) return alreadySeenRefusal;
  const count = await inTransaction(async (transaction) => {
    const marked = await transaction.paymentScript.updateMany({
      where: { url, id: { lte: lastChangeId }, acceptedAt: null },
      data: { acceptedAt: now() },
    });
    if (marked.count > 0) recordAuditInTransaction(transaction, { action: "payment-script-accepted" });
    return marked.count;
  });
  if (count === 0) return alreadySeenRefusal;
  await refreshWarnings();
  return accepted(null);
}
