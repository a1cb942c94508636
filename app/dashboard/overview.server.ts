import type { Person } from "../accounts/person.ts";
import { rowBadge } from "../booking/badges.ts";
import { now } from "../clock.ts";
import { db } from "../db.server.ts";
import { listDocuments } from "../documents/documents.server.ts";

const RECENT = 3;

const ROW = { id: true, title: true, appointmentDate: true, duration: true, status: true, paymentId: true } as const;
type Row = {
  id: number;
  title: string;
  appointmentDate: Date;
  duration: number;
  status: string;
  paymentId: string | null;
};

/** What a family sees first. Cancelled ones are shown, not counted as upcoming (decisions §5.9); instants are UTC. */
export async function clientOverview(person: Person) {
  const time = now();
  const own = { userId: person.id };
  const [upcoming, total, next, documents] = await Promise.all([
    db.appointment.count({ where: { ...own, appointmentDate: { gte: time }, status: { not: "cancelled" } } }),
    db.appointment.count({ where: own }),
    db.appointment.findMany({
      where: { ...own, appointmentDate: { gte: time } },
      orderBy: { appointmentDate: "asc" },
      take: RECENT,
      select: ROW,
    }),
    listDocuments(person),
  ]);
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
    upcoming,
    total,
    recent: [...next, ...earlier].map((row) => shown(row, time)),
    documents: documents.length,
    recentDocuments: documents.slice(0, RECENT).map(shownDocument),
  };
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
