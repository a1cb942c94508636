import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";
import type { Appointment } from "./find-appointment.server.ts";
import { resolveClientName } from "./client-name.ts";

/** Returns the name of the visit's client, as the consultant's lists show it. */
export function clientVisitLabel(appointment: Appointment): string {
  const { user, ...fields } = appointment;
  return `Visit of ${resolveClientName({ ...fields, clientFirstName: user?.firstName, clientLastName: user?.lastName }).name}`;
}

/** Returns the client's name and the time of a visit, for messages after the consultant changed it. */
export function describeVisitForAdmin(appointment: Appointment): string {
  return `${clientVisitLabel(appointment)} on ${formatPracticeDateTime(appointment.appointmentDate)}`;
}
