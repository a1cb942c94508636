import { refusalUnlessAdmin } from "../../accounts/authorization.server.ts";
import { lockAccountRow } from "../../accounts/lock-account-row.server.ts";
import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { accepted, invalidField, type Outcome, type Refusal, refused } from "../../http/outcome.ts";
import { isCompletedOrNoShow, OPEN_STATUSES } from "../appointment-status.ts";
import { type Appointment, findAppointment, getAppointmentUnchecked } from "../find-appointment.server.ts";
import { rollbackIf, tryTransaction } from "../rollback.server.ts";
import { visitKind } from "../visit-kind.ts";
import { storeVisitPlaceAndNotify } from "./store-visit-place.server.ts";

/**
 * Sets the place of an upcoming visit in person, for the administrator; null removes it, so that the practice's own
 * place is told. Notifies the family, unless it is told the same place as before. Of a visit without an account, its
 * person is to be told again. Refusals: forbidden; notFound; invalid (`place`: not in person); conflict (canceled,
 * completed, no-show or begun; changed concurrently).
 */
export async function setVisitPlace(
  person: Person,
  id: number | null,
  place: string | null,
): Promise<Outcome<Appointment>> {
  const found = refusalUnlessAdmin(person) ?? (await findAppointment(person, id));
  if (!found.ok) return found;
  const visit = found.value;
  const refusal = checkSettablePlace(visit);
  if (refusal) return refusal;
  if (visit.place === place) return found;
  const saved = await tryTransaction(async (transaction) => {
    if (visit.userId !== null) await lockAccountRow(transaction, visit.userId);
    const isSaved = await storeVisitPlaceAndNotify(transaction, visit, { place });
    rollbackIf(
      isSaved ? null : refused("conflict", "This visit was changed in the meantime. Please look at it again."),
    );
  });
  return saved.ok ? accepted(await getAppointmentUnchecked(visit.id)) : saved;
}

type SettableVisit = Pick<Appointment, "status" | "appointmentDate" | "isLiveVideoCall" | "meetingLink">;

/** Returns the refusal for a visit whose place can't be set, otherwise null. */
export function checkSettablePlace(visit: SettableVisit): Refusal | null {
  const { status, appointmentDate } = visit;
  if (isCompletedOrNoShow(status))
    return refused("conflict", `This visit is marked ${status}, so its place can't be changed.`);
  if (!OPEN_STATUSES.includes(status))
    return refused("conflict", "This visit is canceled, so its place can't be changed.");
  if (appointmentDate <= now())
    return refused("conflict", "This visit has already begun, so its place can't be changed.");
  return checkInPerson(visit);
}

/** Returns the refusal of a place for a visit that is not in person, otherwise null. */
export function checkInPerson(visit: SettableVisit): Refusal | null {
  return visitKind(visit) === "in-person"
    ? null
    : invalidField("place", "Only a visit in person has a place. This one is online.");
}
