import type { Person } from "../../accounts/person.ts";
import { listAdminAppointmentsWithAudit } from "../../booking/appointment-list/admin-appointments.server.ts";
import { filterFirstVisitIds } from "../../booking/appointment-list/first-visits.server.ts";
import type { AdminRow } from "../../booking/appointment-list/admin-appointment-row-data.ts";
import { isCompletedOrNoShow, timeStatus, type TimeStatus } from "../../booking/appointment-status.ts";
import { isRoomOpen } from "../../booking/room-hours.ts";
import { MAX_VISIT_MINUTES } from "../../booking/booking-rules.ts";
import { nextDay, startOfDay, toWallTime } from "../../booking/wall-time.ts";
import { now } from "../../clock.ts";
import { MINUTE_MS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { type Child, findChildren } from "../../intake/intake-child-details.server.ts";
import { formatShortPlainDate } from "../../ui/format-date-time.ts";

/** One visit per quarter hour of a day. */
const MAX_VISITS_PER_DAY = 96;

export type TodayVisit = AdminRow & {
  timeStatus: TimeStatus;
  /** Whether the video room can be entered now. */
  isRoomOpen: boolean;
  child: Child | null;
  /** True if this person has no earlier visit, not counting canceled ones and no-shows. */
  isFirstVisit: boolean;
};

/**
 * Returns today's visits in the practice's time zone, in order, without canceled ones. Includes a visit that began
 * yesterday and is still running. `startsAt` is the first instant of today. For the administrator; throws for anyone
 * else.
 */
export async function loadTodaysVisits(person: Person) {
  const { timeZone } = env.practice;
  const currentTime = now();
  const { day } = toWallTime(currentTime, timeZone);
  const startsAt = startOfDay(day, timeZone);
  const from = new Date(Math.min(startsAt.getTime(), currentTime.getTime() - MAX_VISIT_MINUTES * MINUTE_MS));
  const where = {
    appointmentDate: { gte: from, lt: startOfDay(nextDay(day), timeZone) },
    status: { not: "cancelled" },
  };
  const rows = await listAdminAppointmentsWithAudit(person, { where, order: "asc", take: MAX_VISITS_PER_DAY });
  const visits = rows.flatMap((row) => {
    const start = new Date(row.start);
    const visit = {
      appointmentDate: start,
      duration: row.duration,
      status: row.status,
      isLiveVideoCall: row.visitKind === "video",
    };
    // A visit that was concluded early counts as past.
    const current = isCompletedOrNoShow(row.status) ? "past" : timeStatus(visit, currentTime);
    if (start < startsAt && current !== "now") return [];
    return [{ ...row, timeStatus: current, isRoomOpen: isRoomOpen(visit, currentTime) }];
  });
  const familyIds = [...new Set(visits.flatMap(({ client }) => client.id ?? []))];
  const [children, firstVisits] = await Promise.all([
    findChildren(person, familyIds),
    filterFirstVisitIds(
      person,
      visits.map(({ id, client, start }) => ({ id, userId: client.id, start: new Date(start) })),
    ),
  ]);
  return {
    title: formatShortPlainDate(day),
    startsAt,
    visits: visits.map((visit): TodayVisit => ({
      ...visit,
      child: children.get(visit.client.id ?? 0) ?? null,
      isFirstVisit: firstVisits.has(visit.id),
    })),
  };
}
