import { type Person, fullName } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db } from "../../db/client.server.ts";

/**
 * The options of the upload form: the newest 200 appointments that are not cancelled, those to come first, and, for the
 * administrator, 200 families ordered by first name: those with the most visits, of equals those that registered first, so
 * that accounts which anybody can make displace none. For another one the form is opened from its page. With a known `familyId`, the administrator gets only that family and
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

const MAX_FAMILIES = 200;

/** The family with this id, or up to 200 families when `id` is null or unknown. */
async function listFamilies(id: number | null) {
  const select = { id: true, firstName: true, lastName: true, email: true };
  const family = id === null ? [] : await db.user.findMany({ where: { id, isAdmin: false }, select });
  if (family.length > 0) return family;
  const families = await db.user.findMany({
    where: { isAdmin: false },
    orderBy: [{ appointments: { _count: "desc" } }, { id: "asc" }],
    take: MAX_FAMILIES,
    select,
  });
  return families.toSorted((one, other) => fullName(one).localeCompare(fullName(other)) || one.id - other.id);
}
