import { sqltag as sql } from "@prisma/client/runtime/client";
import type { Person } from "../accounts/person.ts";
import { ROOM_CLOSES_MINUTES_AFTER, roomEntry, rowBadge } from "../booking/badges.ts";
import { MAX_MINUTES } from "../booking/rules.ts";
import { now } from "../clock.ts";
import { preparedQuery } from "../db.server.ts";
import { latestDocuments } from "../documents/documents.server.ts";

const RECENT = 3;

/** A visit's room may be open for as long after its start; so many may have begun in that time, cancelled ones included. */
const LONGEST_OPEN_MS = (MAX_MINUTES + ROOM_CLOSES_MINUTES_AFTER) * 60_000;
const MOST_BEGUN = 40;
type Row = {
  id: number;
  title: string;
  appointmentDate: Date;
  duration: number;
  status: string;
  paymentId: string | null;
  isLiveVideoCall: boolean;
};

/** What a family sees first. Cancelled ones are shown, not counted as upcoming (decisions §5.9); instants are UTC. */
export async function clientOverview(person: Person) {
  const time = now();
  const [rows, documents] = await Promise.all([appointmentsAround(person, time), latestDocuments(person, RECENT)]);
  const isToCome = ({ appointmentDate }: Row) => appointmentDate >= time;
  const next = rows.filter(isToCome);
  const earlier = rows.filter((row) => !isToCome(row)).toReversed();
  return {
    open: rows.flatMap((visit) => openVisit(visit, time)),
    upcoming: rows[0]?.upcoming ?? 0,
    total: rows[0]?.total ?? 0,
    recent: [...next, ...earlier].slice(0, RECENT).map((row) => shown(row, time)),
    documents: documents.total,
    recentDocuments: documents.latest.map((document) => ({
      ...document,
      uploadedAt: document.uploadedAt.toISOString(),
    })),
  };
}

/** The family's appointments around this moment, ascending; each says how many there are. */
function appointmentsAround({ id }: Person, time: Date): Promise<(Row & { upcoming: number; total: number })[]> {
  const own = sql`FROM "appointments" WHERE "userId" = ${id}`;
  const columns = sql`SELECT "id", "title", "appointmentDate", "duration", "status", "paymentId", "isLiveVideoCall"`;
  const nearFrom = new Date(time.getTime() - LONGEST_OPEN_MS);
  return preparedQuery(sql`
    SELECT around.*,
      (SELECT CAST(count(*) AS INTEGER) ${own} AND "appointmentDate" >= ${time} AND "status" <> 'cancelled') AS "upcoming",
      (SELECT CAST(count(*) AS INTEGER) ${own}) AS "total"
    FROM (
      SELECT * FROM (${columns} ${own} AND "appointmentDate" >= ${nearFrom} ORDER BY "appointmentDate" LIMIT ${RECENT + MOST_BEGUN}) AS near
      UNION
      SELECT * FROM (${columns} ${own} AND "appointmentDate" < ${time} ORDER BY "appointmentDate" DESC LIMIT ${RECENT}) AS earlier
    ) AS around ORDER BY "appointmentDate"`);
}

/** A video visit whose room is open now, and which way in is offered. */
function openVisit(visit: Row, time: Date) {
  const entry = roomEntry(visit, time);
  return entry ? [{ id: visit.id, title: visit.title, start: visit.appointmentDate.toISOString(), entry }] : [];
}

function shown({ id, title, appointmentDate, duration, status, paymentId }: Row, time: Date) {
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
