import { formatPracticeTime } from "../practice/format-time.server.ts";
import type { Appointment } from "./appointments.server.ts";
import { clientName } from "./client-name.ts";

/** Returns the name of the visit's client, as the consultant's lists show it. */
export function clientVisitLabel(appointment: Appointment): string {
  const { user, ...fields } = appointment;
  return `Visit of ${clientName({ ...fields, clientFirstName: user?.firstName, clientLastName: user?.lastName }).name}`;
}

/** Returns the client's name and the time of a visit, for messages after the consultant changed it. */
export function describeVisitForAdmin(appointment: Appointment): string {
  return `${clientVisitLabel(appointment)} on ${formatPracticeTime(appointment.appointmentDate)}`;
}
