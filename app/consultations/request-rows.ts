type Asked = {
  id: number;
  firstName: string;
  lastName: string;
  email: string;
  phone: string | null;
  serviceNeeds: string;
  urgency: string;
  message: string | null;
  userId: number | null;
  createdAt: Date;
};
type Practice = { name: string; phone: string };

export type RequestRow = ReturnType<typeof requestRow>;

/** A request as the consultant's lists show it; `mail` opens her own letter to whoever sent it. */
export function requestRow(request: Asked, practice: Practice) {
  const { id, email, phone, serviceNeeds, message, userId } = request;
  return {
    id,
    name: oneLine(`${request.firstName} ${request.lastName}`),
    email,
    phone,
    serviceNeeds,
    message,
    userId,
    badge: urgencyBadge(request.urgency),
    asked: request.createdAt.toISOString(),
    mail: mailTo(request, practice),
  };
}

/** Whatever is neither urgent nor an emergency is routine (specification §3). */
export function urgencyBadge(urgency: string): { tone: "red" | "yellow" | "grey"; label: string } {
  if (urgency === "emergency") return { tone: "red", label: "EMERGENCY" };
  if (urgency === "urgent") return { tone: "yellow", label: "URGENT" };
  return { tone: "grey", label: "ROUTINE" };
}

/**
 * A mail link with one recipient, a subject and a body, whatever a stranger wrote into the form: every part is
 * encoded, so that none of it can begin another header, and the subject is one line.
 */
export function mailTo({ email, firstName, serviceNeeds }: Asked, practice: Practice): string {
  const subject = `Your consultation request - ${oneLine(practice.name)}`;
  const body = [
    `Hello ${oneLine(firstName)},`,
    "",
    "Thank you for your consultation request. You wrote:",
    "",
    serviceNeeds.toWellFormed(),
    "",
    "",
    practice.name,
    practice.phone,
  ].join("\r\n");
  const at = email.lastIndexOf("@");
  const recipient = `${encoded(email.slice(0, at))}@${encoded(email.slice(at + 1))}`;
  return `mailto:${recipient}?subject=${encoded(subject)}&body=${encoded(body)}`;
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}
