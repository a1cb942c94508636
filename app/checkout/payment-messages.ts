import type { Notice } from "../ui/notice.ts";

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

/** When a payment ends in an error of ours: the reconciler settles it, so that nothing is charged without a booking. */
export const PROCESSING_FAILED = "Payment processing failed. Look at your appointments before you try again.";

export function paymentFailedNotice(description: string) {
  return { title: "Payment Failed", description, style: "destructive" as const };
}

/** Labels of payment methods. */
export const METHOD_LABELS: Record<string, string> = {
  card: "by card",
  hosted: "by card, on the provider's page",
  cash: "in cash",
  check: "by check",
  other: "in another way",
};
export const IN_PERSON_METHODS = ["cash", "check", "other"] as const;
export type InPersonMethod = (typeof IN_PERSON_METHODS)[number];

export const IN_PERSON_OPTIONS = IN_PERSON_METHODS.map((value) => ({ value, label: METHOD_LABELS[value] ?? value }));
