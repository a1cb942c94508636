import { refusalUnlessAdmin } from "../../accounts/authorization.server.ts";
import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { accepted, type Outcome } from "../../http/outcome.ts";
import { appointmentNotFoundRefusal, findAppointment } from "../../booking/find-appointment.server.ts";
import { FINAL_STATUSES } from "../../booking/appointment-status.ts";
import { practiceRefundCents } from "../../booking/prices/cancellation-policy.ts";
import { practiceCancellationPaymentText } from "./cancellation-texts.ts";
import { type CancellationResult, endAppointmentWithRefund } from "./end-appointment-with-refund.server.ts";
import { DELETED_BY_PRACTICE } from "./refund-reasons.ts";
import { copyConsultationRequestToPayments } from "./copy-consultation-request-to-payments.server.ts";

/**
 * Deletes an appointment for the administrator. Its payments are kept. Online payments are refunded in full if the
 * appointment has not begun and is not marked completed or no-show. Refusals: forbidden, notFound, conflict (its
 * payment is still in flight).
 */
export async function deleteAppointment(person: Person, id: number | null): Promise<Outcome<CancellationResult>> {
  const notAdminRefusal = refusalUnlessAdmin(person);
  if (notAdminRefusal) return notAdminRefusal;
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  const { id: appointmentId, appointmentDate } = found.value;
  const where = { id: appointmentId };
  let status = found.value.status;
  const ended = await endAppointmentWithRefund({
    id: appointmentId,
    familyId: found.value.userId,
    endedBy: "practice",
    auditAction: "appointment-deleted",
    reason: DELETED_BY_PRACTICE,
    decidedById: person.id,
    computeRefundCents: (payment) => practiceRefundCents({ status, appointmentDate }, payment, now()),
    refundText: practiceCancellationPaymentText,
    applyChange: async ({ appointment: appointmentTable }) => {
      const [locked] = await appointmentTable.updateManyAndReturn({
        where,
        data: { updatedAt: now() },
        select: { status: true },
      });
      status = locked?.status ?? status;
      return locked ? null : appointmentNotFoundRefusal();
    },
    isAlreadyEnded: () => FINAL_STATUSES.includes(status),
    deleteRows: async (transaction) => {
      await copyConsultationRequestToPayments(transaction, found.value);
      await transaction.appointment.deleteMany({ where });
    },
  });
  return ended.ok ? accepted({ ...ended.value, appointment: found.value }) : ended;
}
