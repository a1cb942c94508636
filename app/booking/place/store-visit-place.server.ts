import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import type { Transaction } from "../../db/database-client.server.ts";
import { OPEN_STATUSES } from "../appointment-status.ts";
import type { Appointment } from "../find-appointment.server.ts";
import { isAgreedPlaceChanged, type Places } from "../meeting-place.server.ts";
import { notifyVisitPlaceChanged } from "../messages/visit-notifications.server.ts";

type Visit = Places &
  Pick<
    Appointment,
    "id" | "userId" | "appointmentDate" | "duration" | "calendarSequence" | "isLiveVideoCall" | "meetingLink"
  >;

/**
 * Stores the place that an upcoming visit in person has now, its own or the practice's, so that calendar programs
 * replace the earlier one. Notifies the family, unless it is told the same place as before; of a visit without an
 * account, its person is to be told again. Returns false if the visit was changed, moved or canceled since it was read.
 * For callers that have checked who sets the place; the account's row must be locked.
 */
export async function storeVisitPlaceAndNotify(
  transaction: Transaction,
  visit: Visit,
  newPlaces: Places,
): Promise<boolean> {
  const { id, userId, appointmentDate, calendarSequence } = visit;
  const isChanged = isAgreedPlaceChanged({ ...visit, ...newPlaces }, visit);
  const { count } = await transaction.appointment.updateMany({
    where: { id, appointmentDate, calendarSequence, status: { in: OPEN_STATUSES } },
    data: { place: newPlaces.place, calendarSequence: { increment: 1 }, ...(isChanged && { toldAt: null }) },
  });
  if (count !== 1) return false;
  await notifyVisitPlaceChanged(transaction, id, visit, newPlaces.practicePlace);
  recordAuditInTransaction(transaction, { action: "appointment-changed", familyId: userId, objectId: id });
  return true;
}
