import { touchSessionById } from "../accounts/sessions/session-store.server.ts";
import { logError } from "../http/errors.server.ts";
import { startPeriodicJob } from "../periodic-job.ts";
import { openSockets } from "./participant-socket.server.ts";
import { syncPresenceAcrossProcesses } from "./presence-sync.server.ts";
import { resetUncheckedTime, closeRevokedSockets } from "./socket-access-check.server.ts";
import { oppositeRole } from "./room-registry.server.ts";

/** Interval of the access checks. Revoked access must close the socket within 5 s, whichever process revoked it. */
const CHECK_INTERVAL_MS = 2_000;
/** One ping every 12 s. A connection that is lost silently is detected after one or two pings, well within 40 s. */
const CHECKS_PER_PING = 6;
/** One sync every 4 s. Other processes consider this one dead after 20 s without a sync (presence/). */
const CHECKS_PER_SYNC = 2;
/** Once a minute. An idle administrator is signed out after 15 minutes, and a running call counts as activity. */
const CHECKS_PER_TOUCH = 30;

let heartbeat: { stop: () => Promise<void> } | null = null;
let checkCount = 0;

/** Starts the periodic checks, which stop when no socket is open. Each check calls `onCheck`. */
export function startSocketMaintenance(onCheck: () => void): void {
  if (heartbeat) return;
  resetUncheckedTime();
  const run = () => {
    checkCount += 1;
    onCheck();
    if (openSockets.size === 0) {
      stopSocketMaintenance();
      return;
    }
    if (checkCount % CHECKS_PER_PING === 0) terminateOrPingSockets();
    if (checkCount % CHECKS_PER_TOUCH === 0) void touchSessionsInCall().catch(logSocketError);
    if (checkCount % CHECKS_PER_SYNC === 0) void syncPresenceAcrossProcesses().catch(logSocketError);
    // Not awaited, so that pings continue while the database does not respond.
    void closeRevokedSockets();
  };
  const [intervalMs, delayMs] = [CHECK_INTERVAL_MS, CHECK_INTERVAL_MS];
  heartbeat = startPeriodicJob({ name: "/ws", intervalMs, delayMs, run }, logError);
}

/** Stops the periodic checks. */
export function stopSocketMaintenance(): void {
  void heartbeat?.stop();
  heartbeat = null;
}

/** Terminates sockets that have sent nothing since the last ping, and pings the others. */
export function terminateOrPingSockets(): void {
  for (const socket of openSockets) {
    if (socket.isAlive) {
      socket.isAlive = false;
      socket.ping();
    } else socket.terminate();
  }
}

/**
 * Counts a call with both people present as activity in their sessions (docs/product.md, Sessions). Waiting does not
 * count.
 */
export async function touchSessionsInCall(): Promise<void> {
  const joinedSockets = [...openSockets].filter(
    ({ room, participant }) => room && participant && room.participants[participant.role] === participant,
  );
  const callSockets = joinedSockets.filter(
    ({ room, participant }) => room && participant && room.participants[oppositeRole(participant.role)],
  );
  for (const sid of new Set(callSockets.map((socket) => socket.sid))) await touchSessionById(sid);
}

function logSocketError(error: unknown): void {
  logError(error, "/ws");
}
