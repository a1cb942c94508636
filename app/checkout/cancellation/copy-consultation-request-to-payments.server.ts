import { isUnreadable } from "../../db/text-encryption.server.ts";
import type { Transaction } from "../../db/database-client.server.ts";

/**
 * Stores the consultation request of a visit without an account in the visit's payments. The visit is about to be
 * deleted, and only the visit links the payments to the person who made the request.
 */
export async function copyConsultationRequestToPayments(
  transaction: Transaction,
  { id: appointmentId, consultationRequestId }: { id: number; consultationRequestId: number | null },
): Promise<void> {
  if (consultationRequestId === null) return;
  const where = { appointmentId, userId: null };
  const payments = await transaction.payment.findMany({ where, select: { id: true, booking: true } });
  for (const { id, booking } of payments) {
    if (isUnreadable(booking)) continue;
    const fields = { ...(JSON.parse(booking) as object), consultationRequestId };
    await transaction.payment.update({
      where: { id },
      data: { booking: JSON.stringify(fields) },
      select: { id: true },
    });
  }
}
