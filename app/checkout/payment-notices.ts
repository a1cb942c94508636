import type { Notice } from "../ui/toast.ts";

/** Notices about payments; texts from docs/product.md, Screens. */
export const PAID_NOTICE: Notice = {
  title: "Payment Successful",
  description: "Your appointment has been booked and payment processed",
};

export const NO_CONFIG_NOTICE = {
  title: "Configuration Error",
  description: "Failed to load payment configuration",
  style: "destructive" as const,
};

/**
 * Shown when a payment ends in an error on our side. The reconciler settles it, so that nothing is charged without a
 * booking.
 */
export const PROCESSING_FAILED_MESSAGE = "Payment processing failed. Look at your appointments before you try again.";

export function paymentFailedNotice(description: string) {
  return { title: "Payment Failed", description, style: "destructive" as const };
}
