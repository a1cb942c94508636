import { touchSessionById } from "../accounts/session-store.server.ts";
import { findValidSessions } from "../accounts/session-store.server.ts";
import { logError } from "../http/errors.server.ts";
import { findCallAppointments, type CallAppointment, evaluateAccess } from "./call-access.server.ts";
import { type ParticipantSocket, participantSockets } from "./participant-socket.server.ts";
import { syncPresence } from "./presence-sync.server.ts";
import { closeAndLeave, closeEnded, leave, errorCodeFor } from "./rooms.server.ts";
import { otherRole } from "./room-registry.server.ts";
import { CLOSE_CODES } from "./signals.ts";

/** A right that ended closes the socket within 5 s, in whichever process it ended. */
const CHECK_INTERVAL_MS = 2_000;
/** A peer that vanished without a word is noticed after one to two beats, well within 40 s. */
const CHECKS_PER_PING = 6;
/** Other processes take this one for dead when they haven't seen it for 20 s. */
const CHECKS_PER_SYNC = 2;
/** An idle administrator is signed out after 15 minutes; a running call is noted much oftener. */
const CHECKS_PER_TOUCH = 30;
/** So long the sockets stay open while the database can't be asked whether they may. */
const MAX_UNCHECKED_MS = 30_000;

let timer: NodeJS.Timeout | undefined;
let isChecking = false;
let checkedAt = 0;
let checkCount = 0;

/** Looks after the sockets for as long as there are any; `alsoDo` is done each time. */
export function startHeartbeat(onCheck: () => void): void {
  if (timer) return;
  checkedAt = performance.now();
  timer = setInterval(() => {
    checkCount += 1;
    onCheck();
    if (participantSockets.size === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    if (checkCount % CHECKS_PER_PING === 0) pingAll();
    if (checkCount % CHECKS_PER_TOUCH === 0) void touchActiveSessions().catch(logSocketError);
    if (checkCount % CHECKS_PER_SYNC === 0) void syncPresence().catch(logSocketError);
    void revalidateSockets();
  }, CHECK_INTERVAL_MS).unref();
}

/** Cuts whoever has not answered since the last beat, and asks the others whether they live. */
export function pingAll(): void {
  for (const socket of participantSockets) {
    if (socket.isAlive) {
      socket.isAlive = false;
      socket.ping();
    } else socket.terminate();
  }
}

/** Asks once for all sockets whether their sign-in, right and visit still stand; those whose don't are closed. */
export async function revalidateSockets(): Promise<void> {
  if (isChecking) return;
  isChecking = true;
  const openSockets = [...participantSockets].filter(({ isClosing: isOver }) => !isOver);
  const sids = [...new Set(openSockets.map(({ sid }) => sid))];
  const roomIds = new Set(openSockets.flatMap(({ room }) => room?.id ?? []));
  try {
    const [validSessions, appointments] = await Promise.all([
      findValidSessions(sids),
      findCallAppointments([...roomIds]),
    ]);
    checkedAt = performance.now();
    for (const socket of openSockets) {
      const user = validSessions.get(socket.sid);
      if (!user)
        closeAndLeave(socket, CLOSE_CODES.policy, "You are signed out. Press Try again to sign in and come back.");
      else if (user.isAdmin !== socket.person.isAdmin)
        closeAndLeave(socket, CLOSE_CODES.policy, "Your access has changed.");
      else if (socket.room && roomIds.has(socket.room.id)) revalidateRoomAccess(socket, socket.room.id, appointments);
    }
  } catch (error) {
    logError(error, "/ws");
    if (performance.now() - checkedAt < MAX_UNCHECKED_MS) return;
    for (const socket of openSockets) closeAndLeave(socket, CLOSE_CODES.tryAgain, "Please try again in a moment.");
  } finally {
    isChecking = false;
  }
}

/** A running call is activity of the two people in it; waiting alone is none. */
export async function touchActiveSessions(): Promise<void> {
  const seated = [...participantSockets].filter(({ room, seat }) => room && seat && room.seats[seat.role] === seat);
  const inCall = seated.filter(({ room, seat }) => room && seat && room.seats[otherRole(seat.role)]);
  for (const sid of new Set(inCall.map((socket) => socket.sid))) await touchSessionById(sid);
}

function logSocketError(error: unknown): void {
  logError(error, "/ws");
}

function revalidateRoomAccess(socket: ParticipantSocket, id: number, appointments: Map<number, CallAppointment>): void {
  const access = evaluateAccess(socket.person, appointments.get(id));
  if (access.ok) return;
  if (access.reason === "too-late" || access.reason === "ended") return closeEnded(socket, id);
  socket.closeWithError(errorCodeFor(access), id);
  leave(socket);
}
