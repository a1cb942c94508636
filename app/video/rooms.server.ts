import { randomBytes } from "node:crypto";
import { findUsersBySessionIds } from "../accounts/sessions/session-store.server.ts";
import { recordRefusedAttempt } from "../audit/refusals.server.ts";
import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";
import { logError } from "../http/errors.server.ts";
import { type CallAccess, authorizeCall } from "./call-access.server.ts";
import { presenceStore, type RemoteSeat } from "./presence/presence.server.ts";
import type { ParticipantSocket } from "./participant-socket.server.ts";
import {
  deleteRoomIfEmpty,
  runRoomTask,
  socketsIn,
  otherRole,
  getOrCreateRoom,
  type Room,
  type Seat,
} from "./room-registry.server.ts";
import {
  CLOSE_CODES,
  type ClientSignal,
  type ForwardedSignal,
  type Role,
  type ServerSignal,
  type ErrorCode,
  ERROR_MESSAGES,
} from "./signals.ts";

type JoinRoom = Extract<ClientSignal, { type: "join-room" }>;

const SEAT_ID_BYTES = 12;
const LOCAL_PROCESS_ID = "local";

/**
 * Admits a socket to the waiting room or to its seat if `authorizeCall` allows it; otherwise sends the error and closes
 * the socket. The previous holder of the seat, another tab of the same person, is notified and closed.
 */
export async function joinRoom(
  socket: ParticipantSocket,
  { appointmentId: requestedId, payload }: JoinRoom,
): Promise<void> {
  const [access, sessions] = await Promise.all([
    authorizeCall(socket.person, requestedId),
    findUsersBySessionIds([socket.sid]),
  ]);
  if (!sessions.has(socket.sid)) return closeAsSignedOut(socket);
  if (!access.ok) {
    if (access.reason === "not-found") await recordRefusedRoom(socket.person.id, requestedId);
    return socket.closeWithError(errorCodeFor(access), requestedId);
  }
  const { id: appointmentId, role, endsAt, closesAt } = access.call;
  leaveRoom(socket);
  const room = getOrCreateRoom(appointmentId);
  await runRoomTask(room, async () => {
    if (socket.isClosing) return;
    const waiting = payload?.waiting === true;
    const id = randomBytes(SEAT_ID_BYTES).toString("base64url");
    const seat: Seat = {
      id,
      role,
      tabId: payload?.page ?? null,
      socket,
      processId: presenceStore?.processId ?? LOCAL_PROCESS_ID,
    };
    // When the consultant rejoins a room in which she ended the call, the room opens again.
    if (role === "admin" && !waiting) await setCallEnded(appointmentId, null);
    if (role === "client") await setFamilyJoined(appointmentId);
    const remoteSeats = await presenceStore?.addPresence({
      id,
      appointmentId,
      role,
      tabId: seat.tabId,
      isSeated: !waiting,
    });
    if (remoteSeats) syncRemoteSeat(room, otherRole(role), remoteSeats);
    if (socket.isClosing)
      return presenceStore?.removePresence(toPresence(room, seat, waiting), room.seats[otherRole(role)]);
    const previousSeat = room.seats[role];
    socket.room = room;
    socket.seat = seat;
    if (waiting) room.waiting.add(socket);
    else occupySeat(room, seat);
    const other = room.seats[otherRole(role)];
    const joinedPayload = {
      role,
      present: (["client", "admin"] as const).filter((each) => each === role || room.seats[each]),
      waiting,
      otherPage: other?.tabId ?? null,
      endsAt: endsAt.toISOString(),
      closesAt: closesAt.toISOString(),
    };
    socket.sendSignal({ type: "joined", appointmentId, ...joinedPayload, payload: joinedPayload });
    if (waiting) return;
    if (previousSeat?.socket) closeAsReplaced(previousSeat.socket, appointmentId);
    notifyJoined(room, seat);
  });
}

/** Logs a failure to record the refusal instead of throwing, so that the refusal is always sent. */
async function recordRefusedRoom(personId: number, objectId: number | null): Promise<void> {
  const attempt = { action: "access-refused", objectType: "appointment", objectId } as const;
  await recordRefusedAttempt(personId, attempt).catch((error: unknown) => logError(error, "recording a refusal"));
}

/** Removes a socket from its room, and notifies the other side if the socket had a seat. */
export function leaveRoom(socket: ParticipantSocket): void {
  const { room, seat } = socket;
  if (!room || !seat) return;
  socket.room = null;
  socket.seat = null;
  const waiting = room.waiting.delete(socket);
  const other = room.seats[otherRole(seat.role)];
  if (room.seats[seat.role] === seat) vacateSeat(room, seat.role);
  presenceStore?.removePresence(toPresence(room, seat, waiting), other);
  deleteRoomIfEmpty(room);
}

/** Relays a frame unchanged to the other seat. Drops it if that seat is empty. */
export function forwardSignal(
  socket: ParticipantSocket,
  { type: _, appointmentId }: ForwardedSignal,
  data: Buffer,
): void {
  const { room, seat } = socket;
  if (!room || !seat || room.id !== appointmentId || room.seats[seat.role] !== seat) {
    return socket.countProtocolError("not-joined", appointmentId);
  }
  const other = room.seats[otherRole(seat.role)];
  if (other?.socket) other.socket.sendRaw(data);
  else if (other) presenceStore?.relay(appointmentId, seat, other, data.toString());
}

/**
 * Ends the call for both people; only the consultant may do this. The family can't rejoin until she has joined again.
 */
export async function endCall(socket: ParticipantSocket, appointmentId: number): Promise<void> {
  const { room, seat } = socket;
  if (!room || room.id !== appointmentId || !seat || room.seats[seat.role] !== seat) {
    return socket.countProtocolError("not-joined", appointmentId);
  }
  if (seat.role !== "admin") return socket.countProtocolError("not-allowed", appointmentId);
  await setCallEnded(appointmentId, now());
  await presenceStore?.endCall(appointmentId);
  closeLocalSocketsAsEnded(room);
}

/** Notifies all sockets of this process in the room that the call has ended, and closes them. */
export function closeLocalSocketsAsEnded(room: Room): void {
  for (const socket of socketsIn(room)) closeAsEnded(socket, room.id);
}

export function closeAsEnded(socket: ParticipantSocket, appointmentId: number): void {
  socket.sendSignal({ type: "call-ended", appointmentId });
  disconnectSocket(socket, CLOSE_CODES.ended, ERROR_MESSAGES.ended);
}

/** Closes a socket and vacates its seat immediately, without waiting for the closing handshake. */
export function disconnectSocket(socket: ParticipantSocket, code: number, reason: string): void {
  socket.closeOnce(code, reason);
  leaveRoom(socket);
}

export function closeAsSignedOut(socket: ParticipantSocket): void {
  disconnectSocket(socket, CLOSE_CODES.policy, "You are signed out. Press Try again to sign in and come back.");
}

/** Assigns a seat to a socket of another process; the previous holder is notified and closed. */
export function assignRemoteSeat(room: Room, seat: RemoteSeat): void {
  const previousSeat = room.seats[seat.role];
  if (previousSeat?.id === seat.id) return;
  const remoteSeat = { ...seat, socket: null };
  occupySeat(room, remoteSeat);
  if (previousSeat?.socket) closeAsReplaced(previousSeat.socket, room.id);
  notifyJoined(room, remoteSeat);
}

/** Vacates a seat unless a socket of this process holds it. */
export function removeRemoteSeat(room: Room, role: Role): void {
  if (room.seats[role] && !room.seats[role].socket) vacateSeat(room, role);
}

/** Notifies and closes a socket whose seat another tab of the same person has taken. */
export function closeAsReplaced(socket: ParticipantSocket, appointmentId: number): void {
  socket.closeWithError("replaced", appointmentId, CLOSE_CODES.replaced);
  leaveRoom(socket);
}

export function errorCodeFor(access: CallAccess & { ok: false }): ErrorCode {
  return access.reason === "not-found" ? "not-allowed" : access.reason;
}

function occupySeat(room: Room, seat: Seat): void {
  room.seats[seat.role] = seat;
  room.version += 1;
}

function vacateSeat(room: Room, role: Role): void {
  room.seats[role] = null;
  room.version += 1;
  notify(room, otherRole(role), { type: "user-left", appointmentId: room.id, payload: { role } });
}

function notifyJoined(room: Room, { role, tabId }: Seat): void {
  const signal = { type: "user-joined", appointmentId: room.id, payload: { role, page: tabId } } as const;
  notify(room, otherRole(role), signal);
}

/** Sends a signal to the role's sockets of this process, both seated and waiting. */
function notify(room: Room, role: Role, signal: ServerSignal): void {
  room.seats[role]?.socket?.sendSignal(signal);
  for (const socket of room.waiting) if (socket.seat?.role === role) socket.sendSignal(signal);
}

/**
 * Updates a seat from the database: sets it if another process holds it, otherwise empties it unless a socket of this
 * process holds it.
 */
function syncRemoteSeat(room: Room, role: Role, remoteSeats: RemoteSeat[]): void {
  const remoteSeat = remoteSeats.find((seat) => seat.role === role && seat.processId !== presenceStore?.processId);
  if (remoteSeat) room.seats[role] = { ...remoteSeat, socket: null };
  else if (!room.seats[role]?.socket) room.seats[role] = null;
}

function toPresence(room: Room, { id, role, tabId }: Seat, waiting: boolean) {
  return { id, appointmentId: room.id, role, tabId, isSeated: !waiting };
}

async function setCallEnded(id: number, endedAt: Date | null): Promise<void> {
  const where = endedAt ? { id } : { id, callEndedAt: { not: null } };
  await db.appointment.updateMany({ where, data: { callEndedAt: endedAt } });
}

/**
 * Stores when the family first joined. Also set while the family is in the waiting room, because that counts as having
 * joined.
 */
async function setFamilyJoined(id: number): Promise<void> {
  await db.appointment.updateMany({ where: { id, familyJoinedAt: null }, data: { familyJoinedAt: now() } });
}
