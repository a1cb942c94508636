import type { createDatabaseClient } from "../../app/db/database-client.server.ts";
import type { FakeSquareLedger } from "../support/servers/fake-square-ledger.ts";

type Database = Awaited<ReturnType<typeof createDatabaseClient>>;

/** Compares our payments with Square's ledger, to the cent. Each difference is a sentence in `wrong`. */
export async function compareLedgers(database: Database, ledger: FakeSquareLedger) {
  const differences: string[] = [];
  const payments = await database.payment.findMany({ include: { refunds: true, appointment: true } });
  const appointments = await database.appointment.findMany({ where: { paymentMethod: "online" } });
  const charges = [...ledger.payments.values()];
  const byReference = Map.groupBy(charges, ({ reference_id: reference }) => reference);

  for (const [reference, made] of byReference) {
    const row = payments.find(({ key }) => key === reference);
    if (!row) differences.push(`Square holds ${reference}, of which we know nothing`);
    if (made.length > 1) differences.push(`${reference} is ${made.length} payments at Square`);
    for (const { status } of made) {
      if (status === "APPROVED") differences.push(`${reference} (${row?.state}) is still reserved on the card`);
      if (status === "COMPLETED" && row?.state !== "paid")
        differences.push(`${reference} is charged, and ${row?.state} with us`);
    }
  }
  for (const row of payments) {
    const [charge] = byReference.get(row.key) ?? [];
    if (row.state !== "paid") continue;
    const refundedCents = row.refunds
      .filter(({ state }) => state === "done")
      .reduce((sum, { amountCents }) => sum + amountCents, 0);
    if (charge?.status !== "COMPLETED")
      differences.push(`payment ${row.id} is paid with us, and ${charge?.status} at Square`);
    if (charge && charge.amount !== row.amountCents)
      differences.push(`payment ${row.id} differs: ${row.amountCents}, ${charge.amount}`);
    if (charge && charge.refunded !== refundedCents)
      differences.push(`payment ${row.id} has refunds of ${refundedCents} with us, ${charge.refunded} at Square`);
    if (refundedCents !== row.refundedCents)
      differences.push(`payment ${row.id} counts ${row.refundedCents} as refunded, and lists ${refundedCents}`);
    if (!row.appointment && refundedCents !== row.amountCents)
      differences.push(`payment ${row.id} has no booking and a refund of ${refundedCents}`);
  }
  for (const { id, paymentStatus, paymentId, status } of appointments) {
    const own = payments.filter((row) => row.appointmentId === id && row.state === "paid");
    if (own.length > 1) differences.push(`appointment ${id} is paid ${own.length} times`);
    if (/paid|refunded/.test(paymentStatus) && own[0]?.providerPaymentId !== paymentId)
      differences.push(`appointment ${id} is ${paymentStatus} without its charge`);
    if (paymentStatus === "pending") differences.push(`appointment ${id} (${status}) was left unpaid`);
  }
  const held = await database.hold.count();
  if (held > 0) differences.push(`${held} holds are left`);
  const charged = charges.filter(({ status }) => status === "COMPLETED");
  return {
    differences,
    chargedCents: charged.reduce((sum, { amount }) => sum + amount, 0),
    refundedCents: charged.reduce((sum, { refunded }) => sum + refunded, 0),
    ourCents: payments.filter(({ state }) => state === "paid").reduce((sum, { amountCents }) => sum + amountCents, 0),
    ourRefundedCents: payments.reduce((sum, { refundedCents }) => sum + refundedCents, 0),
    states: Object.fromEntries(
      [...Map.groupBy(payments, ({ state }) => state)].map(([state, all]) => [state, all.length]),
    ),
  };
}
