import { formatPracticeTime } from "../practice/format-time.server.ts";
import type { Appointment } from "./appointments.server.ts";
import { clientName } from "./client-name.ts";

/** Whose visit it is: the name that the consultant's lists show. */
export function visitLabel(appointment: Appointment): string {
  const { user, ...fields } = appointment;
  return `Visit of ${clientName({ ...fields, clientFirstName: user?.firstName, clientLastName: user?.lastName }).name}`;
}

/** Whose visit it is, and when, for messages after the consultant changed it. */
export function describeVisit(appointment: Appointment): string {
  return `${visitLabel(appointment)} on ${formatPracticeTime(appointment.appointmentDate)}`;
}
