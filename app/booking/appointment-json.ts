import type { Appointment } from "./appointments.server.ts";

/** An appointment as the API gives it: instants in ISO 8601 UTC, money in dollars, names for the administrator alone. */
export function toAppointmentJson(
  { user, paymentAmountCents, consultationRequestId: _, paymentMethod: __, payments: ___, ...row }: Appointment,
  isAdmin: boolean,
) {
  const names = isAdmin ? { clientFirstName: user?.firstName ?? null, clientLastName: user?.lastName ?? null } : {};
  return { ...row, paymentAmount: paymentAmountCents === null ? null : paymentAmountCents / 100, ...names };
}
