import type { MessageContent } from "../content.ts";

/** `amount` and `paidAt` as a person reads them. */
export function receiptReadyContent(
  firstName: string,
  { path, amount, paidAt }: Record<"path" | "amount" | "paidAt", string>,
): MessageContent {
  return {
    wording: { name: "receipt" },
    subject: "Your receipt",
    preview: "Thank you. We received your payment.",
    firstName,
    paragraphs: ["Thank you. We received your payment."],
    facts: [
      { label: "Amount", value: amount },
      { label: "Paid on", value: paidAt },
    ],
    action: { label: "See the receipt", path },
    closing: ["You can print it and keep it with your tax records."],
  };
}
