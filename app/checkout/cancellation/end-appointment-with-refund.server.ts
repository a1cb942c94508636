import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { now } from "../../clock.ts";
import { type Transaction } from "../../db/database-client.server.ts";
import { accepted, type Outcome, type Refusal, refused } from "../../http/outcome.ts";
import type { Appointment } from "../../booking/find-appointment.server.ts";
import { notifyVisitCanceled } from "../../booking/messages/visit-notifications.server.ts";
import type { RefundablePayment } from "../../booking/prices/cancellation-policy.ts";
import { rollbackIf, tryTransaction } from "../../booking/rollback.server.ts";
import {
  CANCELLABLE_SELECT,
  type CancellableAppointment,
  type practiceCancellationPaymentText,
} from "./cancellation-texts.ts";
import { lockOnlinePayment } from "../online-payment.server.ts";
import { insertRefundRequest, findRefund, submitOrRefreshRefund } from "../refunds.server.ts";

const PAYMENT_IN_FLIGHT_MESSAGE = "The payment for this visit is still being settled. Please try again in a minute.";

export const changedMeanwhileRefusal = refused(
  "conflict",
  "This visit was changed in the meantime. Please look at it again.",
);

/**
 * `refundCents` is null when nothing was paid online. `isRefundPending` is true until the provider has accepted the
 * refund.
 */
export type CancellationResult = { appointment: Appointment; refundCents: number | null; isRefundPending: boolean };

type AppointmentEndOptions = {
  id: number;
  familyId: number | null;
  endedBy: "family" | "practice";
  auditAction: "appointment-cancelled" | "appointment-deleted";
  /** Stored with the refund and sent to the provider. */
  reason: string;
  /** The administrator who ends the appointment; null when the family does. */
  decidedById: number | null;
  /** When the cancellation was requested, if that was before now. Decides the refund and the fee. */
  asOf?: Date | undefined;
  computeRefundCents: (payment: RefundablePayment, time: Date) => number;
  /** Returns a refusal if the amounts at `time` differ from those that the family was shown. */
  checkAmounts?:
    | ((visit: CancellableAppointment, payment: RefundablePayment | null, time: Date) => Refusal | null)
    | undefined;
  /** Returns the sentences about the money in the message to the family. */
  refundText: typeof practiceCancellationPaymentText;
  /**
   * Writes the appointment's row first, which locks it. Returns a refusal when the appointment can no longer be ended.
   */
  applyChange: (transaction: Transaction) => Promise<Refusal | null>;
  /** Deletes the row. Runs last in the transaction. */
  deleteRows?: (transaction: Transaction) => Promise<unknown>;
  /** True if no message is needed: the visit was canceled before or has taken place. Called after `applyChange`. */
  isAlreadyEnded?: () => boolean;
};

/**
 * Writes the end of the appointment and the refund due for it in one transaction, then submits the refund. Refusals:
 * those of `applyChange` and `checkAmounts`; conflict (a payment is in flight, or the payment changed in the meantime).
 */
export async function endAppointmentWithRefund({
  id,
  familyId,
  endedBy,
  auditAction,
  reason,
  decidedById,
  asOf,
  computeRefundCents,
  checkAmounts,
  refundText,
  applyChange,
  deleteRows,
  isAlreadyEnded = () => false,
}: AppointmentEndOptions): Promise<Outcome<Omit<CancellationResult, "appointment">>> {
  const ended = await tryTransaction(async (transaction) => {
    rollbackIf(await applyChange(transaction));
    const inFlightCount = await transaction.payment.count({ where: { appointmentId: id, state: "booked" } });
    rollbackIf(inFlightCount > 0 ? refused("conflict", PAYMENT_IN_FLIGHT_MESSAGE) : null);
    const payment = await lockOnlinePayment(transaction, id);
    const visit = await transaction.appointment.findUniqueOrThrow({ where: { id }, select: CANCELLABLE_SELECT });
    const time = asOf ?? now();
    rollbackIf(checkAmounts?.(visit, payment, time) ?? null);
    const amountCents = payment ? computeRefundCents(payment, time) : 0;
    const refund =
      payment && amountCents > 0
        ? await insertRefundRequest(transaction, payment, { amountCents, reason, decidedById })
        : null;
    rollbackIf(amountCents > 0 && refund === null ? changedMeanwhileRefusal : null);
    const text = refundText(visit, { payment, refundCents: amountCents }, time);
    if (!isAlreadyEnded()) await notifyVisitCanceled(transaction, id, text, endedBy);
    await deleteRows?.(transaction);
    recordAuditInTransaction(transaction, { action: auditAction, familyId, objectId: id });
    return { refund, refundCents: payment && amountCents };
  });
  if (!ended.ok) return ended;
  const { refund, refundCents } = ended.value;
  const isAccepted = refund === null || (await submitOrRefreshRefund((await findRefund({ id: refund.id })) ?? refund));
  return accepted({ refundCents, isRefundPending: !isAccepted });
}
