import { type Person, fullName } from "../accounts/person.ts";
import { ownedBy } from "../booking/appointments.server.ts";
import { isRoomOpen, ROOM_CLOSES_MINUTES_AFTER, ROOM_OPENS_MINUTES_BEFORE } from "../booking/badges.ts";
import { clientName } from "../booking/client-name.ts";
import { endTime } from "../booking/rules.ts";
import { now } from "../clock.ts";
import { db } from "../db.server.ts";
import { env } from "../env.server.ts";
import type { Role } from "./signals.ts";

const MINUTE = 60_000;

const VISIT = {
  id: true,
  userId: true,
  title: true,
  notes: true,
  appointmentDate: true,
  duration: true,
  status: true,
  isLiveVideoCall: true,
  callEndedAt: true,
  user: { select: { firstName: true, lastName: true } },
} as const;

/** An appointment as the door of its room sees it. */
export type VideoVisit = NonNullable<Awaited<ReturnType<typeof visitOf>>>;

/** A video visit as one of its two people sees it; instants are UTC. */
export type Call = {
  id: number;
  title: string;
  role: Role;
  startsAt: Date;
  endsAt: Date;
  opensAt: Date;
  closesAt: Date;
  /** The family's name, or the practice's. */
  otherName: string;
};

/** `not-allowed`: not a video visit, or cancelled. `ended`: for the family, until the consultant is back in the room. */
type Closed = "not-allowed" | "too-early" | "too-late" | "ended";
export type CallVerdict =
  | { ok: true; call: Call }
  | { ok: false; reason: "not-found" }
  | { ok: false; reason: Closed; call: Call };

/**
 * The one door of a video visit: who may enter its room, and whether it is open now by the server's clock, from 10
 * minutes before the start until 30 minutes after the end (decisions §5.9). Another family's visit is as unknown as one
 * that never was.
 */
export async function callFor(person: Person, appointmentId: number | null): Promise<CallVerdict> {
  return verdictOn(person, appointmentId === null ? null : await visitOf(person, appointmentId));
}

/** What `verdictOn` needs to know of several visits, in one question. */
export async function readVisits(ids: number[]): Promise<Map<number, VideoVisit>> {
  const visits = ids.length > 0 ? await db.appointment.findMany({ where: { id: { in: ids } }, select: VISIT }) : [];
  return new Map(visits.map((visit) => [visit.id, visit]));
}

/** The same verdict over what was read before. */
export function verdictOn(person: Person, visit: VideoVisit | null | undefined): CallVerdict {
  if (!visit || !(person.isAdmin || visit.userId === person.id)) return { ok: false, reason: "not-found" };
  const call = callOf(person, visit);
  if (isRoomOpen(visit, now())) {
    return visit.callEndedAt && call.role === "client" ? { ok: false, reason: "ended", call } : { ok: true, call };
  }
  if (!visit.isLiveVideoCall || visit.status === "cancelled") return { ok: false, reason: "not-allowed", call };
  return { ok: false, reason: now() < call.opensAt ? "too-early" : "too-late", call };
}

function visitOf(person: Person, id: number) {
  return db.appointment.findFirst({ where: { id, ...ownedBy(person) }, select: VISIT });
}

function callOf(person: Person, { id, title, notes, userId, appointmentDate, duration, user }: VideoVisit): Call {
  const endsAt = endTime({ start: appointmentDate, duration });
  const names = { clientFirstName: user?.firstName, clientLastName: user?.lastName };
  const family = user ? fullName(user) : clientName({ title, notes, userId, ...names }).name;
  return {
    id,
    title,
    role: person.isAdmin ? "admin" : "client",
    startsAt: appointmentDate,
    endsAt,
    opensAt: new Date(appointmentDate.getTime() - ROOM_OPENS_MINUTES_BEFORE * MINUTE),
    closesAt: new Date(endsAt.getTime() + ROOM_CLOSES_MINUTES_AFTER * MINUTE),
    otherName: person.isAdmin ? family : env.practice.name,
  };
}
