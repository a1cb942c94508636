import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { listAllAppointments } from "../appointment-list/admin-appointments.server.ts";
import { OPEN_STATUS_CONDITION } from "../appointment-list/appointment-conditions.server.ts";
import { toWallTime } from "../wall-time.ts";
import { outsideHoursWarning } from "./availability.server.ts";
import { listOverrides } from "./hours-overrides.server.ts";

/** Visits to come that are compared. */
const MAX_COMPARED = 500;

/**
 * Visits to come, of the next 500, that are outside the hours of a day that is closed or has special hours, ascending.
 * For the administrator; throws for anyone else.
 */
export async function visitsOutsideExceptions(person: Person) {
  const exceptions = new Set((await listOverrides()).map(({ day }) => day));
  if (exceptions.size === 0) return [];
  const where = { ...OPEN_STATUS_CONDITION, appointmentDate: { gt: now() } };
  const visits = await listAllAppointments(person, { where, order: "asc", take: MAX_COMPARED });
  const outside = [];
  for (const { id, client, title, start, duration } of visits) {
    if (!exceptions.has(toWallTime(new Date(start), env.practice.timeZone).day)) continue;
    if (await outsideHoursWarning({ start: new Date(start), duration }))
      outside.push({ id, name: client.name, title, start });
  }
  return outside;
}
