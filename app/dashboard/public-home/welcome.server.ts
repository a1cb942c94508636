import type { RouterContextProvider } from "react-router";
import { getPerson } from "../../accounts/guards.server.ts";
import type { Person } from "../../accounts/person.ts";
import { getChosenService } from "../../accounts/sessions/chosen-service.server.ts";
import { getPossiblyRestrictedSession } from "../../accounts/sessions/session.server.ts";
import { listAllAppointments } from "../../booking/appointment-list/admin-appointments.server.ts";
import { OPEN_STATUSES, effectiveNowForFamily, timeStatus } from "../../booking/appointment-status.ts";
import { videoCallPath } from "../../booking/appointment-paths.ts";
import { MAX_VISIT_MINUTES } from "../../booking/rules.ts";
import { offeredRoomLink } from "../../booking/room-hours.ts";
import { SHORT_VISIT_KIND_LABELS, visitKind } from "../../booking/visit-kind.ts";
import { nextDay, startOfDay, toWallTime } from "../../booking/wall-time.ts";
import { findUnfinishedBooking } from "../../booking/resume/unfinished-booking.server.ts";
import { now } from "../../clock.ts";
import { countPendingConsultationRequests } from "../../consultation-requests/requests.server.ts";
import { db } from "../../db/client.server.ts";
import { MINUTE_MS } from "../../duration.ts";
import { env } from "../../env.server.ts";
import { hasIntakeForm } from "../../intake/intake.server.ts";
import { formatPracticeTime } from "../../practice/format-time.server.ts";

/** More visits than can start within the maximum length of a visit and already be over. */
const MAX_RUNNING_VISITS = 20;

/** Returns what the public page shows to a signed-in person; null for visitors, whose page is cached. */
export async function loadWelcome(context: Readonly<RouterContextProvider>) {
  const person = getPerson(context);
  if (!person) return null;
  if (person.isAdmin) return { role: "administrator" as const, ...(await summarizeDay(person)) };
  const hasIntake = await hasIntakeForm(person);
  const { booking } = await findUnfinishedBooking(person, { chosenService: getChosenService(context), hasIntake });
  return {
    role: "client" as const,
    firstName: person.firstName,
    isFirstVisit: getPossiblyRestrictedSession(context)?.data.isFirst ?? false,
    booking,
    visit: await findFamilyVisit(person),
  };
}

export type WelcomeData = NonNullable<Awaited<ReturnType<typeof loadWelcome>>>;

/** Counts today's visits, without canceled ones, and the open requests. */
async function summarizeDay(person: Person) {
  const { timeZone } = env.practice;
  const { day } = toWallTime(now(), timeZone);
  const appointmentDate = { gte: startOfDay(day, timeZone), lt: startOfDay(nextDay(day), timeZone) };
  const [visits, requests, next] = await Promise.all([
    db.appointment.count({ where: { appointmentDate, status: { not: "cancelled" } } }),
    countPendingConsultationRequests(person),
    findNextVisit(person),
  ]);
  return { visits, requests, next };
}

/** Returns the family's running visit, otherwise its next one; null if there is none. */
async function findFamilyVisit(person: Person) {
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
    text: `${formatPracticeTime(visit.appointmentDate)}, ${kind}`,
    isOngoing: visit.appointmentDate <= currentTime,
    roomLink: offeredRoomLink(visit, currentTime),
    callPath: videoCallPath(visit.id),
  };
}

/** Returns the running visit, otherwise the next one: time, name and kind; null if there is none. */
async function findNextVisit(person: Person) {
  const from = new Date(now().getTime() - MAX_VISIT_MINUTES * MINUTE_MS);
  const where = { appointmentDate: { gt: from }, status: { in: OPEN_STATUSES } };
  const rows = await listAllAppointments(person, { where, order: "asc", take: MAX_RUNNING_VISITS });
  const visit = rows.find(({ isOver }) => !isOver);
  if (!visit) return null;
  const { id, start, client, visitKind: kind, callLabel, isRoomOpen, isOngoing } = visit;
  return {
    text: `${formatPracticeTime(new Date(start))}, ${client.name}, ${SHORT_VISIT_KIND_LABELS[kind].toLowerCase()}`,
    isOngoing,
    callPath: callLabel && isRoomOpen ? videoCallPath(id) : null,
  };
}
