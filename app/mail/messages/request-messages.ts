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
    preview: "We'll get back to you within 24 hours.",
    paragraphs: [
      "Thank you for reaching out. We have your request and will get back to you within 24 hours.",
      `If it's urgent, please call us at ${phone}.`,
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
    preview: "It's on your dashboard.",
    paragraphs: [
      isUrgent
        ? "Someone asked for a consultation and marked it as urgent. Please call them as soon as you can."
        : "Someone asked for a consultation.",
      "We told them that you get back to them within 24 hours.",
    ],
    action: { label: "Open the request", path: `/dashboard/requests/${requestId}/schedule` },
  };
}

/** To the consultant, once a day, when more came from people without an account than is mailed one by one. */
export function moreFromVisitorsContent(): MessageContent {
  return {
    subject: "More requests came in today",
    preview: "They're on your dashboard.",
    paragraphs: [
      "More requests came in today than we email you about one by one. All of them are on your dashboard. This is the last email about them today.",
    ],
    action: { label: "Open the dashboard", path: "/dashboard" },
  };
}
