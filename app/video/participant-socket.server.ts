import type { Socket } from "node:net";
import { WebSocket } from "ws";
import type { Person } from "../accounts/person.ts";
import { TokenBucket, FRAME_RATE_LIMITS } from "./token-bucket.server.ts";
import type { SerialQueue } from "../serial-queue.ts";
import type { Room, Seat } from "./room-registry.server.ts";
import { CLOSE_CODES, type ServerSignal, type ErrorCode, ERROR_MESSAGES } from "./signals.ts";

/** Each protocol error is answered; the third closes the socket. */
const MAX_PROTOCOL_ERRORS = 3;
/** A client with more unread data than this is disconnected. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
const TEXT_FRAME = { binary: false };

/** All open sockets of this process. */
export const openSockets = new Set<ParticipantSocket>();

/** The WebSocket of a signed-in person, with its room, its seat and its rate limits. */
export class ParticipantSocket extends WebSocket {
  declare person: Person;
  declare sid: string;
  /** Shared by all sockets of the person. */
  declare personRateLimit: TokenBucket;
  /** The room in which it waits or has a seat. */
  room: Room | null = null;
  seat: Seat | null = null;
  /** Signals behind one that uses the database wait for it. Null until the first of those: most sockets idle. */
  queue: SerialQueue | null = null;
  /** Whether anything has arrived since the last ping. */
  isAlive = true;
  /** Incoming data is ignored once the socket is closing. */
  isClosing = false;
  readonly rateLimit = new TokenBucket(FRAME_RATE_LIMITS.socket);
  private protocolErrors = 0;

  /** Sends a text unchanged, batched with others of the same tick. Disconnects a client that does not read. */
  sendRaw(data: Buffer | string): void {
    if (this.readyState !== WebSocket.OPEN) return;
    if (this.bufferedAmount > MAX_BUFFERED_BYTES) return this.terminate();
    this.corkUntilNextTick();
    this.send(data, TEXT_FRAME);
  }

  /** ICE candidates come in bursts: one system call writes them all. */
  private corkUntilNextTick(): void {
    const { _socket: socket } = this as unknown as { _socket: Socket };
    if (socket.writableCorked > 0) return;
    socket.cork();
    process.nextTick(uncork, socket);
  }

  sendSignal(signal: ServerSignal): void {
    this.sendRaw(JSON.stringify(signal));
  }

  sendError(code: ErrorCode, appointmentId: number | null): void {
    const message = ERROR_MESSAGES[code];
    this.sendSignal({ type: "error", appointmentId, code, message, payload: { code, message } });
  }

  /** Answers a protocol error, and closes the socket at the third. */
  countProtocolError(code: ErrorCode, appointmentId: number | null): void {
    this.sendError(code, appointmentId);
    this.protocolErrors += 1;
    if (this.protocolErrors >= MAX_PROTOCOL_ERRORS)
      this.closeOnce(CLOSE_CODES.policy, "Too many messages that could not be understood.");
  }

  closeWithError(code: ErrorCode, appointmentId: number | null, closeCode: number = CLOSE_CODES.policy): void {
    this.sendError(code, appointmentId);
    this.closeOnce(closeCode, ERROR_MESSAGES[code]);
  }

  /** Starts the closing handshake; ws terminates the connection after `closeTimeout` (1 s) without an answer. */
  closeOnce(code: number, reason: string): void {
    if (this.isClosing) return;
    this.isClosing = true;
    this.close(code, reason);
  }
}

function uncork(socket: Socket): void {
  socket.uncork();
}
