export const APPOINTMENTS_PATH = "/appointments";
export const NEW_APPOINTMENT_PATH = "/appointments/new";
export const BOOKING_INTAKE_PATH = "/appointments/intake-form";
export const PAYMENT_PATH = "/appointments/pay";
/** On the way to the provider's page, and back from it. */
export const HOSTED_CHECKOUT_PATH = "/appointments/pay/checkout";
export const PAYMENT_RETURN_PATH = "/appointments/pay/return";

/** What the consultant reads of an appointment. */
export function appointmentDetailsPath(id: number): string {
  return `/dashboard/appointments/${id}`;
}

export function cancelAppointmentPath(id: number): string {
  return `${APPOINTMENTS_PATH}/${id}/cancel`;
}

/** Where a family adds an appointment to its account with the link it was given. */
export function claimAddress(token: string): string {
  return `/claim-visit/${token}`;
}
