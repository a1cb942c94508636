import type { Appointment } from "./find-appointment.server.ts";
import { ownPlace } from "./visit-kind.ts";

/**
 * Converts an appointment to the API's JSON format. Instants are ISO 8601 UTC, money is in dollars, and client names
 * are included only for the administrator.
 */
export function toAppointmentJson(appointment: Appointment, isAdmin: boolean) {
  const { user, paymentAmountCents } = appointment;
  const names = isAdmin ? { clientFirstName: user?.firstName ?? null, clientLastName: user?.lastName ?? null } : {};
  return {
    id: appointment.id,
    userId: appointment.userId,
    title: appointment.title,
    description: appointment.description,
    appointmentDate: appointment.appointmentDate,
    duration: appointment.duration,
    type: appointment.type,
    status: appointment.status,
    urgency: appointment.urgency,
    meetingLink: appointment.meetingLink,
    place: ownPlace(appointment),
    notes: appointment.notes,
    isLiveVideoCall: appointment.isLiveVideoCall,
    paymentStatus: appointment.paymentStatus,
    paymentId: appointment.paymentId,
    paymentDate: appointment.paymentDate,
    createdAt: appointment.createdAt,
    updatedAt: appointment.updatedAt,
    paymentAmount: paymentAmountCents === null ? null : paymentAmountCents / 100,
    ...names,
  };
}
