import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { deleteInBatches } from "../db/batches.server.ts";
import { db, inTransaction } from "../db/database-client.server.ts";

/** Number of requests per transaction. Kept small, because on SQLite all other writers wait for the transaction. */
const BATCH_SIZE = 100;

const pendingRequestsBeforeCondition = (instant: Date) => ({ status: "pending", createdAt: { lt: instant } });

/** Returns how many requests were sent before an instant and never scheduled. */
export function countPendingRequestsBefore(instant: Date): Promise<number> {
  return db.consultationRequest.count({ where: pendingRequestsBeforeCondition(instant) });
}

/** Deletes the requests that were sent before an instant and never scheduled. Returns how many were deleted. */
export function deletePendingRequestsBefore(instant: Date): Promise<number> {
  return deleteInBatches(() => deletePendingRequestBatch(instant));
}

function deletePendingRequestBatch(instant: Date): Promise<number> {
  return inTransaction(async (transaction) => {
    const where = pendingRequestsBeforeCondition(instant);
    const rows = await transaction.consultationRequest.findMany({
      where,
      orderBy: { createdAt: "asc" },
      take: BATCH_SIZE,
      select: { id: true, userId: true },
    });
    let count = 0;
    for (const { id, userId } of rows) {
      // Skips a request that is being scheduled concurrently.
      const deleted = await transaction.consultationRequest.deleteMany({ where: { id, ...where } });
      count += deleted.count;
      if (deleted.count > 0)
        recordAuditInTransaction(transaction, {
          action: "request-expired",
          actorId: null,
          familyId: userId,
          objectId: id,
        });
    }
    return count;
  });
}
