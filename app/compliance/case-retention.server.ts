import { deleteInBatches } from "../db/batches.server.ts";
import { db, inTransaction } from "../db/database-client.server.ts";
import { recordComplianceCaseAudit } from "./compliance-cases.server.ts";

/** Number of cases per transaction. Kept small, because on SQLite all other writers wait for the transaction. */
const BATCH_SIZE = 100;

/** The two groups of cases, which have different retention periods. */
export type RetentionGroup = "legal-requests" | "incidents";

const closedBeforeCondition = (retentionGroup: RetentionGroup, instant: Date) => ({
  kind: retentionGroup === "incidents" ? "incident" : { not: "incident" },
  closedAt: { lt: instant },
});

/** Returns how many requests about privacy and accessibility, or how many incidents, were closed before an instant. */
export function countCasesClosedBefore(retentionGroup: RetentionGroup, instant: Date): Promise<number> {
  return db.complianceCase.count({ where: closedBeforeCondition(retentionGroup, instant) });
}

/**
 * Deletes the cases that were closed before an instant. Open cases are kept, regardless of their age. Returns how many
 * were deleted.
 */
export function deleteCasesClosedBefore(retentionGroup: RetentionGroup, instant: Date): Promise<number> {
  return deleteInBatches(() =>
    inTransaction(async (transaction) => {
      const rows = await transaction.complianceCase.findMany({
        where: closedBeforeCondition(retentionGroup, instant),
        orderBy: [{ closedAt: "asc" }, { dueDay: "asc" }],
        take: BATCH_SIZE,
        select: { id: true, userId: true },
      });
      const { count } = await transaction.complianceCase.deleteMany({
        where: { id: { in: rows.map(({ id }) => id) } },
      });
      const action = retentionGroup === "incidents" ? "incident-expired" : "legal-request-expired";
      for (const row of rows) recordComplianceCaseAudit(transaction, action, row, null);
      return count;
    }),
  );
}
