export type PaymentState =
  /** Stored with its hold; the provider may be working on it. */
  | "started"
  /** Reserved on the card. */
  | "authorized"
  /** The appointment exists; the charge is still to be confirmed. */
  | "booked"
  /** Charged, or taken in person. */
  | "paid"
  /** The family is at the provider's page. */
  | "waiting"
  /** The family has left that page, which is still to be closed. */
  | "closing"
  /** Whatever the provider holds or has charged is being released. */
  | "voiding"
  /** Nothing is or will be charged. */
  | "voided"
  /** The provider turned the card down, or us. */
  | "declined";

/** The database refuses the others, too (trigger payments_transition). */
const TRANSITIONS: Record<PaymentState, readonly PaymentState[]> = {
  started: ["authorized", "waiting", "declined", "voiding"],
  authorized: ["booked", "voiding"],
  // Captured; or the reservation is gone (voided), or was not taken as requested (voiding).
  booked: ["paid", "voided", "voiding"],
  // Directly to paid: charged at the provider's page, but the time was lost. It is refunded in full.
  waiting: ["booked", "paid", "closing", "voided", "voiding"],
  closing: ["paid", "voided", "voiding"],
  // To paid: it was charged in the meantime. It is refunded in full.
  voiding: ["voided", "paid"],
  // Reopened when a request that seemed lost arrives at the provider late.
  declined: ["voiding"],
  voided: ["voiding"],
  // Final. What goes back of it is counted in `refundedCents`.
  paid: [],
};

/** Whether a payment may change from one state to the other. */
export function isLegalTransition(from: string, to: string): boolean {
  return TRANSITIONS[from as PaymentState]?.includes(to as PaymentState) ?? false;
}

export const PAYMENT_STATES = Object.keys(TRANSITIONS) as PaymentState[];
