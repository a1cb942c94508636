import { WebSocket } from "ws";
import type { Person } from "../accounts/person.ts";
import { Allowance } from "./allowance.server.ts";
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
/** Far above what a call needs (some forty candidates at once, then silence), far below what a flood is. */
const LINE_ALLOWANCE = { most: 300, perSecond: 60 };
const TEXT = { binary: false };

/** The sockets of this process. */
export const lines = new Set<Line>();

/** One socket of a signed-in person, and where it is in the house. */
export class Line extends WebSocket {
  declare person: Person;
  declare sid: string;
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
  readonly allowance = new Allowance(LINE_ALLOWANCE);
  private missteps = 0;

  /** Hands a text on as it came. A reader that doesn't read is cut. */
  hand(text: Buffer | string): void {
    if (this.bufferedAmount > MOST_UNREAD_BYTES) this.terminate();
    else if (this.readyState === WebSocket.OPEN) this.send(text, TEXT);
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
