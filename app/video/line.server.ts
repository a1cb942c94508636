import type { Socket } from "node:net";
import { WebSocket } from "ws";
import type { Person } from "../accounts/person.ts";
import { Allowance, ALLOWANCES } from "./allowance.server.ts";
import { CLOSED, type Role, type ServerSignal, type Trouble, TROUBLES } from "./signals.ts";

/** Who sits in a seat: a socket of this process, or one of another, known by its id. */
export type Seat = {
  id: string;
  role: Role;
  page: string | null;
  line: Line | null;
  /** The process that holds its socket. */
  process: string;
};

/** A room lives while a socket of this process is in it. */
export type Room = {
  id: number;
  seats: Record<Role, Seat | null>;
  /** Pages of this process that wait, without a seat. */
  waiting: Set<Line>;
  /** What comes and goes is taken in turn; each waits for the one before. */
  turn: Promise<void>;
  /** Counts the changes of its seats. */
  changes: number;
};

/** Each bad frame is answered; the third is the last. */
const MOST_MISSTEPS = 3;
/** What a reader may leave unread before it is given up. */
const MOST_UNREAD_BYTES = 1024 * 1024;
const TEXT = { binary: false };

/** The sockets of this process. */
export const lines = new Set<Line>();

/** One socket of a signed-in person, and where it is in the house. */
export class Line extends WebSocket {
  declare person: Person;
  declare sid: string;
  /** What all sockets of its person may send together. */
  declare common: Allowance;
  /** The room in which it waits or sits. */
  room: Room | null = null;
  seat: Seat | null = null;
  /** Frames that ask the database are taken one after the other, and what comes behind them waits. */
  pending = 0;
  turn: Promise<void> | null = null;
  /** Since the last beat it has shown that it lives. */
  isAlive = true;
  /** It is being closed: what still comes in is not read. */
  isOver = false;
  readonly allowance = new Allowance(ALLOWANCES.line);
  private missteps = 0;

  /** Hands a text on as it came; those of one moment leave together. A reader that doesn't read is cut. */
  hand(text: Buffer | string): void {
    if (this.readyState !== WebSocket.OPEN) return;
    if (this.bufferedAmount > MOST_UNREAD_BYTES) return this.terminate();
    this.hold();
    this.send(text, TEXT);
  }

  /** Candidates come in bursts: one call of the system for all of them instead of one for each. */
  private hold(): void {
    const { _socket: socket } = this as unknown as { _socket: Socket };
    if (socket.writableCorked > 0) return;
    socket.cork();
    process.nextTick(release, socket);
  }

  say(signal: ServerSignal): void {
    this.hand(JSON.stringify(signal));
  }

  trouble(code: Trouble, appointmentId: number | null): void {
    const message = TROUBLES[code];
    this.say({ type: "error", appointmentId, code, message, payload: { code, message } });
  }

  /** Counts what should not have been sent, and says so; the third time is the last. */
  misstep(code: Trouble, appointmentId: number | null): void {
    this.trouble(code, appointmentId);
    this.missteps += 1;
    if (this.missteps >= MOST_MISSTEPS) this.end(CLOSED.policy, "Too many messages that could not be understood.");
  }

  refuse(code: Trouble, appointmentId: number | null, closeCode: number = CLOSED.policy): void {
    this.trouble(code, appointmentId);
    this.end(closeCode, TROUBLES[code]);
  }

  /** Closes; whoever does not answer the farewell is cut a second later. */
  end(code: number, reason: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.close(code, reason);
  }
}

function release(socket: Socket): void {
  socket.uncork();
}
