import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";
import { listAdminAppointmentsWithAudit } from "../appointment-list/admin-appointments.server.ts";
import { OPEN_STATUS_CONDITION } from "../appointment-list/appointment-conditions.server.ts";
import { appointmentDetailsPath } from "../appointment-paths.ts";
import { toWallTime } from "../wall-time.ts";
import { outsideHoursWarning } from "./availability.server.ts";
import { listHoursOverrides } from "./hours-overrides.server.ts";

/** Maximum number of upcoming visits that are checked. */
const MAX_CHECKED_VISITS = 500;
/** Maximum number of visits that a message names. */
const MAX_NAMED_VISITS = 3;

export type VisitOutsideHours = { path: string; day: string; name: string; title: string; when: string };

/**
 * Returns those of the next 500 upcoming visits that are outside the hours of their day, ascending: on days that are
 * closed or have special hours (`exceptional`), or on all other days (`usual`). For the administrator; throws for
 * anyone else.
 */
export async function findVisitsOutsideHours(
  person: Person,
  days: "usual" | "exceptional",
): Promise<VisitOutsideHours[]> {
  const overrideDays = new Set((await listHoursOverrides()).map(({ day }) => day));
  if (days === "exceptional" && overrideDays.size === 0) return [];
  const where = { ...OPEN_STATUS_CONDITION, appointmentDate: { gt: now() } };
  const visits = await listAdminAppointmentsWithAudit(person, { where, order: "asc", take: MAX_CHECKED_VISITS });
  const outside = [];
  for (const { id, client, title, start: instant, duration } of visits) {
    const start = new Date(instant);
    const { day } = toWallTime(start, env.practice.timeZone);
    if (overrideDays.has(day) !== (days === "exceptional")) continue;
    if (await outsideHoursWarning({ start, duration }))
      outside.push({
        path: appointmentDetailsPath(id),
        day,
        name: client.name,
        title,
        when: formatPracticeDateTime(start),
      });
  }
  return outside;
}

/**
 * Returns a sentence, after a change of the hours, that names the visits now outside them; empty when there are none.
 */
export function describeVisitsOutsideHours(visits: readonly VisitOutsideHours[]): string {
  if (visits.length === 0) return "";
  const booked = visits.length === 1 ? "One booked visit is" : `${visits.length} booked visits are`;
  const named = visits.slice(0, MAX_NAMED_VISITS).map(({ name, when }) => `${name}, ${when}`);
  const hidden = visits.length - named.length;
  const list = [...named, ...(hidden > 0 ? [`and ${hidden} more`] : [])].join("; ");
  return `${booked} outside these hours and still on: ${list}. Move or cancel what you can't keep.`;
}
