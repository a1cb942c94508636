import { env } from "../../env.server.ts";
import type { Role } from "../signals.ts";
import type { BusMessage, LocatedSeat, Presence, RemoteSeat } from "./presence-types.server.ts";
import { PostgresqlPresence } from "./postgresql-presence.server.ts";

export type { BusMessage, Presence, RemoteSeat };

/**
 * Shares the occupancy of video rooms between the processes of one site, so that two people connected to different
 * processes meet in one room (docs/decisions/0011). Methods that return a promise reject when the database is away.
 */
export type PresenceStore = {
  /** Identifies this process to the others. */
  readonly processId: string;
  /** Sets the one listener for the messages of other processes. */
  subscribe(listener: (message: BusMessage) => void): void;
  /** Records a presence, replaces the previous holder of its seat and notifies other processes; returns their seats. */
  addPresence(presence: Presence): Promise<RemoteSeat[]>;
  /** Deletes a presence in the background; `other`, the opposite seat, is notified when another process holds it. */
  removePresence(presence: Presence, other: RemoteSeat | null): void;
  /** Sends a signal's text to a seat of another process, in the background and in order. */
  relay(appointmentId: number, from: RemoteSeat, to: RemoteSeat, text: string): void;
  /** Tells every process with somebody in the room that the call has ended. */
  endCall(appointmentId: number): Promise<void>;
  /** Tells every other process with somebody in a room that sessions of this person have ended. */
  broadcastSessionsEnded(userId: number): Promise<void>;
  /** Whether this presence still holds its seat. */
  isSeated(presenceId: string): Promise<boolean>;
  /** Whether a live process holds the role's seat in a room. */
  isSeatOccupied(appointmentId: number, role: Role): Promise<boolean>;
  /** The appointments in whose rooms a family is present and the consultant is not, at any live process. */
  findWaitingCalls(): Promise<number[]>;
  /**
   * Renews this process's heartbeat, deletes the presences of dead processes and reads missed messages. Returns the
   * presences of this process that others have deleted, and who sits in its rooms at other processes.
   */
  refresh(): Promise<{ lost: Presence[]; remoteSeats: LocatedSeat[] }>;
  /** Sends what is queued, then removes this process's presences. */
  stop(): Promise<void>;
};

/** Null on SQLite: one process holds every room. */
export const presenceStore: PresenceStore | null = env.databaseUrl.startsWith("file:")
  ? null
  : new PostgresqlPresence();
