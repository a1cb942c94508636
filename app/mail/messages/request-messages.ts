import { formatCount } from "../../format-count.ts";
import type { MessageContent } from "../content.ts";

/** To an address that somebody typed into a public form, so it repeats nothing of that form. */
export function requestReceivedContent(phone: string, { hasAccount }: { hasAccount: boolean }): MessageContent {
  const accountHint =
    "You don't need an account to hear from us. With one, you can book a time yourself and share papers in private.";
  const notYou = "If you didn't write to us, you can ignore this email.";
  const values = hasAccount
    ? { "about accounts": "", "if not you": "" }
    : { "about accounts": accountHint, "if not you": notYou };
  return {
    wording: { name: "request-received", values },
    subject: "We have your request",
    preview: "We will get back to you within 24 hours.",
    paragraphs: [
      "Thank you for reaching out. We have your request and will get back to you within 24 hours.",
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
      isUrgent ? "Someone asked for a consultation and marked it as urgent." : "Someone asked for a consultation.",
    ],
    action: { label: "Open the request", path: `/dashboard/requests/${requestId}/schedule` },
  };
}

/** To the consultant, once a day, when more came from people without an account than is mailed one by one. */
export function moreFromVisitorsContent(): MessageContent {
  return {
    subject: "More requests came in today",
    preview: "They are on your dashboard.",
    paragraphs: [
      "More requests came in today than we email you about one by one. All of them are on your dashboard. This is the last email about them today.",
    ],
    action: { label: "Open the dashboard", path: "/dashboard" },
  };
}

export function documentAddedContent(firstName: string, { isFromFamily }: { isFromFamily: boolean }): MessageContent {
  return {
    ...(!isFromFamily && { wording: { name: "document-added" as const } }),
    subject: isFromFamily ? "A family added a document" : "There is a new document for you",
    preview: isFromFamily ? "It's under Needs attention." : "It's on your documents page.",
    firstName,
    paragraphs: [
      isFromFamily
        ? "A family added a document. It's on your dashboard, under Needs attention."
        : "We added a document to your documents page. To protect your privacy, it isn't attached to this email.",
    ],
    action: isFromFamily
      ? { label: "Open the dashboard", path: "/dashboard" }
      : { label: "See your documents", path: "/documents" },
  };
}

/**
 * After a visit, of everything that is to be done by then; as in `followUpDueContent` the mail does not say what. `firstDay` is
 * the earliest of the days, as a person reads it.
 */
export function followUpsSharedContent(
  firstName: string,
  { count, firstDay }: { count: number; firstDay: string },
): MessageContent {
  const howMany = formatCount(count, "next step", "next steps");
  return {
    wording: { name: "follow-ups-shared", values: { "how many": howMany } },
    subject: "What comes next",
    preview: "Your consultant wrote down next steps for you.",
    firstName,
    paragraphs: [
      `Your consultant wrote down ${howMany} for your family.`,
      "To protect your privacy, this email doesn't include the details.",
    ],
    facts: [{ label: "First due", value: firstDay }],
    action: { label: "See what comes next", path: "/dashboard" },
    closing: ["Questions? Please call us, or reply to this email."],
  };
}

/** What is due stands in the portal only: the consultant wrote it about a child. */
export function followUpDueContent(firstName: string): MessageContent {
  return {
    wording: { name: "follow-up-due" },
    subject: "A reminder from your consultant",
    preview: "Something you planned together is due today.",
    firstName,
    paragraphs: [
      "Something you planned together is due today. To protect your privacy, this email doesn't say what it is.",
    ],
    action: { label: "See what is due", path: "/dashboard" },
    closing: ["If it's already done, you don't need to do anything."],
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
    closing: ["You can print it and keep it with your tax records."],
  };
}
