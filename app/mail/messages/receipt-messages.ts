import type { MessageContent } from "../message-content.ts";

/**
 * Builds the message about a receipt. `paidFor` (the service and its day), `paidBy` (who paid, and how), `amount` and
 * `paidAt` are formatted for display.
 */
export function receiptReadyContent(
  firstName: string,
  { path, paidFor, paidBy, amount, paidAt }: Record<"path" | "paidFor" | "paidBy" | "amount" | "paidAt", string>,
): MessageContent {
  return {
    wording: { name: "receipt" },
    subject: "Your receipt",
    preview: "Thank you. We received your payment.",
    firstName,
    paragraphs: ["Thank you. We received your payment."],
    facts: [
      { label: "For", value: paidFor },
      { label: "Paid by", value: paidBy },
      { label: "Amount", value: amount },
      { label: "Paid on", value: paidAt },
    ],
    action: { label: "See the receipt", path },
    closing: ["You can print it and keep it with your tax records."],
  };
}

/**
 * Builds the message that a receipt is not valid, because the payment was recorded by mistake. `paidFor` and `amount`
 * are formatted for display.
 */
export function receiptVoidedContent(
  firstName: string,
  { paidFor, amount }: Record<"paidFor" | "amount", string>,
): MessageContent {
  return {
    wording: { name: "receipt-voided" },
    subject: "Your receipt is not valid",
    preview: "We recorded a payment by mistake.",
    firstName,
    paragraphs: [
      "We recorded a payment by mistake. Please don't use its receipt.",
      "Your visits show what is still to pay.",
    ],
    facts: [
      { label: "For", value: paidFor },
      { label: "Amount", value: amount },
    ],
    action: { label: "See your visits", path: "/appointments" },
    closing: ["Is something unclear? Please call us."],
  };
}

/**
 * Builds the message about the refund of a payment on a page that the family had left. `when` (the time that it paid
 * for) and `amount` are formatted for display.
 */
export function abandonedPaymentRefundedContent(
  firstName: string,
  { when, amount }: { when: string; amount: string },
): MessageContent {
  const refundSentence = `A card payment came from a payment page that you had left. Nothing is booked for it, so all of it, ${amount}, goes back to the card you paid with. Banks take up to 10 business days.`;
  return {
    wording: { name: "payment-returned", values: { "what goes back": refundSentence } },
    subject: "A payment goes back to your card",
    preview: "It came from a payment page that you had left.",
    firstName,
    paragraphs: [
      refundSentence,
      "You don't need to do anything. Did you book in another way instead? Your visits show what is booked.",
    ],
    facts: [{ label: "The page was for", value: when }],
    action: { label: "See your visits", path: "/appointments" },
    closing: ["Is something unclear? Please call us."],
  };
}
