export const LIST = "/appointments";
export const NEW = "/appointments/new";
export const INTAKE = "/appointments/intake-form";
export const PAY = "/appointments/pay";
/** On the way to the provider's page, and back from it. */
export const CHECKOUT = "/appointments/pay/checkout";
export const RETURN = "/appointments/pay/return";

/** What the consultant reads of an appointment. */
export function detailsAddress(id: number): string {
  return `/dashboard/appointments/${id}`;
}

export function cancelAddress(id: number): string {
  return `${LIST}/${id}/cancel`;
}

/** Where a family adds an appointment to its account with the link it was given. */
export function claimAddress(token: string): string {
  return `/claim-visit/${token}`;
}
