import type { Socket } from "node:net";
import { WebSocket } from "ws";
import type { Person } from "../accounts/person.ts";
import { TokenBucket, FRAME_RATE_LIMITS } from "./token-bucket.server.ts";
import type { SerialQueue } from "../serial-queue.ts";
import type { Room, Participant } from "./room-registry.server.ts";
import { CLOSE_CODES, type ServerSignal, type ErrorCode, ERROR_MESSAGES } from "./signaling-protocol.ts";

/** Maximum number of protocol errors. Each one gets an error response; the third one closes the socket. */
const MAX_PROTOCOL_ERRORS = 3;
/** Maximum amount of sent data that a client has not read yet. Above it, the client is disconnected. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
const TEXT_FRAME = { binary: false };

/** All open sockets of this process. */
export const openSockets = new Set<ParticipantSocket>();

/** The WebSocket of a signed-in person, with its room, its participant and its rate limits. */
export class ParticipantSocket extends WebSocket {
  declare person: Person;
  declare sid: string;
  /** The widest network of its address. */
  declare network: string;
  /** Shared by all sockets of the person. */
  declare personRateLimit: TokenBucket;
  /** The room in which the socket waits or has joined the call. */
  room: Room | null = null;
  participant: Participant | null = null;
  /**
   * Serializes signals that use the database, and signals that arrive while one of them is running. Null until the
   * first signal that uses the database, because most sockets are idle.
   */
  queue: SerialQueue | null = null;
  /** Whether anything has arrived since the last ping. */
  isAlive = true;
  /** Incoming data is ignored once the socket is closing. */
  isClosing = false;
  readonly rateLimit = new TokenBucket(FRAME_RATE_LIMITS.socket);
  private protocolErrors = 0;

  /**
   * Sends text unchanged, batched with other writes of the same tick. Disconnects a client with too much unread data.
   */
  sendRaw(data: Buffer | string): void {
    if (this.readyState !== WebSocket.OPEN) return;
    if (this.bufferedAmount > MAX_BUFFERED_BYTES) return this.terminate();
    this.corkUntilNextTick();
    this.send(data, TEXT_FRAME);
  }

  /** Batches writes: ICE candidates come in bursts, and one system call then sends them all. */
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

  /** Sends an error response for a protocol error, and closes the socket at the third one. */
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

  /**
   * Starts the closing handshake. The ws library terminates the connection if there is no response within
   * `closeTimeout` (1 s).
   */
  closeOnce(code: number, reason: string): void {
    if (this.isClosing) return;
    this.isClosing = true;
    this.close(code, reason);
  }
}

function uncork(socket: Socket): void {
  socket.uncork();
}
