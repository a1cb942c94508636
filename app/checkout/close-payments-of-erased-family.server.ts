import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { now } from "../clock.ts";
import { readRowsInBatches } from "../db/batches.server.ts";
import type { Transaction } from "../db/database-client.server.ts";
import { parseStoredBooking, PAYMENT_SELECT } from "./find-payment.server.ts";
import { UNFINISHED_STATES, voidWithoutProvider } from "./payment-transitions.server.ts";

/**
 * Closes the unfinished payments and refunds that a restore brought back although their family was erased after the
 * backup. An erasure waits until all payments are settled, so the provider has nothing left to charge, release or
 * refund. The provider is not queried, now or later, and only the provider knows the final result of these payments.
 * Returns the ids of the closed payments.
 */
export async function closePaymentsOfErasedFamily(
  transaction: Transaction,
  payments: Prisma.PaymentWhereInput,
): Promise<number[]> {
  const closedIds: number[] = [];
  const unpaid = { AND: payments, provider: { not: null }, state: { not: "paid" } };
  for await (const payment of readRowsInBatches((after, take) =>
    transaction.payment.findMany({
      where: { ...unpaid, id: { gt: after } },
      orderBy: { id: "asc" },
      take,
      select: PAYMENT_SELECT,
    }),
  )) {
    const fields = parseStoredBooking(payment);
    const booking = JSON.stringify({ ...fields, isClosedByRestore: true });
    // Bookings that can't be decrypted stay unchanged.
    if (fields)
      await transaction.payment.update({ where: { id: payment.id }, data: { booking }, select: { id: true } });
    if (!UNFINISHED_STATES.includes(payment.state)) continue;
    await voidWithoutProvider(transaction, payment);
    closedIds.push(payment.id);
  }
  const refunds = await transaction.refund.updateManyAndReturn({
    where: { state: "asked", payment: payments },
    data: { state: "done", updatedAt: now() },
    select: { paymentId: true },
  });
  return [...new Set([...closedIds, ...refunds.map(({ paymentId }) => paymentId)])];
}
