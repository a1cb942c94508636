import type { Person } from "../accounts/person.ts";
import { findUntoldVisits } from "../booking/manual-notification/visits-pending-notification.server.ts";
import { env } from "../env.server.ts";
import { formatPracticeTime } from "../practice/format-time.server.ts";
import { composeMailto, toSingleLine } from "./mailto.ts";

type Told = { status: string; appointmentDate: Date };
type Sender = { firstName: string; email: string; phone: string | null };
type Contact = { email: string; phone: string | null; mailtoUrl: string };

/** How to tell the person whom a visit was scheduled for: the `mailtoUrl` opens a mail with the visit's time. */
export function tellingContact({ firstName, email, phone }: Sender, visit: Told): Contact {
  const { name, phone: practicePhone } = env.practice;
  const mailtoUrl = composeMailto(email, `Your visit - ${name}`, [
    `Hello ${toSingleLine(firstName)},`,
    "",
    tellingSentence(visit),
    `If that doesn't work for you, please reply or call ${practicePhone}.`,
    "",
    "",
    name,
  ]);
  return { email, phone, mailtoUrl };
}

function tellingSentence({ status, appointmentDate }: Told): string {
  const when = formatPracticeTime(appointmentDate);
  if (status === "cancelled") return `Your visit on ${when} is cancelled.`;
  return status === "rescheduled" ? `Your visit is moved to ${when}.` : `Your visit is scheduled for ${when}.`;
}

/** The visits of people who are yet to be told, with how to reach them. Source: `findUntoldVisits`. */
export async function listUntoldVisits(person: Person, take: number) {
  const { rows, count } = await findUntoldVisits(person, take);
  return {
    rows: rows.map((visit) => ({
      id: visit.id,
      name: visit.name,
      start: visit.appointmentDate.toISOString(),
      unknownText: visit.unknownText,
      contact: visit.consultationRequest && tellingContact(visit.consultationRequest, visit),
    })),
    count,
  };
}
