import type { MessageContent } from "../content.ts";

/** To an address that somebody typed into a public form, so it repeats nothing of that form. */
export function requestReceivedContent(phone: string, { hasAccount }: { hasAccount: boolean }): MessageContent {
  const accountHint =
    "You don't need an account to hear from us. With one, you can book a time yourself and share papers in private.";
  const notYou = "If you did not write to us, you can ignore this email.";
  const values = hasAccount
    ? { "about accounts": "", "if not you": "" }
    : { "about accounts": accountHint, "if not you": notYou };
  return {
    wording: { name: "request-received", values },
    subject: "We have your request",
    preview: "We will get back to you within 24 hours.",
    paragraphs: [
      "Thank you for writing to us. We have your request and will get back to you within 24 hours.",
      `If it is urgent, please call us at ${phone}.`,
    ],
    ...(hasAccount
      ? {}
      : {
          action: { label: "Create an account", path: "/register" },
          closing: [accountHint, notYou],
        }),
  };
}

/** To the consultant. */
export function newRequestContent(requestId: number, isUrgent: boolean): MessageContent {
  return {
    subject: isUrgent ? "New urgent consultation request" : "New consultation request",
    preview: "It is on your dashboard.",
    paragraphs: [
      isUrgent
        ? "Someone has asked for a consultation and marked it as urgent."
        : "Someone has asked for a consultation.",
    ],
    action: { label: "Open the request", path: `/dashboard/requests/${requestId}/schedule` },
  };
}

export function documentAddedContent(firstName: string, { isFromFamily }: { isFromFamily: boolean }): MessageContent {
  return {
    ...(!isFromFamily && { wording: { name: "document-added" as const } }),
    subject: isFromFamily ? "A family has added a document" : "There is a new document for you",
    preview: "It's on your documents page.",
    firstName,
    paragraphs: [
      isFromFamily
        ? "A family has added a document. It's on your dashboard, under Needs attention."
        : "We have put a document on your documents page. To protect your privacy, it is not attached to this email.",
    ],
    action: isFromFamily
      ? { label: "Open the dashboard", path: "/dashboard" }
      : { label: "See your documents", path: "/documents" },
  };
}

/** What is due stands in the portal only: the consultant wrote it about a child. */
export function followUpDueContent(firstName: string): MessageContent {
  return {
    wording: { name: "follow-up-due" },
    subject: "A reminder from your consultant",
    preview: "Something that you planned together is due today.",
    firstName,
    paragraphs: [
      "Something that you planned together is due today. To protect your privacy, this mail does not say what it is.",
    ],
    action: { label: "See what is due", path: "/dashboard" },
    closing: ["If it is done already, you need not do anything."],
  };
}

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
    closing: ["You can print it or keep it for your tax records."],
  };
}
