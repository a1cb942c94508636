import { MINUTE_MS } from "../duration.ts";
import { sqltag as sql } from "@prisma/client/runtime/client";
import type { Person } from "../accounts/person.ts";
import { ROOM_CLOSES_MINUTES_AFTER, roomEntry, rowBadge } from "../booking/appointment-status.ts";
import { MAX_MINUTES } from "../booking/rules.ts";
import { now } from "../clock.ts";
import { preparedQuery } from "../db/client.server.ts";
import { latestDocuments } from "../documents/documents.server.ts";

const RECENT_COUNT = 3;

/** How long after its start a visit's room may be open, and how many visits can have started within that time. */
const MAX_ROOM_OPEN_MS = (MAX_MINUTES + ROOM_CLOSES_MINUTES_AFTER) * MINUTE_MS;
const MAX_STARTED = 40;
type AppointmentRow = {
  id: number;
  title: string;
  appointmentDate: Date;
  duration: number;
  status: string;
  paymentId: string | null;
  isLiveVideoCall: boolean;
};

/** The data of the client dashboard; instants are UTC. Cancelled ones are listed, not counted as upcoming. */
export async function clientOverview(person: Person) {
  const currentTime = now();
  const [rows, documents] = await Promise.all([
    findNearbyAppointments(person, currentTime),
    latestDocuments(person, RECENT_COUNT),
  ]);
  const isUpcoming = ({ appointmentDate }: AppointmentRow) => appointmentDate >= currentTime;
  const upcomingRows = rows.filter(isUpcoming);
  const pastRows = rows.filter((row) => !isUpcoming(row)).toReversed();
  return {
    joinable: rows.flatMap((row) => joinableAppointment(row, currentTime)),
    upcoming: rows[0]?.upcoming ?? 0,
    total: rows[0]?.total ?? 0,
    recent: [...upcomingRows, ...pastRows].slice(0, RECENT_COUNT).map((row) => toRow(row, currentTime)),
    documents: documents.total,
    recentDocuments: documents.latest.map((document) => ({
      ...document,
      uploadedAt: document.uploadedAt.toISOString(),
    })),
  };
}

/** The family's appointments around now, ascending; each row carries the total count. */
function findNearbyAppointments(
  { id }: Person,
  time: Date,
): Promise<(AppointmentRow & { upcoming: number; total: number })[]> {
  const fromOwn = sql`FROM "appointments" WHERE "userId" = ${id}`;
  const columns = sql`SELECT "id", "title", "appointmentDate", "duration", "status", "paymentId", "isLiveVideoCall"`;
  const openSince = new Date(time.getTime() - MAX_ROOM_OPEN_MS);
  return preparedQuery(sql`
    SELECT around.*,
      (SELECT CAST(count(*) AS INTEGER) ${fromOwn} AND "appointmentDate" >= ${time} AND "status" <> 'cancelled') AS "upcoming",
      (SELECT CAST(count(*) AS INTEGER) ${fromOwn}) AS "total"
    FROM (
      SELECT * FROM (${columns} ${fromOwn} AND "appointmentDate" >= ${openSince} ORDER BY "appointmentDate" LIMIT ${RECENT_COUNT + MAX_STARTED}) AS near
      UNION
      SELECT * FROM (${columns} ${fromOwn} AND "appointmentDate" < ${time} ORDER BY "appointmentDate" DESC LIMIT ${RECENT_COUNT}) AS earlier
    ) AS around ORDER BY "appointmentDate"`);
}

/** A video visit whose room is open now, with the kind of entry that is offered. */
function joinableAppointment(appointment: AppointmentRow, time: Date) {
  const entry = roomEntry(appointment, time);
  return entry
    ? [{ id: appointment.id, title: appointment.title, start: appointment.appointmentDate.toISOString(), entry }]
    : [];
}

function toRow({ id, title, appointmentDate, duration, status, paymentId }: AppointmentRow, time: Date) {
  const badge = rowBadge({ appointmentDate, duration, status }, time);
  return {
    id,
    title,
    duration,
    start: appointmentDate.toISOString(),
    isOver: appointmentDate <= time,
    badge,
    isPaid: paymentId !== null,
  };
}
