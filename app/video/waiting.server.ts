import type { Person } from "../accounts/person.ts";
import { readVisits, verdictOn } from "./calls.server.ts";
import { exchange } from "./exchange.server.ts";
import { linesIn, rooms } from "./seats.server.ts";

/** A family that is on the page of its visit while the consultant is not in the room; the start is UTC. */
export type WaitingFamily = { id: number; name: string; title: string; startsAt: Date };

/** For the consultant: who waits for her, the longest expected first. Nobody else is told. */
export async function waitingFamilies(person: Person): Promise<WaitingFamily[]> {
  if (!person.isAdmin) return [];
  const visits = await readVisits(exchange ? await exchange.waiting() : waitingHere());
  const open = [...visits.values()].flatMap((visit) => {
    const verdict = verdictOn(person, visit);
    return verdict.ok ? [verdict.call] : [];
  });
  return open
    .map(({ id, otherName, title, startsAt }) => ({ id, name: otherName, title, startsAt }))
    .sort((one, other) => one.startsAt.getTime() - other.startsAt.getTime());
}

/** Whether the consultant holds her seat in the room of this visit, at any process. */
export async function isConsultantInRoom(appointmentId: number): Promise<boolean> {
  return exchange ? exchange.isTaken(appointmentId, "admin") : Boolean(rooms.get(appointmentId)?.seats.admin);
}

function waitingHere(): number[] {
  const waiting = [...rooms.values()].filter(
    (room) => !room.seats.admin && linesIn(room).some(({ seat }) => seat?.role === "client"),
  );
  return waiting.map(({ id }) => id);
}
