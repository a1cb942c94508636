import { refusalUnlessAdmin } from "../accounts/authorization.server.ts";
import type { Person } from "../accounts/person.ts";
import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { computeBalance } from "../booking/prices/appointment-balance.ts";
import { type Appointment, findAppointment } from "../booking/find-appointment.server.ts";
import { rollbackIf, tryTransaction } from "../booking/rollback.server.ts";
import { now } from "../clock.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";

/**
 * Marks that nothing is owed for an unpaid visit that has begun. Refusals: forbidden, notFound, conflict (not begun,
 * canceled, paid, already waived, without a price, or with a card payment in flight).
 */
export async function waivePayment(person: Person, id: number | null, reason: string): Promise<Outcome<Appointment>> {
  const found = refusalUnlessAdmin(person) ?? (await findAppointment(person, id));
  if (!found.ok) return found;
  const visit = found.value;
  const nothingOwedRefusal = refused("conflict", "Nothing is owed for this visit, so there is nothing to waive.");
  if (visit.appointmentDate > now()) return refused("conflict", "This visit has not begun yet.");
  if (computeBalance(visit).unpaidCents === 0) return nothingOwedRefusal;
  const waivedAt = now();
  const waived = await tryTransaction(async (transaction) => {
    const where = { id: visit.id, paymentId: null, waivedAt: null, status: { not: "cancelled" } };
    // Locks the visit, so that it can't be paid concurrently.
    const { count } = await transaction.appointment.updateMany({ where, data: { waivedAt, waiveReason: reason } });
    rollbackIf(count === 0 ? nothingOwedRefusal : null);
    const inFlight = await transaction.payment.count({ where: { appointmentId: visit.id, state: "booked" } });
    rollbackIf(
      inFlight > 0
        ? refused("conflict", "A card payment for it is still being settled. Please try again in a minute.")
        : null,
    );
    recordAuditInTransaction(transaction, { action: "appointment-waived", familyId: visit.userId, objectId: visit.id });
  });
  return waived.ok ? accepted({ ...visit, waivedAt, waiveReason: reason }) : waived;
}

/** Removes the waiver, so that the visit must be paid again. Refusals: forbidden, notFound, conflict (not waived). */
export async function revokeWaiver(person: Person, id: number | null): Promise<Outcome<Appointment>> {
  const found = refusalUnlessAdmin(person) ?? (await findAppointment(person, id));
  if (!found.ok) return found;
  const visit = found.value;
  const revoked = await tryTransaction(async (transaction) => {
    const { count } = await transaction.appointment.updateMany({
      where: { id: visit.id, waivedAt: { not: null } },
      data: { waivedAt: null, waiveReason: null },
    });
    rollbackIf(count === 0 ? refused("conflict", "This visit is to be paid already.") : null);
    recordAuditInTransaction(transaction, {
      action: "appointment-unwaived",
      familyId: visit.userId,
      objectId: visit.id,
    });
  });
  return revoked.ok ? accepted({ ...visit, waivedAt: null, waiveReason: null }) : revoked;
}
