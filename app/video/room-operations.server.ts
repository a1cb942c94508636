import { randomBytes } from "node:crypto";
import { findUsersBySessionIds } from "../accounts/sessions/session-store.server.ts";
import { recordRefusedAttempt } from "../audit/record-refusals.server.ts";
import { now } from "../clock.ts";
import { db } from "../db/database-client.server.ts";
import { logError } from "../http/errors.server.ts";
import { type CallAccess, loadAndEvaluateCallAccess } from "./call-access.server.ts";
import { presenceStore, type RemoteParticipant } from "./presence/presence-store.server.ts";
import type { ParticipantSocket } from "./participant-socket.server.ts";
import {
  deleteRoomIfEmpty,
  runRoomTask,
  getLocalSocketsInRoom,
  oppositeRole,
  getOrCreateRoom,
  type Room,
  type Participant,
} from "./room-registry.server.ts";
import {
  CLOSE_CODES,
  type ClientSignal,
  type ForwardedSignal,
  type Role,
  type ServerSignal,
  type ErrorCode,
  ERROR_MESSAGES,
} from "./signaling-protocol.ts";

type JoinRoom = Extract<ClientSignal, { type: "join-room" }>;

const PARTICIPANT_ID_BYTES = 12;
const SINGLE_PROCESS_ID = "local";

/**
 * Admits a socket to the waiting room or to the call if `loadAndEvaluateCallAccess` allows it; otherwise sends the error and closes
 * the socket. The previous socket of the participant, another tab of the same person, is notified and closed.
 */
export async function joinRoom(
  socket: ParticipantSocket,
  { appointmentId: requestedId, payload }: JoinRoom,
): Promise<void> {
  const [access, sessions] = await Promise.all([
    loadAndEvaluateCallAccess(socket.person, requestedId),
    findUsersBySessionIds([socket.sid]),
  ]);
  if (!sessions.has(socket.sid)) return closeAsSignedOut(socket);
  if (!access.ok) {
    if (access.reason === "not-found") await recordRefusedJoin(socket.person.id, requestedId);
    return socket.closeWithError(toCallAccessErrorCode(access), requestedId);
  }
  const { id: appointmentId, role, endsAt, closesAt } = access.visit;
  leaveRoom(socket);
  const room = getOrCreateRoom(appointmentId);
  await runRoomTask(room, async () => {
    if (socket.isClosing) return;
    const isWaiting = payload?.waiting === true;
    const id = randomBytes(PARTICIPANT_ID_BYTES).toString("base64url");
    const participant: Participant = {
      id,
      role,
      tabId: payload?.page ?? null,
      socket,
      processId: presenceStore?.processId ?? SINGLE_PROCESS_ID,
    };
    // When the consultant rejoins a room in which she ended the call, the room opens again.
    if (role === "admin" && !isWaiting) await updateCallEndedAt(appointmentId, null);
    if (role === "client") await recordFirstFamilyJoin(appointmentId);
    const remoteParticipants = await presenceStore?.addPresence({
      id,
      appointmentId,
      role,
      tabId: participant.tabId,
      isInCall: !isWaiting,
    });
    if (remoteParticipants) syncOtherProcessParticipant(room, oppositeRole(role), remoteParticipants);
    if (socket.isClosing)
      return presenceStore?.removePresence(
        toPresence(room, participant, isWaiting),
        room.participants[oppositeRole(role)],
      );
    const previousParticipant = room.participants[role];
    socket.room = room;
    socket.participant = participant;
    if (isWaiting) room.waitingSockets.add(socket);
    else setParticipant(room, participant);
    const otherParticipant = room.participants[oppositeRole(role)];
    const joinedPayload = {
      role,
      present: (["client", "admin"] as const).filter((each) => each === role || room.participants[each]),
      waiting: isWaiting,
      otherPage: otherParticipant?.tabId ?? null,
      endsAt: endsAt.toISOString(),
      closesAt: closesAt.toISOString(),
    };
    socket.sendSignal({ type: "joined", appointmentId, ...joinedPayload, payload: joinedPayload });
    if (isWaiting) return;
    if (previousParticipant?.socket) closeAsReplaced(previousParticipant.socket, appointmentId);
    notifyJoined(room, participant);
  });
}

/** Logs a failure to record the refusal instead of throwing, so that the refusal is always sent. */
async function recordRefusedJoin(personId: number, objectId: number | null): Promise<void> {
  const attempt = { action: "access-refused", objectType: "appointment", objectId } as const;
  await recordRefusedAttempt(personId, attempt).catch((error: unknown) => logError(error, "recording a refusal"));
}

/** Removes a socket from its room, and notifies the other side if the socket was in the call. */
export function leaveRoom(socket: ParticipantSocket): void {
  const { room, participant } = socket;
  if (!room || !participant) return;
  socket.room = null;
  socket.participant = null;
  const isWaiting = room.waitingSockets.delete(socket);
  const otherParticipant = room.participants[oppositeRole(participant.role)];
  if (room.participants[participant.role] === participant) removeParticipantAndNotify(room, participant.role);
  presenceStore?.removePresence(toPresence(room, participant, isWaiting), otherParticipant);
  deleteRoomIfEmpty(room);
}

/** Relays a frame unchanged to the other participant. Drops it if there is none. */
export function forwardSignal(
  socket: ParticipantSocket,
  { type: _, appointmentId }: ForwardedSignal,
  data: Buffer,
): void {
  const { room, participant } = socket;
  if (!room || !participant || room.id !== appointmentId || room.participants[participant.role] !== participant) {
    return socket.countProtocolError("not-joined", appointmentId);
  }
  const otherParticipant = room.participants[oppositeRole(participant.role)];
  if (otherParticipant?.socket) otherParticipant.socket.sendRaw(data);
  else if (otherParticipant) presenceStore?.relay(appointmentId, participant, otherParticipant, data.toString());
}

/**
 * Ends the call for both people; only the consultant may do this. The family can't rejoin until she has joined again.
 */
export async function endCall(socket: ParticipantSocket, appointmentId: number): Promise<void> {
  const { room, participant } = socket;
  if (!room || room.id !== appointmentId || !participant || room.participants[participant.role] !== participant) {
    return socket.countProtocolError("not-joined", appointmentId);
  }
  if (participant.role !== "admin") return socket.countProtocolError("not-allowed", appointmentId);
  await updateCallEndedAt(appointmentId, now());
  await presenceStore?.endCall(appointmentId);
  closeLocalSocketsAsEnded(room);
}

/** Notifies all sockets of this process in the room that the call has ended, and closes them. */
export function closeLocalSocketsAsEnded(room: Room): void {
  for (const socket of getLocalSocketsInRoom(room)) closeAsEnded(socket, room.id);
}

export function closeAsEnded(socket: ParticipantSocket, appointmentId: number): void {
  socket.sendSignal({ type: "call-ended", appointmentId });
  disconnectSocket(socket, CLOSE_CODES.ended, ERROR_MESSAGES.ended);
}

/** Closes a socket and removes its participant immediately, without waiting for the closing handshake. */
export function disconnectSocket(socket: ParticipantSocket, code: number, reason: string): void {
  socket.closeOnce(code, reason);
  leaveRoom(socket);
}

export function closeAsSignedOut(socket: ParticipantSocket): void {
  disconnectSocket(socket, CLOSE_CODES.policy, "You are signed out. Press Try again to sign in and come back.");
}

/** Sets a participant whose socket another process holds; the previous socket is notified and closed. */
export function setOtherProcessParticipant(room: Room, participant: RemoteParticipant): void {
  const previousParticipant = room.participants[participant.role];
  if (previousParticipant?.id === participant.id) return;
  const remoteParticipant = { ...participant, socket: null };
  setParticipant(room, remoteParticipant);
  if (previousParticipant?.socket) closeAsReplaced(previousParticipant.socket, room.id);
  notifyJoined(room, remoteParticipant);
}

/** Removes a participant unless this process holds its socket. */
export function removeOtherProcessParticipant(room: Room, role: Role): void {
  if (room.participants[role] && !room.participants[role].socket) removeParticipantAndNotify(room, role);
}

/** Notifies and closes a socket that another tab of the same person has replaced. */
export function closeAsReplaced(socket: ParticipantSocket, appointmentId: number): void {
  socket.closeWithError("replaced", appointmentId, CLOSE_CODES.replaced);
  leaveRoom(socket);
}

export function toCallAccessErrorCode(access: CallAccess & { ok: false }): ErrorCode {
  return access.reason === "not-found" ? "not-allowed" : access.reason;
}

function setParticipant(room: Room, participant: Participant): void {
  room.participants[participant.role] = participant;
  room.version += 1;
}

function removeParticipantAndNotify(room: Room, role: Role): void {
  room.participants[role] = null;
  room.version += 1;
  sendToLocalSocketsOfRole(room, oppositeRole(role), { type: "user-left", appointmentId: room.id, payload: { role } });
}

function notifyJoined(room: Room, { role, tabId }: Participant): void {
  const signal = { type: "user-joined", appointmentId: room.id, payload: { role, page: tabId } } as const;
  sendToLocalSocketsOfRole(room, oppositeRole(role), signal);
}

/** Sends a signal to the role's sockets of this process, both in the call and waiting. */
function sendToLocalSocketsOfRole(room: Room, role: Role, signal: ServerSignal): void {
  room.participants[role]?.socket?.sendSignal(signal);
  for (const socket of room.waitingSockets) if (socket.participant?.role === role) socket.sendSignal(signal);
}

/**
 * Updates a participant from the database: sets it if another process holds its socket, otherwise removes it unless
 * this process does.
 */
function syncOtherProcessParticipant(room: Room, role: Role, remoteParticipants: RemoteParticipant[]): void {
  const remoteParticipant = remoteParticipants.find(
    (participant) => participant.role === role && participant.processId !== presenceStore?.processId,
  );
  if (remoteParticipant) room.participants[role] = { ...remoteParticipant, socket: null };
  else if (!room.participants[role]?.socket) room.participants[role] = null;
}

function toPresence(room: Room, { id, role, tabId }: Participant, isWaiting: boolean) {
  return { id, appointmentId: room.id, role, tabId, isInCall: !isWaiting };
}

async function updateCallEndedAt(id: number, endedAt: Date | null): Promise<void> {
  const where = endedAt ? { id } : { id, callEndedAt: { not: null } };
  await db.appointment.updateMany({ where, data: { callEndedAt: endedAt } });
}

/**
 * Stores when the family first joined. Also set while the family is in the waiting room, because that counts as having
 * joined.
 */
async function recordFirstFamilyJoin(id: number): Promise<void> {
  await db.appointment.updateMany({ where: { id, familyJoinedAt: null }, data: { familyJoinedAt: now() } });
}
