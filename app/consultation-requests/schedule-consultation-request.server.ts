import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { findClientIdByConfirmedEmail } from "../accounts/email/store-confirmed-email.server.ts";
import { fullName, type Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import type { Appointment } from "../booking/find-appointment.server.ts";
import { hasConflict } from "../booking/availability/availability.server.ts";
import { findOpenClientId, insertAppointmentAndNotify } from "../booking/book-appointment.server.ts";
import { slotTakenRefusal } from "../booking/rollback.server.ts";
import { basicSlotError } from "../booking/booking-rules.ts";
import { parseId } from "../http/field-schemas.ts";
import { accepted, invalidField, type Outcome } from "../http/outcome.ts";
import {
  type ConsultationRequest,
  findPendingConsultationRequest,
  consultationRequestNotFoundRefusal,
} from "./consultation-requests.server.ts";
import type { SchedulingValues } from "./consultation-request-schemas.ts";

/**
 * Books an appointment from a pending request and closes the request, in one transaction. The administrator may choose
 * a time outside office hours. `userId` selects the client if the request was sent without signing in. Refusals:
 * invalid (in the past, no such client), conflict, notFound.
 */
export async function scheduleConsultationRequest(
  person: Person,
  fields: SchedulingValues,
): Promise<Outcome<Appointment>> {
  const request = await findPendingConsultationRequest(person, parseId(String(fields.consultationRequestId)));
  if (!request) return consultationRequestNotFoundRefusal();
  const slot = { start: fields.appointmentDate, duration: fields.duration };
  const problem = basicSlotError(slot, { now: now() });
  if (problem) return invalidField("appointmentDate", problem);
  if (await hasConflict(slot, { pauseMinutes: 0 })) return slotTakenRefusal();
  const accountOutcome = await resolveAppointmentAccount(request, fields.userId);
  if (!accountOutcome.ok) return accountOutcome;
  const { id, urgency } = request;
  const titleFields = withClientName(fields, request);
  const serverFields = {
    userId: accountOutcome.value,
    urgency,
    consultationRequestId: id,
    service: titleFields.service,
  };
  // Closes the request first, so that concurrent scheduling or deletion waits for this transaction and then finds no
  // pending request.
  return insertAppointmentAndNotify({ ...fields, ...titleFields }, serverFields, async (transaction) => {
    const { count } = await transaction.consultationRequest.updateMany({
      where: { id, status: "pending" },
      data: { status: "scheduled", userId: accountOutcome.value },
    });
    if (count === 0) return consultationRequestNotFoundRefusal();
    recordAuditInTransaction(transaction, {
      action: "request-scheduled",
      familyId: accountOutcome.value,
      objectId: id,
    });
    return null;
  });
}

/** Adds the client's name to title and notes, unless they already contain it. */
function withClientName({ title, notes = "" }: SchedulingValues, request: ConsultationRequest) {
  const name = fullName(request).replace(/\s+/g, " ");
  const suffix = ` - ${name}`;
  const service = title.endsWith(suffix) ? title.slice(0, -suffix.length) : title;
  const clientLine = `Client: ${name}`;
  const otherNotes =
    notes === clientLine || notes.startsWith(`${clientLine}\n`) ? notes.slice(clientLine.length + 1) : notes;
  return { service, title: service + suffix, notes: otherNotes ? `${clientLine}\n${otherNotes}` : clientLine };
}

/**
 * Returns the account for an appointment from this request: the account that was signed in; otherwise the one selected
 * by the administrator; otherwise the account with the same confirmed address, if it is older than the request;
 * otherwise null. Anyone can register with another person's address, name and phone number, so these alone are not
 * sufficient.
 */
async function resolveAppointmentAccount(
  request: ConsultationRequest,
  selectedUserId: unknown,
): Promise<Outcome<number | null>> {
  if (request.userId !== null) return accepted(request.userId);
  if (selectedUserId === undefined || selectedUserId === null || selectedUserId === "")
    return accepted(await findClientIdByConfirmedEmail(request.email, request.createdAt));
  const family = await findOpenClientId(selectedUserId);
  return family === null
    ? invalidField("userId", "Choose the account of an existing client, or none.")
    : accepted(family);
}
