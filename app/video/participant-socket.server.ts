import type { Socket } from "node:net";
import { WebSocket } from "ws";
import type { Person } from "../accounts/person.ts";
import { TokenBucket, BUDGETS } from "./token-bucket.server.ts";
import { CLOSE_CODES, type Role, type ServerSignal, type ErrorCode, ERROR_MESSAGES } from "./signals.ts";

/** Who sits in a seat: a socket of this process, or one of another, known by its id. */
export type Seat = {
  id: string;
  role: Role;
  page: string | null;
  socket: ParticipantSocket | null;
  /** The process that holds its socket. */
  process: string;
};

/** A room lives while a socket of this process is in it. */
export type Room = {
  id: number;
  seats: Record<Role, Seat | null>;
  /** Pages of this process that wait, without a seat. */
  waiting: Set<ParticipantSocket>;
  /** What comes and goes is taken in turn; each waits for the one before. */
  queue: Promise<void>;
  /** Counts the changes of its seats. */
  version: number;
};

/** Each bad frame is answered; the third is the last. */
const MAX_PROTOCOL_ERRORS = 3;
/** What a reader may leave unread before it is given up. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
const TEXT_FRAME = { binary: false };

/** The sockets of this process. */
export const participantSockets = new Set<ParticipantSocket>();

/** One socket of a signed-in person, and where it is in the house. */
export class ParticipantSocket extends WebSocket {
  declare person: Person;
  declare sid: string;
  /** What all sockets of its person may send together. */
  declare personBudget: TokenBucket;
  /** The room in which it waits or sits. */
  room: Room | null = null;
  seat: Seat | null = null;
  /** Frames that ask the database are taken one after the other, and what comes behind them waits. */
  pendingSignals = 0;
  queue: Promise<void> | null = null;
  /** Since the last beat it has shown that it lives. */
  isAlive = true;
  /** It is being closed: what still comes in is not read. */
  isClosing = false;
  readonly budget = new TokenBucket(BUDGETS.line);
  private protocolErrors = 0;

  /** Hands a text on as it came; those of one moment leave together. A reader that doesn't read is cut. */
  sendRaw(data: Buffer | string): void {
    if (this.readyState !== WebSocket.OPEN) return;
    if (this.bufferedAmount > MAX_BUFFERED_BYTES) return this.terminate();
    this.corkUntilNextTick();
    this.send(data, TEXT_FRAME);
  }

  /** Candidates come in bursts: one call of the system for all of them instead of one for each. */
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

  /** Counts what should not have been sent, and says so; the third time is the last. */
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

  /** Closes; whoever does not answer the farewell is cut a second later. */
  closeOnce(code: number, reason: string): void {
    if (this.isClosing) return;
    this.isClosing = true;
    this.close(code, reason);
  }
}

function uncork(socket: Socket): void {
  socket.uncork();
}
