import { findUsersBySessionIds } from "../accounts/sessions/session-store.server.ts";
import { logError } from "../http/errors.server.ts";
import { loadCallAppointmentsById, type CallAppointment, evaluateCallAccess } from "./call-access.server.ts";
import { type ParticipantSocket, openSockets } from "./participant-socket.server.ts";
import {
  disconnectSocket,
  closeAsEnded,
  closeAsSignedOut,
  leaveRoom,
  toCallAccessErrorCode,
} from "./room-operations.server.ts";
import { CLOSE_CODES } from "./signaling-protocol.ts";

/** How long sockets stay open while the database is unavailable and their access can't be checked. */
const MAX_UNCHECKED_MS = 30_000;

let isChecking = false;
let lastCheckedAtMs = 0;

/** Restarts the measurement of how long the sockets have not been checked. */
export function resetUncheckedTime(): void {
  lastCheckedAtMs = performance.now();
}

/** Checks session, role and room access of all sockets in two queries, and closes those that lost any of them. */
export async function closeRevokedSockets(): Promise<void> {
  if (isChecking) return;
  isChecking = true;
  const sockets = socketsNotClosing();
  try {
    await revalidateOrCloseSockets(sockets);
    resetUncheckedTime();
  } catch (error) {
    logError(error, "/ws");
    if (performance.now() - lastCheckedAtMs < MAX_UNCHECKED_MS) return;
    for (const socket of sockets) disconnectSocket(socket, CLOSE_CODES.tryAgain, "Please try again in a moment.");
  } finally {
    isChecking = false;
  }
}

/** Checks the sockets of one person immediately, like `closeRevokedSockets`. Rejects when the database is unavailable. */
export async function closeRevokedSocketsOfPerson(userId: number): Promise<void> {
  const sockets = socketsNotClosing().filter(({ person }) => person.id === userId);
  if (sockets.length > 0) await revalidateOrCloseSockets(sockets);
}

function socketsNotClosing(): ParticipantSocket[] {
  return [...openSockets].filter(({ isClosing }) => !isClosing);
}

async function revalidateOrCloseSockets(sockets: ParticipantSocket[]): Promise<void> {
  const sids = [...new Set(sockets.map(({ sid }) => sid))];
  const roomIds = new Set(sockets.flatMap(({ room }) => room?.id ?? []));
  const [validSessions, appointments] = await Promise.all([
    findUsersBySessionIds(sids),
    loadCallAppointmentsById([...roomIds]),
  ]);
  for (const socket of sockets) {
    const user = validSessions.get(socket.sid);
    if (!user) closeAsSignedOut(socket);
    else if (user.isAdmin !== socket.person.isAdmin)
      disconnectSocket(socket, CLOSE_CODES.policy, "Your access has changed.");
    else if (socket.room && roomIds.has(socket.room.id))
      closeSocketIfRoomAccessLost(socket, socket.room.id, appointments);
  }
}

function closeSocketIfRoomAccessLost(
  socket: ParticipantSocket,
  id: number,
  appointments: Map<number, CallAppointment>,
): void {
  const access = evaluateCallAccess(socket.person, appointments.get(id));
  if (access.ok) return;
  if (access.reason === "too-late" || access.reason === "ended") return closeAsEnded(socket, id);
  socket.closeWithError(toCallAccessErrorCode(access), id);
  leaveRoom(socket);
}
