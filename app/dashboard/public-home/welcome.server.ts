import type { RouterContextProvider } from "react-router";
import { getPerson } from "../../accounts/guards.server.ts";
import type { Person } from "../../accounts/person.ts";
import { getChosenService } from "../../accounts/sessions/chosen-service.server.ts";
import { getPossiblyRestrictedSession } from "../../accounts/sessions/session.server.ts";
import { listAdminAppointmentsWithAudit } from "../../booking/appointment-list/admin-appointments.server.ts";
import { OPEN_STATUSES, effectiveNowForFamily, timeStatus } from "../../booking/appointment-status.ts";
import { videoCallPath } from "../../booking/appointment-paths.ts";
import { MAX_VISIT_MINUTES } from "../../booking/booking-rules.ts";
import { offeredRoomLink } from "../../booking/room-hours.ts";
import { SHORT_VISIT_KIND_LABELS, visitKind } from "../../booking/visit-kind.ts";
import { nextDay, startOfDay, toWallTime } from "../../booking/wall-time.ts";
import { findUnfinishedBookingAndIntake } from "../../booking/resume/unfinished-booking.server.ts";
import { now } from "../../clock.ts";
import { countPendingConsultationRequests } from "../../consultation-requests/consultation-requests.server.ts";
import { db } from "../../db/database-client.server.ts";
import { MINUTE_MS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { hasSubmittedIntakeForm } from "../../intake/intake-forms.server.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";

/** More visits than can start within the maximum length of a visit and already be over. */
const MAX_RUNNING_VISITS = 20;

/** Returns what the public page shows to a signed-in person; null for visitors, whose page is cached. */
export async function loadWelcomeBannerData(context: Readonly<RouterContextProvider>) {
  const person = getPerson(context);
  if (!person) return null;
  if (person.isAdmin) return { role: "administrator" as const, ...(await summarizeDay(person)) };
  const hasIntake = await hasSubmittedIntakeForm(person);
  const { booking } = await findUnfinishedBookingAndIntake(person, {
    chosenService: getChosenService(context),
    hasIntake,
  });
  return {
    role: "client" as const,
    firstName: person.firstName,
    isFirstVisit: getPossiblyRestrictedSession(context)?.data.isFirst ?? false,
    booking,
    visit: await findRunningOrNextFamilyVisit(person),
  };
}

export type WelcomeData = NonNullable<Awaited<ReturnType<typeof loadWelcomeBannerData>>>;

/** Counts today's visits, without canceled ones, and the open requests. */
async function summarizeDay(person: Person) {
  const { timeZone } = env.practice;
  const { day } = toWallTime(now(), timeZone);
  const appointmentDate = { gte: startOfDay(day, timeZone), lt: startOfDay(nextDay(day), timeZone) };
  const [visits, requests, next] = await Promise.all([
    db.appointment.count({ where: { appointmentDate, status: { not: "cancelled" } } }),
    countPendingConsultationRequests(person),
    findRunningOrNextPracticeVisit(person),
  ]);
  return { visits, requests, next };
}

/** Returns the family's running visit, otherwise its next one; null if there is none. */
async function findRunningOrNextFamilyVisit(person: Person) {
  const currentTime = now();
  const from = new Date(currentTime.getTime() - MAX_VISIT_MINUTES * MINUTE_MS);
  const rows = await db.appointment.findMany({
    where: { userId: person.id, appointmentDate: { gt: from }, status: { in: OPEN_STATUSES } },
    orderBy: { appointmentDate: "asc" },
    take: MAX_RUNNING_VISITS,
  });
  const visit = rows.find((row) => timeStatus(row, effectiveNowForFamily(row, currentTime)) !== "past");
  if (!visit) return null;
  const kind = SHORT_VISIT_KIND_LABELS[visitKind(visit)].toLowerCase();
  return {
    text: `${formatPracticeDateTime(visit.appointmentDate)}, ${kind}`,
    isOngoing: visit.appointmentDate <= currentTime,
    roomLink: offeredRoomLink(visit, currentTime),
    callPath: videoCallPath(visit.id),
  };
}

/** Returns the running visit, otherwise the next one: time, name and kind; null if there is none. */
async function findRunningOrNextPracticeVisit(person: Person) {
  const from = new Date(now().getTime() - MAX_VISIT_MINUTES * MINUTE_MS);
  const where = { appointmentDate: { gt: from }, status: { in: OPEN_STATUSES } };
  const rows = await listAdminAppointmentsWithAudit(person, { where, order: "asc", take: MAX_RUNNING_VISITS });
  const visit = rows.find(({ isOver }) => !isOver);
  if (!visit) return null;
  const { id, start, client, visitKind: kind, callLabel, isRoomOpen, isOngoing } = visit;
  return {
    text: `${formatPracticeDateTime(new Date(start))}, ${client.name}, ${SHORT_VISIT_KIND_LABELS[kind].toLowerCase()}`,
    isOngoing,
    callPath: callLabel && isRoomOpen ? videoCallPath(id) : null,
  };
}
