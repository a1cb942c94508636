import { sqltag as sql } from "@prisma/client/runtime/client";
import type { Person } from "../../accounts/person.ts";
import {
  familyBadge,
  isCompletedOrNoShow,
  effectiveNowForFamily,
  timeStatus,
} from "../../booking/appointment-status.ts";
import { msUntilNextVisitChange } from "../../booking/ms-until-next-visit-change.ts";
import { canFamilyMove, isMovableByPhoneOnly } from "../../booking/self-service-deadline.ts";
import { inPersonPlaceText } from "../../booking/meeting-place.server.ts";
import { offeredRoomLink, ROOM_CLOSES_MINUTES_AFTER, roomOpensAt } from "../../booking/room-hours.ts";
import { dashboardFollowUpCountSql, listDashboardFollowUps } from "../../booking/follow-ups/follow-ups.server.ts";
import { hasPaidBadge } from "../../booking/prices/appointment-balance.ts";
import { endTime, MAX_VISIT_MINUTES } from "../../booking/booking-rules.ts";
import { findUnfinishedBookingAndIntake } from "../../booking/resume/unfinished-booking.server.ts";
import { hasVisitAnswers } from "../../booking/visit-answers/visit-answers.server.ts";
import { listOpenOffers, openOfferCountSql } from "../../booking/waiting-list/open-waiting-list-offers.server.ts";
import { VISIT_KIND_LABELS, visitKind } from "../../booking/visit-kind.ts";
import { now } from "../../clock.ts";
import { runPreparedQuery } from "../../db/database-client.server.ts";
import { hasAppointmentDocuments, findLatestDocuments } from "../../documents/documents.server.ts";
import { MINUTE_MS } from "../../time-units.ts";
import { truncateWithEllipsis } from "../../excerpt.ts";

const RECENT_APPOINTMENT_COUNT = 3;
/** Maximum length of a recent document's description, in characters. */
const MAX_EXCERPT_LENGTH = 200;

/**
 * How long after its start a visit's room can be open, and the maximum number of visits that can start within that
 * time.
 */
const MAX_ROOM_OPEN_MS = (MAX_VISIT_MINUTES + ROOM_CLOSES_MINUTES_AFTER) * MINUTE_MS;
const MAX_STARTED_VISITS = 40;
type AppointmentRow = {
  id: number;
  title: string;
  appointmentDate: Date;
  duration: number;
  status: string;
  paymentId: string | null;
  paymentStatus: string;
  meetingLink: string | null;
  place: string | null;
  isLiveVideoCall: boolean;
  callEndedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

/**
 * Loads the client dashboard; instants are UTC. Canceled visits are included only in the total, because the list of
 * appointments shows them together with their refunds. `chosenService` is the service that the family chose before
 * signing in.
 */
export async function loadClientOverview(
  person: Person,
  { chosenService, needsEmailConfirmation }: { chosenService: string | null; needsEmailConfirmation: boolean },
) {
  const currentTime = now();
  const [{ counts, rows: found }, documents] = await Promise.all([
    findNearbyAppointments(person, currentTime),
    findLatestDocuments(person, RECENT_APPOINTMENT_COUNT),
  ]);
  const rows = found.filter(({ status }) => status !== "cancelled");
  const isUpcoming = ({ appointmentDate }: AppointmentRow) => appointmentDate >= currentTime;
  const upcomingRows = rows.filter(isUpcoming);
  const pastRows = rows.filter((row) => !isUpcoming(row)).toReversed();
  const joinable = rows.flatMap((row) => joinableAppointment(row, currentTime));
  const next = rows.find(
    (row) =>
      !row.callEndedAt &&
      !isCompletedOrNoShow(row.status) &&
      timeStatus(row, currentTime) !== "past" &&
      joinable.every(({ id }) => id !== row.id),
  );
  const unfinished = await findUnfinishedBookingAndIntake(person, { chosenService, hasIntake: documents.hasIntake });
  const hasUnfinishedBooking = unfinished.booking !== null || unfinished.intake !== null;
  const needsIntake = !documents.hasIntake && !hasUnfinishedBooking;
  // A family with an upcoming visit prepares it. A family without one books one.
  const hasTask = next !== undefined && (needsIntake || needsEmailConfirmation);
  const isLink = next !== undefined && visitKind(next) === "link";
  return {
    joinable,
    /** What the page's only primary button does. */
    mainAction:
      joinable.length > 0
        ? "join"
        : counts.offers > 0
          ? "offer"
          : hasUnfinishedBooking
            ? "unfinished"
            : isLink
              ? "meeting-link"
              : hasTask
                ? "task"
                : "book",
    next: next ? toUpcomingVisit(next, currentTime) : null,
    refreshInMs: msUntilNextVisitChange(found, currentTime),
    canceled: found
      .filter((row) => row.status === "cancelled" && !hasBookedSinceCancellation(row, rows))
      .map(toCanceledVisit),
    /** What the family still has to do before its next visit. */
    preparation: next ? await findPreparation(person, next.id) : null,
    upcoming: counts.upcoming,
    total: counts.total,
    recent: [...upcomingRows, ...pastRows]
      .slice(0, RECENT_APPOINTMENT_COUNT)
      .map((row) => toRecentAppointmentRow(row, currentTime)),
    needsIntake,
    needsEmailConfirmation,
    // Queried only if there are any.
    followUps: counts.followUps === 0 ? [] : await listDashboardFollowUps(person),
    offers: counts.offers === 0 ? [] : await listOpenOffers(person),
    unfinished,
    documents: documents.total,
    recentDocuments: documents.latest.map((document) => ({
      ...document,
      description: document.description && truncateWithEllipsis(document.description, MAX_EXCERPT_LENGTH),
      uploadedAt: document.uploadedAt.toISOString(),
    })),
  };
}

type Counts = { upcoming: number; total: number; followUps: number; offers: number };

/**
 * Returns, in one query, the family's appointments around `time` in ascending order, and the counts. Of canceled ones
 * it returns those that the practice canceled and that have not begun.
 */
async function findNearbyAppointments(person: Person, time: Date): Promise<{ counts: Counts; rows: AppointmentRow[] }> {
  const fromOwnAppointmentsSql = sql`FROM "appointments" WHERE "userId" = ${person.id}`;
  const columns = sql`SELECT "id", "title", "appointmentDate", "duration", "status", "paymentId", "paymentStatus",
    "meetingLink", "place", "isLiveVideoCall", "callEndedAt", "createdAt", "updatedAt"`;
  const notCanceledCondition = sql`"status" <> 'cancelled'`;
  const openSince = new Date(time.getTime() - MAX_ROOM_OPEN_MS);
  const found = await runPreparedQuery<Counts & (AppointmentRow | { id: null })>(
    sql`
    SELECT counts.*, around.* FROM (
      SELECT
        (SELECT CAST(count(*) AS INTEGER) ${fromOwnAppointmentsSql} AND "appointmentDate" >= ${time} AND ${notCanceledCondition}) AS "upcoming",
        (SELECT CAST(count(*) AS INTEGER) ${fromOwnAppointmentsSql}) AS "total",
        (${dashboardFollowUpCountSql(person)}) AS "followUps",
        (${openOfferCountSql(person)}) AS "offers"
    ) AS counts LEFT JOIN (
      SELECT * FROM (${columns} ${fromOwnAppointmentsSql} AND "appointmentDate" >= ${openSince} AND ${notCanceledCondition} ORDER BY "appointmentDate" LIMIT ${RECENT_APPOINTMENT_COUNT + MAX_STARTED_VISITS}) AS near
      UNION
      SELECT * FROM (${columns} ${fromOwnAppointmentsSql} AND "appointmentDate" < ${time} AND ${notCanceledCondition} ORDER BY "appointmentDate" DESC LIMIT ${RECENT_APPOINTMENT_COUNT}) AS earlier
      UNION
      SELECT * FROM (${columns} ${fromOwnAppointmentsSql} AND "appointmentDate" >= ${time} AND "status" = 'cancelled' AND "cancelledBy" = 'practice' ORDER BY "appointmentDate" LIMIT ${RECENT_APPOINTMENT_COUNT}) AS canceled
    ) AS around ON 1 = 1 ORDER BY around."appointmentDate"`,
    "Appointment",
  );
  const { upcoming, total, followUps, offers } = found[0] ?? { upcoming: 0, total: 0, followUps: 0, offers: 0 };
  return {
    counts: { upcoming, total, followUps, offers },
    rows: found.filter((row): row is Counts & AppointmentRow => row.id !== null),
  };
}

/** Whether the family has booked another visit since the practice canceled this one. */
function hasBookedSinceCancellation({ updatedAt }: AppointmentRow, rows: readonly AppointmentRow[]): boolean {
  return rows.some(({ createdAt }) => createdAt > updatedAt);
}

function toCanceledVisit({ id, title, appointmentDate }: AppointmentRow) {
  return { id, title, start: appointmentDate.toISOString() };
}

async function findPreparation(person: Person, id: number) {
  const [isAnswered, hasDocuments] = await Promise.all([hasVisitAnswers(id), hasAppointmentDocuments(person, id)]);
  return { id, needsAnswers: !isAnswered, needsPapers: !hasDocuments };
}

/** Returns a video visit whose room is open now, with the kind of entry that is offered. */
function joinableAppointment(appointment: AppointmentRow, time: Date) {
  const entry = offeredRoomLink(appointment, time);
  if (!entry) return [];
  const { id, title, appointmentDate: start, duration } = appointment;
  return [{ id, title, start: start.toISOString(), end: endTime({ start, duration }).toISOString(), entry }];
}

function toUpcomingVisit(row: AppointmentRow, time: Date) {
  const { id, title, appointmentDate: start, duration, meetingLink } = row;
  return {
    id,
    title,
    start: start.toISOString(),
    end: endTime({ start, duration }).toISOString(),
    isNow: timeStatus(row, time) === "now",
    kind: visitKind(row),
    meetingLink,
    place: inPersonPlaceText(row, time),
    roomOpensAt: roomOpensAt(start).toISOString(),
    canMove: canFamilyMove(row, time),
    isMovableByPhoneOnly: isMovableByPhoneOnly(row, time),
  };
}

function toRecentAppointmentRow(row: AppointmentRow, currentTime: Date) {
  const time = effectiveNowForFamily(row, currentTime);
  const { id, title, appointmentDate, duration } = row;
  return {
    id,
    title,
    duration,
    start: appointmentDate.toISOString(),
    isOver: appointmentDate <= time,
    /** A past visit has no page of its own: it links to the list. */
    hasPage: timeStatus(row, time) !== "past",
    kindLabel: VISIT_KIND_LABELS[visitKind(row)],
    badge: familyBadge(row, time),
    isPaid: hasPaidBadge(row),
  };
}
