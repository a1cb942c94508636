import { recordAuditRead } from "../../audit/record-audit.server.ts";
import { findFamilyChoicesWithAudit } from "../../accounts/family-names.server.ts";
import { type Person, fullName } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db } from "../../db/database-client.server.ts";

/**
 * Returns the options of the upload form: the newest 200 appointments that are not canceled, upcoming ones first, and,
 * for the administrator, families to choose from. With a known `familyId`, the administrator gets only that family and
 * its appointments, and the access log records that she opened the account.
 */
export async function findUploadOptionsWithAudit(person: Person, familyId: number | null) {
  const families = person.isAdmin ? await findFamilyChoicesWithAudit(familyId) : [];
  const chosenFamilyId = familyId !== null && families.some(({ id }) => id === familyId) ? familyId : null;
  if (chosenFamilyId !== null)
    await recordAuditRead({ action: "account-opened", familyId: chosenFamilyId, objectId: chosenFamilyId });
  const appointments = await db.appointment.findMany({
    where: { userId: person.isAdmin ? (chosenFamilyId ?? { not: null }) : person.id, status: { not: "cancelled" } },
    orderBy: { appointmentDate: "desc" },
    take: 200,
    select: { id: true, title: true, appointmentDate: true, user: { select: { firstName: true, lastName: true } } },
  });
  const past = appointments.filter(({ appointmentDate }) => appointmentDate < now());
  const upcoming = appointments.slice(0, appointments.length - past.length).toReversed();
  return {
    nextAppointmentId: person.isAdmin ? null : (upcoming[0]?.id ?? null),
    families,
    appointments: [...upcoming, ...past].map(({ id, title, appointmentDate, user }) => ({
      id,
      title: person.isAdmin && user ? `${fullName(user)}: ${title}` : title,
      start: appointmentDate.toISOString(),
    })),
  };
}
