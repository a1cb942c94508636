import { deleteInBatches } from "../db/batches.server.ts";
import { db, inTransaction } from "../db/client.server.ts";
import { recordComplianceCaseAudit } from "./cases.server.ts";

/** Cases per transaction: on SQLite every other writer waits meanwhile. */
const BATCH_SIZE = 100;

/** The two kinds of cases that are kept for different times. */
export type RetainedCases = "legal-requests" | "incidents";

const closedBefore = (cases: RetainedCases, instant: Date) => ({
  kind: cases === "incidents" ? "incident" : { not: "incident" },
  closedAt: { lt: instant },
});

/** How many requests about privacy and accessibility, or incidents, were closed before an instant. */
export function countCasesBefore(cases: RetainedCases, instant: Date): Promise<number> {
  return db.complianceCase.count({ where: closedBefore(cases, instant) });
}

/** Deletes those that were closed before an instant; open ones stay, however old. Returns how many. */
export function deleteCasesBefore(cases: RetainedCases, instant: Date): Promise<number> {
  return deleteInBatches(() =>
    inTransaction(async (transaction) => {
      const rows = await transaction.complianceCase.findMany({
        where: closedBefore(cases, instant),
        orderBy: [{ closedAt: "asc" }, { dueDay: "asc" }],
        take: BATCH_SIZE,
        select: { id: true, userId: true },
      });
      const { count } = await transaction.complianceCase.deleteMany({
        where: { id: { in: rows.map(({ id }) => id) } },
      });
      const action = cases === "incidents" ? "incident-expired" : "legal-request-expired";
      for (const row of rows) recordComplianceCaseAudit(transaction, action, row, null);
      return count;
    }),
  );
}
