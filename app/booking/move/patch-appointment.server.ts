import type { Person } from "../../accounts/person.ts";
import { invalidField, type Outcome } from "../../http/outcome.ts";
import { type Appointment, findAppointment } from "../find-appointment.server.ts";
import { setVisitPlace } from "../place/set-visit-place.server.ts";
import { START_REQUIRED_MESSAGE } from "../booking-rules.ts";
import { appointmentPlaceSchema } from "../booking-schemas.ts";
import { moveAppointment } from "./move-appointment.server.ts";

type Change = { appointmentDate?: Date | undefined; duration?: unknown; place?: unknown };

/**
 * Moves an appointment, sets its place, or both at once, as the API's PATCH asks. Only the administrator sets a place;
 * it is ignored for everyone else. Refusals: those of `moveAppointment` and `setVisitPlace`.
 */
export async function patchAppointment(
  person: Person,
  id: number | null,
  { appointmentDate, duration, place }: Change,
  origin: { ip: string },
): Promise<Outcome<Appointment>> {
  const parsed = appointmentPlaceSchema.nullable().safeParse(person.isAdmin ? place : undefined);
  if (!parsed.success) return invalidField("place", parsed.error.issues[0]?.message ?? "");
  const chosenPlace = parsed.data;
  if (appointmentDate !== undefined)
    return moveAppointment(person, id, { appointmentDate, duration, place: chosenPlace }, origin);
  if (chosenPlace !== undefined) return setVisitPlace(person, id, chosenPlace);
  const found = await findAppointment(person, id);
  return found.ok ? invalidField("appointmentDate", START_REQUIRED_MESSAGE) : found;
}
