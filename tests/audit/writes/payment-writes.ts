import { createHmac, randomUUID } from "node:crypto";
import type { AuditAction } from "../../../app/audit/audit-actions.ts";
import { bookOrFail, nextFreeHour } from "../../support/bookings.ts";
import type { Family } from "../../support/people.ts";
import { cardPaymentBody, reconcileAfterLease, signatureKey, site, square } from "../../support/site-with-square.ts";
import { admin, adminId, confirmedFamily, expectSuccess, NOBODY, type Write, type Writes } from "./write.ts";

const { db, visitor } = site;

const pay = (own: Family, more: Record<string, unknown> = {}) =>
  own.post("/api/payments/process", cardPaymentBody({ appointmentDate: nextFreeHour(), ...more }));
const paymentOf = (own: Family) => async () => (await db.payment.findFirstOrThrow({ where: { userId: own.id } })).id;

/** A family that pays by card, of which the provider says what `taken` says. */
const cardPayment =
  (more: Record<string, unknown> = {}, taken: typeof square.ledger.paymentOverrides = {}) =>
  async (): Promise<Write> => {
    const own = await confirmedFamily();
    return {
      actor: own.id,
      family: own.id,
      object: paymentOf(own),
      act: async () => {
        square.ledger.paymentOverrides = taken;
        await pay(own, more);
        square.ledger.paymentOverrides = {};
        await site.testing.waitForBackgroundPayments();
      },
      refused: () => pay(own, { amount: 1 }),
    };
  };

/** A visit that is paid by card, and its money's page. */
async function paidVisit() {
  const own = await confirmedFamily();
  const { json } = await pay(own);
  const id = json.appointment.id as number;
  const object = paymentOf(own);
  const refund = async (of = id) =>
    admin.form(`/dashboard/appointments/${of}/payment`, {
      intent: "refund",
      amount: "5",
      reason: "Ended early.",
      key: randomUUID(),
      paymentId: String(await object()),
    });
  return { own, id, refund, names: { actor: adminId, family: own.id, object } };
}

/** Tells of the end of a refund that the provider had taken on. */
function tell(refund: { id: string | null; payment_id: string }) {
  const body = JSON.stringify({ type: "refund.updated", data: { object: { refund } } });
  const signature = createHmac("sha256", signatureKey).update(`${site.origin}/api/payments/webhook${body}`);
  const headers = {
    "Content-Type": "application/json",
    "x-square-hmacsha256-signature": signature.digest("base64"),
  };
  return visitor().request("POST", "/api/payments/webhook", { headers, body });
}

export const PAYMENT_WRITES: Writes = {
  "payment-started": cardPayment(),
  "payment-authorized": cardPayment(),
  "payment-paid": cardPayment(),
  "payment-declined": cardPayment({ sourceId: "cnon:card-nonce-declined" }),
  "payment-flagged": cardPayment({}, { amount: 7499 }),
  "payment-voided": async () => {
    const write = await cardPayment({}, { amount: 7499 })();
    return {
      ...write,
      act: async () => {
        await write.act();
        await reconcileAfterLease();
      },
    };
  },
  "payment-recorded": async () => {
    const own = await confirmedFamily();
    const { id } = await bookOrFail(own, { title: "Hourly Consulting" });
    const take = (of: unknown) =>
      admin.form(`/dashboard/appointments/${of}/payment`, { intent: "taken", method: "cash" });
    return {
      actor: adminId,
      family: own.id,
      object: paymentOf(own),
      act: () => expectSuccess(take(id)),
      refused: () => take(NOBODY),
    };
  },
  "payment-undone": async () => {
    const own = await confirmedFamily();
    const { id } = await bookOrFail(own, { title: "Hourly Consulting" });
    await expectSuccess(admin.form(`/dashboard/appointments/${id}/payment`, { intent: "taken", method: "cash" }));
    const payment = await db.payment.findFirstOrThrow({ where: { appointmentId: id } });
    const undo = (of: unknown) =>
      admin.form(`/dashboard/appointments/${id}/payment`, { intent: "undo", paymentId: String(of) });
    return {
      actor: adminId,
      family: own.id,
      object: paymentOf(own),
      act: () => expectSuccess(undo(payment.id)),
      refused: () => undo(NOBODY),
    };
  },
  "refund-asked": async () => {
    const { refund, names } = await paidVisit();
    return { ...names, act: () => expectSuccess(refund()), refused: () => refund(NOBODY) };
  },
  "refund-made": async () => {
    const { refund, names } = await paidVisit();
    return { ...names, act: () => expectSuccess(refund()), refused: () => refund(NOBODY) };
  },
  "refund-failed": async () => {
    const { refund, names, id } = await paidVisit();
    square.ledger.refundStatus = "PENDING";
    await expectSuccess(refund());
    const asked = await db.refund.findFirstOrThrow({ where: { payment: { appointmentId: id } } });
    return {
      ...names,
      actor: null,
      act: async () => {
        square.ledger.refundStatus = "FAILED";
        await expectSuccess(
          tell({
            id: asked.providerRefundId,
            payment_id: "x",
          }),
        );
        square.ledger.refundStatus = "COMPLETED";
      },
      refused: () => visitor().post("/api/payments/webhook", {}),
    };
  },
} satisfies Partial<Record<AuditAction, () => Promise<Write>>>;
