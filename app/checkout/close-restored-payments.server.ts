import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { now } from "../clock.ts";
import { readRowsInBatches } from "../db/batches.server.ts";
import type { Transaction } from "../db/client.server.ts";
import { parseBookingFields, PAYMENT_COLUMNS } from "./find-payment.server.ts";
import { UNFINISHED_STATES, voidWithoutProvider } from "./payment-transitions.server.ts";

/**
 * Closes what is under way of payments that a restore brought back although their family was erased after the backup. An
 * erasure waits until its money is settled, so the provider has nothing to be charged, released or refunded anymore:
 * it is not asked, now or later. What came of these payments only the provider knows. Returns their numbers.
 */
export async function closeRestoredPayments(
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
      select: PAYMENT_COLUMNS,
    }),
  )) {
    const fields = parseBookingFields(payment);
    const booking = JSON.stringify({ ...fields, isClosedByRestore: true });
    // What can't be decrypted is left as it is.
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
