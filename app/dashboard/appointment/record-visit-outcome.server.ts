import type { Person } from "../../accounts/person.ts";
import type { AdminRow } from "../../booking/appointment-list/admin-appointment-row-data.ts";
import { isCompletedOrNoShow } from "../../booking/appointment-status.ts";
import {
  type Appointment,
  appointmentNotFoundRefusal,
  findAppointment,
} from "../../booking/find-appointment.server.ts";
import type { NewFollowUp } from "../../booking/follow-ups/follow-ups.server.ts";
import { insertVisitFollowUpsAndNotify } from "../../booking/follow-ups/visit-follow-ups.server.ts";
import { addVisitNoteOnce } from "../../booking/notes/family-notes.server.ts";
import { setAppointmentStatus } from "../../booking/set-appointment-status.server.ts";
import { recordInPersonPayment } from "../../checkout/admin-payments.server.ts";
import type { InPersonMethod } from "../../checkout/payment-methods.ts";
import { waivePayment } from "../../checkout/waivers.server.ts";
import { now } from "../../clock.ts";
import { db, inTransaction } from "../../db/database-client.server.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";

type VisitOutcome = {
  status: "completed" | "no-show";
  note: string | null;
  followUps: readonly NewFollowUp[];
  /** The in-person payment method; null: not paid now. */
  paid: InPersonMethod | null;
  /** Why nothing is owed; null: an amount is owed, or it was paid. */
  waiveReason: string | null;
};

/**
 * Stores what the administrator records after a visit. First the payment or the waiver, because only they can be
 * refused because of concurrent changes; then the status, the note and the follow-ups. One message notifies the family
 * of the follow-ups. Submitting the same form again adds nothing. Refusals, with nothing stored: forbidden, notFound,
 * conflict (not begun, canceled, already paid or waived in another way), invalid (note or follow-ups without a family's
 * account).
 */
export async function recordVisitOutcome(
  person: Person,
  id: number | null,
  outcome: VisitOutcome,
): Promise<Outcome<Appointment>> {
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  const { userId, id: appointmentId, status, appointmentDate } = found.value;
  const { note, followUps } = outcome;
  if (status === "cancelled") return refused("conflict", "This visit is canceled. Schedule a new one instead.");
  if (appointmentDate > now()) return refused("conflict", "This visit has not begun yet.");
  if (userId === null && (note !== null || followUps.length > 0))
    return refused("invalid", "This visit has no family’s account, so there is no place for notes and follow-ups.");
  const paymentRecorded = await recordPaymentOutcome(person, appointmentId, outcome);
  if (!paymentRecorded.ok) return paymentRecorded;
  const marked = await setAppointmentStatus(person, appointmentId, outcome.status);
  if (!marked.ok || userId === null) return marked;
  return inTransaction(async (transaction) => {
    // Locks the visit against a concurrent deletion and a concurrent submission of the same form.
    const where = { id: appointmentId, userId };
    const { count } = await transaction.appointment.updateMany({ where, data: { userId } });
    if (count === 0) return appointmentNotFoundRefusal();
    if (note !== null) await addVisitNoteOnce(transaction, { userId, appointmentId }, note);
    await insertVisitFollowUpsAndNotify(transaction, { userId, appointmentId }, followUps);
    return accepted(marked.value);
  });
}

type PaymentOutcome = Pick<VisitOutcome, "paid" | "waiveReason">;

/**
 * Records that the visit was paid, or that nothing is owed. Accepts what an earlier submission of the same form has
 * recorded, because the rest of that form may not be stored yet.
 */
async function recordPaymentOutcome(
  person: Person,
  id: number,
  paymentOutcome: PaymentOutcome,
): Promise<Outcome<unknown>> {
  const { paid, waiveReason } = paymentOutcome;
  const payment = paid === null ? accepted(null) : await recordInPersonPayment(person, id, { method: paid });
  const waived = waiveReason === null || !payment.ok ? payment : await waivePayment(person, id, waiveReason);
  const isRefused = !waived.ok && waived.reason === "conflict";
  return isRefused && (await isPaymentOutcomeRecorded(id, paymentOutcome)) ? accepted(null) : waived;
}

/** Whether the visit was paid or waived exactly as in the form. */
async function isPaymentOutcomeRecorded(id: number, { paid, waiveReason }: PaymentOutcome): Promise<boolean> {
  const visit = await db.appointment.findUniqueOrThrow({
    where: { id },
    select: { waivedAt: true, waiveReason: true, payments: { where: { state: "paid", provider: null } } },
  });
  if (paid !== null) return visit.payments.some(({ method }) => method === paid);
  return visit.waivedAt !== null && visit.waiveReason === waiveReason;
}

/** Returns the preselected outcome. Nothing is preselected if nobody of the family joined the call. */
export function getPreselectedOutcome(visit: Appointment, { status, client }: AdminRow) {
  const hasOutcome = isCompletedOrNoShow(status);
  const isAbsent = visit.isLiveVideoCall && visit.userId !== null && visit.familyJoinedAt === null && !hasOutcome;
  return {
    status: hasOutcome ? status : isAbsent ? "" : "completed",
    absence: isAbsent ? `${client.name} did not join the call.` : null,
  };
}
