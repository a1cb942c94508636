import type { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { registerSessionsEndedHandler } from "../accounts/close-session-connections.server.ts";
import type { Session } from "../accounts/sessions/session-store.server.ts";
import { logError } from "../http/errors.server.ts";
import { runInTurn } from "../http/fair-queue/fair-queue-middleware.server.ts";
import { rejectSocket } from "../http/reject-socket.server.ts";
import { SerialQueue } from "../serial-queue.ts";
import { TokenBucket, FRAME_RATE_LIMITS } from "./token-bucket.server.ts";
import { parseClientSignal } from "./client-signal-schema.server.ts";
import { presenceStore } from "./presence/presence-store.server.ts";
import { ParticipantSocket, openSockets } from "./participant-socket.server.ts";
import { subscribeToProcessBus } from "./presence-sync.server.ts";
import { disconnectSocket, endCall, joinRoom, leaveRoom, forwardSignal } from "./room-operations.server.ts";
import { closeRevokedSocketsOfPerson } from "./socket-access-check.server.ts";
import { CLOSE_CODES, type ClientSignal, MAX_FRAME_BYTES } from "./signaling-protocol.ts";
import { startSocketMaintenance } from "./socket-maintenance.server.ts";

/** Maximum number of fragments of a message. Browsers send far fewer; more indicate an attempt to exhaust memory. */
const MAX_FRAGMENTS = 64;
/** Maximum number of chunks in which an unfinished message arrives. Each takes about 190 bytes of memory besides its own. */
const MAX_BUFFERED_CHUNKS = 256;
const CLOSE_TIMEOUT_MS = 1_000;
/**
 * Maximum number of open sockets of a person, across all tabs and devices. One more closes a socket that is in no room,
 * or the oldest socket if all are in rooms.
 */
const MAX_SOCKETS_PER_PERSON = 10;
const JOIN_COST_BYTES = 16 * 1024;

/** The open sockets of each person and their shared rate limit, keyed by person id. */
const socketsByPerson = new Map<number, { sockets: Set<ParticipantSocket>; rateLimit: TokenBucket }>();

const MAX_SOCKETS = 5_000;
let isShuttingDown = false;
subscribeToProcessBus();
registerSessionsEndedHandler(async (userId) => {
  await closeRevokedSocketsOfPerson(userId);
  await presenceStore?.broadcastSessionsEnded(userId);
});

const webSocketServer = new WebSocketServer({
  noServer: true,
  WebSocket: ParticipantSocket,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAX_FRAME_BYTES,
  maxFragments: MAX_FRAGMENTS,
  maxBufferedChunks: MAX_BUFFERED_CHUNKS,
  closeTimeout: CLOSE_TIMEOUT_MS,
} as ConstructorParameters<typeof WebSocketServer<typeof ParticipantSocket>>[0]);

webSocketServer.on("wsClientError", (_error, socket) =>
  rejectSocket(socket, 400, "Invalid WebSocket handshake.", { "Sec-WebSocket-Version": "13, 8" }),
);

/** Completes an upgrade that `handleWebSocketUpgrade` has authorized, for the session's person. */
export function completeUpgrade(
  request: IncomingMessage,
  rawSocket: Duplex,
  head: Buffer,
  { sid, person }: Session,
  network: string,
): void {
  webSocketServer.handleUpgrade(request, rawSocket, head, (socket) => {
    socket.sid = sid;
    socket.network = network;
    socket.person = person;
    const events: EventEmitter = socket; // listeners get the socket as `this`, so all sockets share the same functions
    events.on("message", onMessage).on("ping", onPing).on("pong", onPing).on("close", onClose).on("error", onError);
    openSockets.add(socket);
    const personSockets = socketsByPerson.get(person.id) ?? {
      sockets: new Set(),
      rateLimit: new TokenBucket(FRAME_RATE_LIMITS.person),
    };
    socketsByPerson.set(person.id, personSockets);
    personSockets.sockets.add(socket);
    socket.personRateLimit = personSockets.rateLimit;
    startSocketMaintenance(evictIdleRateLimits);
    closeExcessSocket([...personSockets.sockets].filter(({ isClosing }) => !isClosing));
  });
}

/**
 * Closes one of a person's `openPersonSockets` sockets if there are too many. `openPersonSockets` must not include sockets that are already
 * closing; otherwise many simultaneous upgrades would all select the same one.
 */
function closeExcessSocket(openPersonSockets: ParticipantSocket[]): void {
  if (openPersonSockets.length <= MAX_SOCKETS_PER_PERSON) return;
  const excessSocket = openPersonSockets.find(({ room }) => !room) ?? openPersonSockets[0];
  excessSocket?.closeOnce(CLOSE_CODES.policy, "Too many tabs with this visit.");
}

function onMessage(this: ParticipantSocket, data: Buffer, isBinary: boolean): void {
  this.isAlive = true;
  if (this.isClosing || !consumeRateLimitOrClose(this, data.length)) return;
  const signal = isBinary ? null : parseClientSignal(data.toString());
  if (!signal) return this.countProtocolError("bad-frame", null);
  if (signal.type === "join-room" && !consumeRateLimitOrClose(this, JOIN_COST_BYTES)) return;
  if (isDatabaseSignal(signal) || this.queue?.isIdle === false) dispatchInOrder(this, signal, data);
  else void dispatchSignal(this, signal, data);
}

/** Runs a signal after the socket's earlier ones; one that uses the database in the turn of its person. */
function dispatchInOrder(socket: ParticipantSocket, signal: ClientSignal, data: Buffer): void {
  socket.queue ??= new SerialQueue();
  void socket.queue.run(async () => {
    const { person, sid, network } = socket;
    const dispatch = async () => {
      if (!socket.isClosing) await dispatchSignal(socket, signal, data);
    };
    try {
      if (socket.isClosing || !isDatabaseSignal(signal)) await dispatch();
      else await runInTurn({ network, requester: String(person.id), session: sid }, dispatch);
    } catch (error) {
      closeAfterError(socket, error);
    }
  });
}

function isDatabaseSignal({ type }: ClientSignal): boolean {
  return type === "join-room" || type === "end-call";
}

function dispatchSignal(socket: ParticipantSocket, signal: ClientSignal, data: Buffer): Promise<void> | void {
  switch (signal.type) {
    case "join-room":
      return joinRoom(socket, signal);
    case "end-call":
      return endCall(socket, signal.appointmentId);
    case "leave-room":
      return socket.room?.id === signal.appointmentId
        ? leaveRoom(socket)
        : socket.countProtocolError("not-joined", signal.appointmentId);
    default:
      return forwardSignal(socket, signal, data);
  }
}

/**
 * Deducts the cost from the rate limits of the socket and of its person. Closes the socket and returns false if one of
 * them is exhausted.
 */
function consumeRateLimitOrClose(socket: ParticipantSocket, bytes: number): boolean {
  const nowMs = performance.now();
  if (socket.rateLimit.take(bytes, nowMs) && socket.personRateLimit.take(bytes, nowMs)) return true;
  socket.closeWithError("too-fast", null);
  socket.pause(); // data in transit is not read
  setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
  return false;
}

/**
 * Deletes the rate limits of people without sockets. Runs with the heartbeat, so that reconnecting immediately does not
 * reset the limit.
 */
function evictIdleRateLimits(): void {
  for (const [id, personSockets] of socketsByPerson) if (personSockets.sockets.size === 0) socketsByPerson.delete(id);
}

/** Closes a socket after a server error, with a close code that makes the browser reconnect. */
function closeAfterError(socket: ParticipantSocket, error: unknown): void {
  logError(error, "/ws");
  socket.closeOnce(CLOSE_CODES.tryAgain, "Please try again in a moment.");
}

function onPing(this: ParticipantSocket): void {
  this.isAlive = true;
  if (!this.isClosing) consumeRateLimitOrClose(this, 0);
}

function onClose(this: ParticipantSocket): void {
  this.isClosing = true;
  openSockets.delete(this);
  const personSockets = socketsByPerson.get(this.person.id);
  personSockets?.sockets.delete(this);
  leaveRoom(this);
}

/** The ws library itself closes a socket that violates the WebSocket protocol, with the proper code. */
function onError(this: ParticipantSocket): void {
  this.isClosing = true;
}

/** Closes all sockets before a restart and refuses new ones. Resolves when all are closed, after at most 2 s. */
export async function shutDownSignaling(): Promise<void> {
  isShuttingDown = true;
  for (const socket of openSockets)
    disconnectSocket(socket, CLOSE_CODES.restarting, "The server is restarting. Please come back in a moment.");
  const deadline = performance.now() + 2 * CLOSE_TIMEOUT_MS;
  while (openSockets.size > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  for (const socket of openSockets) socket.terminate();
  await presenceStore?.stop();
}

/** Returns the number of open sockets in this process. */
export function countSockets(): number {
  return openSockets.size;
}

export function isAcceptingSockets(): boolean {
  return !isShuttingDown && openSockets.size < MAX_SOCKETS;
}
