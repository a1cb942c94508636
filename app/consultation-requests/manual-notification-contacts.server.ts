import type { Person } from "../accounts/person.ts";
import { findVisitsPendingNotification } from "../booking/manual-notification/visits-pending-notification.server.ts";
import { agreedPlace } from "../booking/meeting-place.server.ts";
import { visitKind } from "../booking/visit-kind.ts";
import { env } from "../env.server.ts";
import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";
import { composeMailto, toSingleLine } from "./mailto.ts";

type NotifiedVisit = Parameters<typeof agreedPlace>[0] & {
  status: string;
  appointmentDate: Date;
  cancelReason: string | null;
};
type Sender = { firstName: string; email: string; phone: string | null };
/** Contact data of a person. There is always an email address or a phone number. */
type Contact = { email: string | null; phone: string | null; mailtoUrl: string | null };

/**
 * Returns how to notify the person for whom a visit was scheduled. `mailtoUrl` opens an email message with the visit's
 * time and, in person, its place, and with the `link` that adds the visit to an account.
 */
export function manualNotificationContact(
  { firstName, email, phone }: Sender,
  visit: NotifiedVisit,
  link?: string,
): Contact {
  if (email === "") return { email: null, phone, mailtoUrl: null };
  const { name, phone: practicePhone } = env.practice;
  const mailtoUrl = composeMailto(email, `Your visit - ${name}`, [
    `Hello ${toSingleLine(firstName)},`,
    "",
    manualNotificationSentence(visit),
    ...(link ? ["With this link you make an account that has your visit:", link] : []),
    `If that doesn't work for you, please reply or call ${practicePhone}.`,
    "",
    "",
    name,
  ]);
  return { email, phone, mailtoUrl };
}

function manualNotificationSentence(visit: NotifiedVisit): string {
  const { status, appointmentDate, cancelReason } = visit;
  const when = formatPracticeDateTime(appointmentDate);
  if (status === "cancelled")
    return `Your visit on ${when} is canceled.${cancelReason ? ` ${toSingleLine(cancelReason)}` : ""}`;
  const place = visitKind(visit) === "in-person" ? agreedPlace(visit) : null;
  const where = place === null ? "" : ` We meet here: ${toSingleLine(place)}.`;
  return `Your visit is ${status === "rescheduled" ? "moved to" : "scheduled for"} ${when}.${where}`;
}

/**
 * Returns the visits whose person must still be notified, with how to reach each person. Source:
 * `findVisitsPendingNotification`.
 */
export async function listPendingNotificationContacts(person: Person, take: number) {
  const { rows, count } = await findVisitsPendingNotification(person, take);
  return {
    rows: rows.map((visit) => ({
      id: visit.id,
      name: visit.name,
      start: visit.appointmentDate.toISOString(),
      pendingNotificationText: visit.pendingNotificationText,
      contact: visit.consultationRequest && manualNotificationContact(visit.consultationRequest, visit),
    })),
    count,
  };
}
