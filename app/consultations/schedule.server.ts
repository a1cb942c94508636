import { fullName, type Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import type { Appointment } from "../booking/appointments.server.ts";
import { isTaken } from "../booking/availability.server.ts";
import { place, taken } from "../booking/book.server.ts";
import { whyNever } from "../booking/rules.ts";
import { db } from "../db.server.ts";
import { readId } from "../http/fields.ts";
import { invalid, type Outcome } from "../http/outcome.ts";
import { type ConsultationRequest, findOpenRequest, unknownRequest } from "./requests.server.ts";
import type { SchedulingFields } from "./shapes.ts";

/**
 * Makes an appointment of a waiting request and closes the request, both or neither. The administrator may choose a
 * time outside office hours, never in the past (invalid) or on top of another (conflict); decisions §5.12.
 */
export async function scheduleRequest(person: Person, fields: SchedulingFields): Promise<Outcome<Appointment>> {
  const request = await findOpenRequest(person, readId(String(fields.consultationRequestId)));
  if (!request) return unknownRequest();
  const wish = { start: fields.appointmentDate, duration: fields.duration };
  const reason = whyNever(wish, { now: now() });
  if (reason) return invalid("appointmentDate", reason);
  if (await isTaken(wish)) return taken();
  const userId = request.userId ?? (await familyWithEmail(request.email));
  const { id, urgency } = request;
  const named = withClient(fields, request);
  const extra = { userId, urgency, consultationRequestId: id, service: named.service };
  // Closed first: whoever else schedules or deletes it at this moment waits here, and then finds nothing open.
  return place({ ...fields, ...named }, extra, async ({ consultationRequest }) => {
    const { count } = await consultationRequest.updateMany({
      where: { id, status: "pending" },
      data: { status: "scheduled" },
    });
    return count === 1 ? null : unknownRequest();
  });
}

/** Title and notes name the client, once, also when the sender has already written the name. */
function withClient({ title, notes = "" }: SchedulingFields, request: ConsultationRequest) {
  const name = fullName(request).replace(/\s+/g, " ");
  const suffix = ` - ${name}`;
  const service = title.endsWith(suffix) ? title.slice(0, -suffix.length) : title;
  const line = `Client: ${name}`;
  const rest = notes === line || notes.startsWith(`${line}\n`) ? notes.slice(line.length + 1) : notes;
  return { service, title: service + suffix, notes: rest ? `${line}\n${rest}` : line };
}

async function familyWithEmail(email: string): Promise<number | null> {
  const family = await db.user.findFirst({ where: { email, isClient: true, isAdmin: false }, select: { id: true } });
  return family?.id ?? null;
}
