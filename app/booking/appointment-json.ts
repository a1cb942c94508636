import type { Appointment } from "./appointments.server.ts";

/**
 * Converts an appointment to the API's JSON: instants in ISO 8601 UTC, money in dollars, names for the administrator
 * only.
 */
export function toAppointmentJson(appointment: Appointment, isAdmin: boolean) {
  const {
    user,
    paymentAmountCents,
    consultationRequestId: _,
    paymentMethod: __,
    payments: ___,
    toldAt: ________,
    familyJoinedAt: _________,
    waivedAt: __________,
    waiveReason: ___________,
    ...columns
  } = appointment;
  const { callEndedAt: ____, calendarSequence: _____, cancelledBy: ______, cancelReason: _______, ...row } = columns;
  const names = isAdmin ? { clientFirstName: user?.firstName ?? null, clientLastName: user?.lastName ?? null } : {};
  return { ...row, paymentAmount: paymentAmountCents === null ? null : paymentAmountCents / 100, ...names };
}
