import type { Person } from "../accounts/person.ts";
import { ROOM_CLOSES_MINUTES_AFTER, roomEntry, rowBadge } from "../booking/badges.ts";
import { MAX_MINUTES } from "../booking/rules.ts";
import { now } from "../clock.ts";
import { db } from "../db.server.ts";
import { listDocuments } from "../documents/documents.server.ts";

const RECENT = 3;

const ROW = {
  id: true,
  title: true,
  appointmentDate: true,
  duration: true,
  status: true,
  paymentId: true,
  isLiveVideoCall: true,
} as const;
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
  const own = { userId: person.id };
  const [upcoming, total, near, documents] = await Promise.all([
    db.appointment.count({ where: { ...own, appointmentDate: { gte: time }, status: { not: "cancelled" } } }),
    db.appointment.count({ where: own }),
    db.appointment.findMany({
      where: { ...own, appointmentDate: { gte: new Date(time.getTime() - LONGEST_OPEN_MS) } },
      orderBy: { appointmentDate: "asc" },
      take: RECENT + MOST_BEGUN,
      select: ROW,
    }),
    listDocuments(person),
  ]);
  const next = near.filter(({ appointmentDate }) => appointmentDate >= time).slice(0, RECENT);
  const earlier =
    next.length < RECENT && total > next.length
      ? await db.appointment.findMany({
          where: { ...own, appointmentDate: { lt: time } },
          orderBy: { appointmentDate: "desc" },
          take: RECENT - next.length,
          select: ROW,
        })
      : [];
  return {
    open: near.flatMap((visit) => openVisit(visit, time)),
    upcoming,
    total,
    recent: [...next, ...earlier].map((row) => shown(row, time)),
    documents: documents.length,
    recentDocuments: documents.slice(0, RECENT).map(shownDocument),
  };
}

/** A video visit whose room is open now, and which way in is offered. */
function openVisit(visit: Row, time: Date) {
  const entry = roomEntry(visit, time);
  return entry ? [{ id: visit.id, title: visit.title, start: visit.appointmentDate.toISOString(), entry }] : [];
}

function shownDocument({ id, fileName, description, uploadedAt }: Awaited<ReturnType<typeof listDocuments>>[number]) {
  return { id, fileName, description, uploadedAt: uploadedAt.toISOString() };
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
