export type PaymentState =
  /** Stored with its hold; the provider may be processing it. */
  | "started"
  /** Authorized: the amount is reserved on the card. */
  | "authorized"
  /** The appointment exists; the charge is not confirmed yet. */
  | "booked"
  /** Charged, or paid in person. */
  | "paid"
  /** The family is on the provider's page. */
  | "waiting"
  /**
   * The page was replaced by another booking or payment, or the account was closed; it is not closed at the provider
   * yet.
   */
  | "closing"
  /** Everything that the provider has authorized or charged is being released. */
  | "voiding"
  /** Nothing is charged or will be charged. */
  | "voided"
  /** The provider declined the card or refused our request. */
  | "declined";

/** The only legal transitions. The database rejects all others, too (trigger payments_transition). */
const TRANSITIONS: Record<PaymentState, readonly PaymentState[]> = {
  started: ["authorized", "waiting", "declined", "voiding"],
  authorized: ["booked", "voiding"],
  // paid: captured. voided: the authorization is gone. voiding: the charge differs from the request.
  booked: ["paid", "voided", "voiding"],
  // waiting → paid: charged on the provider's page, but the time was no longer free. It is refunded in full.
  waiting: ["booked", "paid", "closing", "voided", "voiding"],
  closing: ["paid", "voided", "voiding"],
  // voiding → paid: it was charged in the meantime. It is refunded in full.
  voiding: ["voided", "paid"],
  // Reopened when a delayed request, which was assumed lost, arrives at the provider.
  declined: ["voiding"],
  voided: ["voiding"],
  // Final. Refunded amounts are summed in `refundedCents`. Only a payment in person may also be voided
  // (voidInPersonPayment).
  paid: [],
};

/** Whether a payment may change from `from` to `to`. */
export function isLegalTransition(from: string, to: string): boolean {
  return TRANSITIONS[from as PaymentState]?.includes(to as PaymentState) ?? false;
}

export const PAYMENT_STATES = Object.keys(TRANSITIONS) as PaymentState[];
