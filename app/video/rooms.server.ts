import { randomBytes } from "node:crypto";
import { now } from "../clock.ts";
import { db } from "../db.server.ts";
import { type CallVerdict, callFor } from "./calls.server.ts";
import { exchange } from "./exchange.server.ts";
import type { Line, Room, Seat } from "./line.server.ts";
import type { Seated } from "./news.server.ts";
import { inTurn, linesIn, otherRole, roomOf } from "./seats.server.ts";
import {
  CLOSED,
  type ClientSignal,
  type RelayedSignal,
  type Role,
  type ServerSignal,
  type Trouble,
  TROUBLES,
} from "./signals.ts";

type JoinRoom = Extract<ClientSignal, { type: "join-room" }>;

const ID_BYTES = 12;
const HERE = "here";

/**
 * Lets a socket into a room, to wait or to sit down, when `callFor` says so; else it is told why and closed. Whoever
 * held the seat before, a second tab of the same person, is told and closed.
 */
export async function join(line: Line, { appointmentId: asked, payload }: JoinRoom): Promise<void> {
  const verdict = await callFor(line.person, asked);
  if (!verdict.ok) return line.refuse(troubleOf(verdict), asked);
  const { id: appointmentId, role, endsAt, closesAt } = verdict.call;
  leave(line);
  const room = roomOf(appointmentId);
  await inTurn(room, async () => {
    if (line.isOver) return;
    const waiting = payload?.waiting === true;
    const id = randomBytes(ID_BYTES).toString("base64url");
    const seat: Seat = { id, role, page: payload?.page ?? null, line, process: exchange?.process ?? HERE };
    // A room that she ended is open again once she is back in it.
    if (role === "admin" && !waiting) await setEnd(appointmentId, null);
    const seated = await exchange?.enter({ id, appointmentId, role, page: seat.page, isSeated: !waiting });
    if (seated) learn(room, otherRole(role), seated);
    if (line.isOver) return exchange?.leave(presenceOf(room, seat, waiting), room.seats[otherRole(role)]);
    const old = room.seats[role];
    line.room = room;
    line.seat = seat;
    if (waiting) room.waiting.add(line);
    else sitDown(room, seat);
    const other = room.seats[otherRole(role)];
    const facts = {
      role,
      present: (["client", "admin"] as const).filter((each) => each === role || room.seats[each]),
      waiting,
      otherPage: other?.page ?? null,
      endsAt: endsAt.toISOString(),
      closesAt: closesAt.toISOString(),
    };
    line.say({ type: "joined", appointmentId, ...facts, payload: facts });
    if (waiting) return;
    if (old?.line) replace(old.line, appointmentId);
    tellJoined(room, seat);
  });
}

/** Takes a socket out of its room; the other one is told when it sat there. */
export function leave(line: Line): void {
  const { room, seat } = line;
  if (!room || !seat) return;
  line.room = null;
  line.seat = null;
  const waiting = room.waiting.delete(line);
  const other = room.seats[otherRole(seat.role)];
  if (room.seats[seat.role] === seat) standUp(room, seat.role);
  exchange?.leave(presenceOf(room, seat, waiting), other);
  void inTurn(room, () => {});
}

/** Hands a frame on to the other seat, as it came. What comes before the other one is there is lost, as it must be. */
export function relay(line: Line, { type: _, appointmentId }: RelayedSignal, text: Buffer): void {
  const { room, seat } = line;
  if (!room || !seat || room.id !== appointmentId || room.seats[seat.role] !== seat) {
    return line.misstep("not-joined", appointmentId);
  }
  const other = room.seats[otherRole(seat.role)];
  if (other?.line) other.line.hand(text);
  else if (other) exchange?.relay(appointmentId, seat, other, text.toString());
}

/** The consultant ends the call for both; the family can't come back until she has joined again. */
export async function endCall(line: Line, appointmentId: number): Promise<void> {
  const { room, seat } = line;
  if (!room || room.id !== appointmentId || !seat || room.seats[seat.role] !== seat) {
    return line.misstep("not-joined", appointmentId);
  }
  if (seat.role !== "admin") return line.misstep("not-allowed", appointmentId);
  await setEnd(appointmentId, now());
  await exchange?.endCall(appointmentId);
  closeRoom(room);
}

/** The call is over for everybody in the room: both go on to their dashboards. */
export function closeRoom(room: Room): void {
  for (const line of linesIn(room)) dismissEnded(line, room.id);
}

export function dismissEnded(line: Line, appointmentId: number): void {
  line.say({ type: "call-ended", appointmentId });
  dismiss(line, CLOSED.ended, TROUBLES.ended);
}

/** Closes a socket, and its place in the room is free at once. */
export function dismiss(line: Line, code: number, reason: string): void {
  line.end(code, reason);
  leave(line);
}

/** Gives the seat to a socket that another process holds, in place of whoever sat there. */
export function seatElsewhere(room: Room, seat: Seated): void {
  const old = room.seats[seat.role];
  if (old?.id === seat.id) return;
  const there = { ...seat, line: null };
  sitDown(room, there);
  if (old?.line) replace(old.line, room.id);
  tellJoined(room, there);
}

/** Whoever sat there at another process is gone. */
export function leftElsewhere(room: Room, role: Role): void {
  if (room.seats[role] && !room.seats[role].line) standUp(room, role);
}

/** The same person took the seat in another tab; this one is told, and closed. */
export function replace(line: Line, appointmentId: number): void {
  line.refuse("replaced", appointmentId, CLOSED.replaced);
  leave(line);
}

export function troubleOf(verdict: CallVerdict & { ok: false }): Trouble {
  return verdict.reason === "not-found" ? "not-allowed" : verdict.reason;
}

function sitDown(room: Room, seat: Seat): void {
  room.seats[seat.role] = seat;
  room.changes += 1;
}

function standUp(room: Room, role: Role): void {
  room.seats[role] = null;
  room.changes += 1;
  tell(room, otherRole(role), { type: "user-left", appointmentId: room.id, payload: { role } });
}

function tellJoined(room: Room, { role, page }: Seat): void {
  const signal = { type: "user-joined", appointmentId: room.id, payload: { role, page } } as const;
  tell(room, otherRole(role), signal);
}

/** Says it to whoever sits there, and to those of the same side who wait. */
function tell(room: Room, role: Role, signal: ServerSignal): void {
  room.seats[role]?.line?.say(signal);
  for (const line of room.waiting) if (line.seat?.role === role) line.say(signal);
}

/** What the database says of the other seat holds, but for our own sockets. */
function learn(room: Room, role: Role, seated: Seated[]): void {
  const there = seated.find((seat) => seat.role === role && seat.process !== exchange?.process);
  if (there) room.seats[role] = { ...there, line: null };
  else if (!room.seats[role]?.line) room.seats[role] = null;
}

function presenceOf(room: Room, { id, role, page }: Seat, waiting: boolean) {
  return { id, appointmentId: room.id, role, page, isSeated: !waiting };
}

async function setEnd(id: number, time: Date | null): Promise<void> {
  const where = time ? { id } : { id, callEndedAt: { not: null } };
  await db.appointment.updateMany({ where, data: { callEndedAt: time } });
}
