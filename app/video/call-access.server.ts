import { MINUTE_MS } from "../time-units.ts";
import { type Person, fullName } from "../accounts/person.ts";
import { accessibleAppointmentsCondition } from "../booking/find-appointment.server.ts";
import { isRoomOpen, ROOM_CLOSES_MINUTES_AFTER, roomOpensAt } from "../booking/room-hours.ts";
import { resolveClientName } from "../booking/client-name.ts";
import { endTime } from "../booking/booking-rules.ts";
import { now } from "../clock.ts";
import { db } from "../db/database-client.server.ts";
import { env } from "../env.server.ts";
import type { Role } from "./signaling-protocol.ts";

const CALL_SELECT = {
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

/** Columns of an appointment that determine who may enter its room, and when. */
export type CallAppointment = NonNullable<Awaited<ReturnType<typeof findAccessibleCallAppointment>>>;

/** A video visit as seen by one of its two participants; instants are UTC. */
export type VideoVisit = {
  id: number;
  title: string;
  /** Null if the visit belongs to no account. */
  familyId: number | null;
  role: Role;
  startsAt: Date;
  endsAt: Date;
  opensAt: Date;
  closesAt: Date;
  /** The family's name for the consultant; the practice's name for the family. */
  otherParticipantName: string;
};

/**
 * `not-allowed`: the appointment is not a video visit, or it is canceled. `ended`: for the family only, after the
 * consultant has ended the call and until she rejoins the room.
 */
type RoomClosedReason = "not-allowed" | "too-early" | "too-late" | "ended";
export type CallAccess =
  | { ok: true; visit: VideoVisit }
  | { ok: false; reason: "not-found" }
  | { ok: false; reason: RoomClosedReason; visit: VideoVisit };

/**
 * Decides whether a person may enter the room of a video visit now: from 10 minutes before the start until 30 minutes
 * after the end, by the server's clock (docs/product.md, Upcoming and past). The reason is `not-found` both for another
 * family's visit and for one that does not exist.
 */
export async function loadAndEvaluateCallAccess(person: Person, appointmentId: number | null): Promise<CallAccess> {
  return evaluateCallAccess(
    person,
    appointmentId === null ? null : await findAccessibleCallAppointment(person, appointmentId),
  );
}

/** Returns the appointments for `evaluateCallAccess`, keyed by id, with one query. Unknown ids are left out. */
export async function loadCallAppointmentsById(ids: number[]): Promise<Map<number, CallAppointment>> {
  const appointments =
    ids.length > 0 ? await db.appointment.findMany({ where: { id: { in: ids } }, select: CALL_SELECT }) : [];
  return new Map(appointments.map((appointment) => [appointment.id, appointment]));
}

/** Makes the same decision as `loadAndEvaluateCallAccess` for an appointment that has already been read. */
export function evaluateCallAccess(person: Person, appointment: CallAppointment | null | undefined): CallAccess {
  if (!appointment || !(person.isAdmin || appointment.userId === person.id)) return { ok: false, reason: "not-found" };
  const visit = toVideoVisit(person, appointment);
  if (isRoomOpen(appointment, now())) {
    return appointment.callEndedAt && visit.role === "client"
      ? { ok: false, reason: "ended", visit }
      : { ok: true, visit };
  }
  if (!appointment.isLiveVideoCall || appointment.status === "cancelled")
    return { ok: false, reason: "not-allowed", visit };
  return { ok: false, reason: now() < visit.opensAt ? "too-early" : "too-late", visit };
}

function findAccessibleCallAppointment(person: Person, id: number) {
  return db.appointment.findFirst({ where: { id, ...accessibleAppointmentsCondition(person) }, select: CALL_SELECT });
}

function toVideoVisit(
  person: Person,
  { id, title, notes, userId, appointmentDate, duration, user }: CallAppointment,
): VideoVisit {
  const endsAt = endTime({ start: appointmentDate, duration });
  const names = { clientFirstName: user?.firstName, clientLastName: user?.lastName };
  const familyName = user ? fullName(user) : resolveClientName({ title, notes, userId, ...names }).name;
  return {
    id,
    title,
    familyId: userId,
    role: person.isAdmin ? "admin" : "client",
    startsAt: appointmentDate,
    endsAt,
    opensAt: roomOpensAt(appointmentDate),
    closesAt: new Date(endsAt.getTime() + ROOM_CLOSES_MINUTES_AFTER * MINUTE_MS),
    otherParticipantName: person.isAdmin ? familyName : env.practice.name,
  };
}
