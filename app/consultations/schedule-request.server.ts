import { fullName, type Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import type { Appointment } from "../booking/appointments.server.ts";
import { hasConflict } from "../booking/availability.server.ts";
import { findFamilyId, insertAppointment, slotTaken } from "../booking/book.server.ts";
import { basicSlotProblem } from "../booking/rules.ts";
import { parseId } from "../http/field-schemas.ts";
import { accepted, invalid, type Outcome } from "../http/outcome.ts";
import { type ConsultationRequest, findPendingRequest, requestNotFound } from "./requests.server.ts";
import type { SchedulingFields } from "./schemas.ts";

/**
 * Makes an appointment of a waiting request and closes the request, both or neither. The administrator may choose a
 * time outside office hours, never in the past (invalid) or on top of another (conflict), and names in `userId` the
 * client it is for, where the request came from nobody signed in (invalid where there is none); decisions §5.12.
 */
export async function scheduleRequest(person: Person, fields: SchedulingFields): Promise<Outcome<Appointment>> {
  const request = await findPendingRequest(person, parseId(String(fields.consultationRequestId)));
  if (!request) return requestNotFound();
  const slot = { start: fields.appointmentDate, duration: fields.duration };
  const problem = basicSlotProblem(slot, { now: now() });
  if (problem) return invalid("appointmentDate", problem);
  if (await hasConflict(slot)) return slotTaken();
  const owner = await ownerOf(request, fields.userId);
  if (!owner.ok) return owner;
  const { id, urgency } = request;
  const titled = withClientName(fields, request);
  const serverFields = { userId: owner.value, urgency, consultationRequestId: id, service: titled.service };
  // Closed first: whoever else schedules or deletes it at this moment waits here, and then finds nothing open.
  return insertAppointment({ ...fields, ...titled }, serverFields, async ({ consultationRequest }) => {
    const { count } = await consultationRequest.updateMany({
      where: { id, status: "pending" },
      data: { status: "scheduled" },
    });
    return count === 1 ? null : requestNotFound();
  });
}

/** Title and notes name the client, once, also when the sender has already written the name. */
function withClientName({ title, notes = "" }: SchedulingFields, request: ConsultationRequest) {
  const name = fullName(request).replace(/\s+/g, " ");
  const suffix = ` - ${name}`;
  const service = title.endsWith(suffix) ? title.slice(0, -suffix.length) : title;
  const clientLine = `Client: ${name}`;
  const otherNotes =
    notes === clientLine || notes.startsWith(`${clientLine}\n`) ? notes.slice(clientLine.length + 1) : notes;
  return { service, title: service + suffix, notes: otherNotes ? `${clientLine}\n${otherNotes}` : clientLine };
}

/**
 * Whose account an appointment from this request goes to: the one that was signed in when it was made, else the one
 * that the administrator names, else nobody's. An address, name or phone number decides nothing: anybody can register
 * with another's. Only an address that is confirmed, and whose account is older than the request, could decide here.
 */
async function ownerOf({ userId }: ConsultationRequest, named: unknown): Promise<Outcome<number | null>> {
  if (userId !== null || named === undefined || named === null || named === "") return accepted(userId);
  const family = await findFamilyId(named);
  return family === null ? invalid("userId", "Choose the account of an existing client, or none.") : accepted(family);
}
