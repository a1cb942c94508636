import { recordAuditInTransaction } from "../../audit/record.server.ts";
import { now } from "../../clock.ts";
import { type Transaction } from "../../db/client.server.ts";
import { accepted, type Outcome, type Refusal, refused } from "../../http/outcome.ts";
import type { Appointment } from "../../booking/appointments.server.ts";
import { isConcluded } from "../../booking/appointment-status.ts";
import { notifyCancelled } from "../../booking/messages/visit-notifications.server.ts";
import type { OnlinePayment } from "../../booking/prices/refund-rule.ts";
import { rollbackIf, tryTransaction } from "../../booking/rollback.server.ts";
import { CANCELLABLE_COLUMNS, practiceCancellationText } from "./cancellation-texts.ts";
import { lockOnlinePayment } from "../paid-online.server.ts";
import { createRefund, findRefund, submitOrRefreshRefund } from "../refunds.server.ts";

const PAYMENT_IN_FLIGHT = "The payment for this visit is still being settled. Please try again in a minute.";

export const changedMeanwhile = refused("conflict", "This visit was changed in the meantime. Please look at it again.");

/**
 * `refundCents` is null when nothing was paid online. `isSent` is false while the provider has not accepted the refund.
 */
export type CancellationResult = { appointment: Appointment; refundCents: number | null; isSent: boolean };

/** The refund in cents when the administrator cancels or deletes an appointment at `at`. */
export function practiceRefundCents(
  { status, appointmentDate }: { status: string; appointmentDate: Date },
  paid: OnlinePayment,
  at: Date,
): number {
  return appointmentDate > at && !isConcluded(status) ? paid.amountCents - paid.refundedCents : 0;
}

type Closing = {
  id: number;
  familyId: number | null;
  reason: string;
  decidedById: number | null;
  computeRefundCents: (paid: OnlinePayment) => number;
  /** What the family is told about its money; that of the practice's cancellations where it is left out. */
  moneyText?: typeof practiceCancellationText;
  /** Locks the appointment's row; returns a refusal when it can't be closed any more. */
  lock: (transaction: Transaction) => Promise<Refusal | null>;
  finish?: (transaction: Transaction) => Promise<unknown>;
  /** Whether the family knows already that the visit will not take place, or it has. Asked after `lock`. */
  isAlreadyEnded?: () => boolean;
};

/**
 * Writes the end of the appointment and the refund due for it in one transaction, then submits the refund. Refusals: that of
 * `lock`; conflict (a payment is in flight, or the payment changed meanwhile).
 */
export async function closeWithRefund({
  id,
  familyId,
  reason,
  decidedById,
  computeRefundCents,
  moneyText = practiceCancellationText,
  lock,
  finish,
  isAlreadyEnded = () => false,
}: Closing): Promise<Outcome<Omit<CancellationResult, "appointment">>> {
  const closed = await tryTransaction(async (transaction) => {
    rollbackIf(await lock(transaction));
    const inFlightCount = await transaction.payment.count({ where: { appointmentId: id, state: "booked" } });
    rollbackIf(inFlightCount > 0 ? refused("conflict", PAYMENT_IN_FLIGHT) : null);
    const payment = await lockOnlinePayment(transaction, id);
    const amountCents = payment ? computeRefundCents(payment) : 0;
    const refund =
      payment && amountCents > 0
        ? await createRefund(transaction, payment, { amountCents, reason, decidedById })
        : null;
    rollbackIf(amountCents > 0 && refund === null ? changedMeanwhile : null);
    const visit = await transaction.appointment.findUniqueOrThrow({ where: { id }, select: CANCELLABLE_COLUMNS });
    const money = moneyText(visit, { paid: payment, refundCents: amountCents }, now());
    const by = decidedById === null ? "family" : "practice";
    if (!isAlreadyEnded()) await notifyCancelled(transaction, id, money, by);
    await finish?.(transaction);
    const action = finish ? "appointment-deleted" : "appointment-cancelled";
    recordAuditInTransaction(transaction, { action, familyId, objectId: id });
    return { refund, refundCents: payment && amountCents };
  });
  if (!closed.ok) return closed;
  const { refund, refundCents } = closed.value;
  const isSent = refund === null || (await submitOrRefreshRefund((await findRefund({ id: refund.id })) ?? refund));
  return accepted({ refundCents, isSent });
}
