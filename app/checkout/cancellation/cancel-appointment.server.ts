import { isVisitKnownToPerson } from "../../booking/manual-notification/manual-notification.ts";
import { refusalUnlessAdmin } from "../../accounts/authorization.server.ts";
import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { accepted, type Outcome, type Refusal, refused } from "../../http/outcome.ts";
import {
  accessibleAppointmentsCondition,
  appointmentNotFoundRefusal,
  findAppointment,
} from "../../booking/find-appointment.server.ts";
import { canCancel, FINAL_STATUSES, isCompletedOrNoShow } from "../../booking/appointment-status.ts";
import { practiceRefundCents, familyRefundCents, unrefundedCents } from "../../booking/prices/cancellation-policy.ts";
import {
  isSameAsShownAmounts,
  familyCancellationAmounts,
  familyCancellationPaymentText,
  practiceCancellationPaymentText,
  type ShownAmounts,
} from "./cancellation-texts.ts";
import {
  type CancellationResult,
  changedMeanwhileRefusal,
  endAppointmentWithRefund,
} from "./end-appointment-with-refund.server.ts";
import {
  ACCOUNT_END_REASONS,
  type AccountEndReason,
  CANCELED_BY_FAMILY,
  CANCELED_BY_PRACTICE,
} from "./refund-reasons.ts";

/**
 * Returns the columns of a canceled appointment. The limit on cancellations uses `updatedAt` as the time of the
 * cancellation. The network is cleared here and not by the cleanup job, because the job would set a later `updatedAt`.
 */
const cancellationData = (cancelledBy: "family" | "practice", cancelReason: string | null = null) => ({
  status: "cancelled",
  cancelledBy,
  cancelReason,
  calendarSequence: { increment: 1 },
  network: null,
  wideNetwork: null,
  updatedAt: now(),
});

/** Refusal when the refund or the fee differs from the amount that the family was shown. */
export const amountChangedRefusal = refused(
  "conflict",
  "The amount has changed since you opened this page. Nothing is canceled yet.",
);

/**
 * Cancels an appointment for its family. The appointment stays in the list as canceled, and its time is free again. The
 * refund due by the terms is submitted before this returns. Refusals: notFound; conflict (already canceled, over,
 * marked completed or no-show, its payment is still in flight, or the amounts differ from `shown`). The refund and the
 * fee are those of `asOf`, an instant in UTC, by default now. Throws for the administrator. Source: docs/product.md, Canceling.
 */
export async function cancelAppointmentByFamily(
  person: Person,
  id: number | null,
  { shown = {}, asOf }: { shown?: ShownAmounts; asOf?: Date } = {},
): Promise<Outcome<CancellationResult>> {
  if (person.isAdmin) throw new Error("The administrator cancels by another rule.");
  const found = await findCancellable(person, id);
  if (!found.ok) return found;
  const appointment = found.value;
  const { appointmentDate } = appointment;
  // The refund depends on the start time, so a visit that was moved in the meantime is not canceled.
  const where = {
    id: appointment.id,
    ...accessibleAppointmentsCondition(person),
    appointmentDate,
    status: { notIn: FINAL_STATUSES },
  };
  const ended = await endAppointmentWithRefund({
    id: appointment.id,
    familyId: appointment.userId,
    endedBy: "family",
    auditAction: "appointment-cancelled",
    reason: CANCELED_BY_FAMILY,
    decidedById: null,
    asOf,
    computeRefundCents: (payment, time) => familyRefundCents(payment, appointment.appointmentDate, time),
    checkAmounts: (visit, payment, time) =>
      isSameAsShownAmounts(shown, familyCancellationAmounts(visit, payment, time)) ? null : amountChangedRefusal,
    refundText: familyCancellationPaymentText,
    applyChange: async ({ appointment: appointmentTable }) => {
      const { count } = await appointmentTable.updateMany({ where, data: cancellationData("family") });
      if (count === 1) return null;
      const current = await appointmentTable.findUnique({ where: { id: appointment.id }, select: { status: true } });
      return notCancellableRefusal(current?.status ?? "cancelled");
    },
  });
  return ended.ok ? accepted({ ...ended.value, appointment: { ...appointment, status: "cancelled" } }) : ended;
}

/**
 * Cancels an upcoming appointment for the administrator, because the family's account is closed or will be deleted.
 * Online payments are refunded in full. Refusals: forbidden, notFound, conflict (its payment is still in flight).
 */
export async function cancelAppointmentForEndedAccount(
  person: Person,
  { id, familyId, endReason }: { id: number; familyId: number; endReason: AccountEndReason },
): Promise<Outcome<Omit<CancellationResult, "appointment">>> {
  const notAdminRefusal = refusalUnlessAdmin(person);
  if (notAdminRefusal) return notAdminRefusal;
  return endAppointmentWithRefund({
    id,
    familyId,
    endedBy: "practice",
    auditAction: "appointment-cancelled",
    reason: ACCOUNT_END_REASONS[endReason],
    decidedById: person.id,
    computeRefundCents: unrefundedCents,
    refundText: practiceCancellationPaymentText,
    applyChange: async ({ appointment: appointments }) => {
      const where = { id, appointmentDate: { gt: now() }, status: { notIn: FINAL_STATUSES } };
      const { count } = await appointments.updateMany({ where, data: cancellationData("practice") });
      return count === 1 ? null : appointmentNotFoundRefusal();
    },
  });
}

/**
 * Cancels an appointment for the administrator with a `reason` that the family can read. The appointment stays in the
 * lists as canceled, and its time is free again. Online payments are refunded in full if the visit has not begun.
 * Refusals: forbidden; notFound; conflict (already canceled, over, marked completed or no-show, moved in the meantime,
 * or its payment is still in flight).
 */
export async function cancelAppointmentByPractice(
  person: Person,
  id: number | null,
  reason: string,
): Promise<Outcome<CancellationResult>> {
  const notAdminRefusal = refusalUnlessAdmin(person);
  if (notAdminRefusal) return notAdminRefusal;
  const found = await findCancellable(person, id);
  if (!found.ok) return found;
  const appointment = found.value;
  const { appointmentDate } = appointment;
  const where = { id: appointment.id, appointmentDate, status: { notIn: FINAL_STATUSES } };
  const ended = await endAppointmentWithRefund({
    id: appointment.id,
    familyId: appointment.userId,
    endedBy: "practice",
    auditAction: "appointment-cancelled",
    reason: CANCELED_BY_PRACTICE,
    decidedById: person.id,
    computeRefundCents: (payment, time) => practiceRefundCents(appointment, payment, time),
    refundText: practiceCancellationPaymentText,
    applyChange: async ({ appointment: appointments }) => {
      // A person who does not know of the visit is not notified of its cancellation.
      const toldAt = isVisitKnownToPerson(appointment) ? null : now();
      const data = { ...cancellationData("practice", reason), toldAt };
      const { count } = await appointments.updateMany({ where, data });
      return count === 1 ? null : notCancellableRefusal("scheduled");
    },
  });
  return ended.ok ? accepted({ ...ended.value, appointment: { ...appointment, status: "cancelled" } }) : ended;
}

async function findCancellable(person: Person, id: number | null): ReturnType<typeof findAppointment> {
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  if (FINAL_STATUSES.includes(found.value.status)) return notCancellableRefusal(found.value.status);
  if (canCancel(found.value, now())) return found;
  return refused("conflict", "This visit is already over, so it can't be canceled.");
}

function notCancellableRefusal(status: string): Refusal {
  if (status === "cancelled") return refused("conflict", "This visit is already canceled.");
  if (!isCompletedOrNoShow(status)) return changedMeanwhileRefusal;
  return refused("conflict", `This visit is marked ${status}, so it can't be canceled. Please call us.`);
}
