import { type Person, fullName } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db } from "../../db/client.server.ts";

/**
 * The options of the upload form: the newest 200 appointments that are not cancelled, those to come first, and, for the
 * administrator, the families ordered by first name. With a known `familyId`, the administrator gets only that family and
 * its appointments.
 */
export async function findUploadOptions(person: Person, familyId: number | null) {
  const families = person.isAdmin ? await listFamilies(familyId) : [];
  const chosenFamilyId = familyId !== null && families.some(({ id }) => id === familyId) ? familyId : null;
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
    families: families.map(({ id, email, ...names }) => ({ id, name: `${fullName(names)} (${email})` })),
    appointments: [...upcoming, ...past].map(({ id, title, appointmentDate, user }) => ({
      id,
      title: person.isAdmin && user ? `${fullName(user)}: ${title}` : title,
      start: appointmentDate.toISOString(),
    })),
  };
}

/** The family with this id, or all families when `id` is null or unknown. */
async function listFamilies(id: number | null) {
  const orderBy = [{ firstName: "asc" as const }, { lastName: "asc" as const }, { id: "asc" as const }];
  const select = { id: true, firstName: true, lastName: true, email: true };
  const family = id === null ? [] : await db.user.findMany({ where: { id, isAdmin: false }, select });
  return family.length > 0 ? family : db.user.findMany({ where: { isAdmin: false }, orderBy, select });
}
