import type { MessageContent } from "../message-content.ts";

/**
 * Builds the message to an address that someone entered in a public form. It therefore repeats nothing from that form.
 */
export function consultationRequestReceivedContent(
  phone: string,
  { hasAccount, isUrgent = false }: { hasAccount: boolean; isUrgent?: boolean },
): MessageContent {
  const accountHint =
    "You don't need an account to hear from us. With one, you can book a time yourself and share papers in private.";
  const notYouSentence = "If you didn't write to us, you can ignore this email.";
  const urgentSentence = isUrgent
    ? `You marked it as urgent, so please also call us at ${phone}. Is someone in danger? Call 911.`
    : `If it's urgent, please call us at ${phone}. Is someone in danger? Call 911.`;
  const values = hasAccount
    ? { "about accounts": "", "if not you": "If you didn't write to us, please call us.", "if urgent": urgentSentence }
    : { "about accounts": accountHint, "if not you": notYouSentence, "if urgent": urgentSentence };
  return {
    wording: { name: "request-received", values },
    subject: "We have your request",
    preview: "We'll get back to you within 24 hours.",
    paragraphs: [
      "Thank you for reaching out. We have your request and will get back to you within 24 hours.",
      urgentSentence,
    ],
    ...(hasAccount
      ? { action: { label: "Open my account", path: "/dashboard" }, closing: [values["if not you"]] }
      : {
          action: { label: "Create an account", path: "/register" },
          closing: [accountHint, notYouSentence],
        }),
  };
}

/** Builds the message to the consultant. `answerBy` is when a reply was promised, formatted for display. */
export function newConsultationRequestContent(
  firstName: string,
  requestId: number,
  { isUrgent, answerBy }: { isUrgent: boolean; answerBy: string },
): MessageContent {
  return {
    subject: isUrgent ? "New urgent consultation request" : "New consultation request",
    preview: "It's on your dashboard.",
    firstName,
    paragraphs: [
      isUrgent
        ? "Someone asked for a consultation and marked it as urgent. Please call them as soon as you can."
        : "Someone asked for a consultation.",
      "We told them that you get back to them within 24 hours.",
    ],
    facts: [{ label: "Answer by", value: answerBy }],
    action: { label: "Open the request", path: `/dashboard/requests/${requestId}/schedule` },
  };
}

/**
 * Builds the message to the consultant, at most once a day, when people without an account have sent more requests than
 * are emailed one by one. Urgent requests are counted separately.
 */
export function moreVisitorRequestsContent(firstName: string, { isUrgent }: { isUrgent: boolean }): MessageContent {
  const laterEmailsSentence = isUrgent
    ? "Urgent ones, too, are no longer emailed one by one today: please look at your dashboard now and then."
    : "Urgent consultation requests are still emailed; of the others this is the last email today.";
  return {
    subject: isUrgent ? "More urgent requests came in today" : "More requests came in today",
    preview: "They're on your dashboard.",
    firstName,
    paragraphs: [
      "More requests came in today than we email you about one by one. All of them are on your dashboard.",
      laterEmailsSentence,
    ],
    action: { label: "Open the dashboard", path: "/dashboard" },
  };
}
