import { env } from "../../env.server.ts";
import type { Role } from "../signals.ts";
import type { BusMessage, LocatedSeat, Presence, RemoteSeat } from "./presence-types.server.ts";
import { PostgresqlPresence } from "./postgresql-presence.server.ts";

export type { BusMessage, Presence, RemoteSeat };

/**
 * Shares the occupancy of video rooms between the processes of one site, so that two people connected to different
 * processes meet in one room (docs/decisions/0011). Methods that return a promise reject when the database is
 * unavailable.
 */
export type PresenceStore = {
  /** Identifies this process to the other processes. */
  readonly processId: string;
  /** Sets the single listener for the messages of other processes. */
  subscribe(listener: (message: BusMessage) => void): void;
  /**
   * Records a presence, replaces the previous holder of its seat and notifies other processes. Returns the seats in the
   * room that other processes hold.
   */
  addPresence(presence: Presence): Promise<RemoteSeat[]>;
  /** Deletes a presence in the background; `other`, the opposite seat, is notified when another process holds it. */
  removePresence(presence: Presence, other: RemoteSeat | null): void;
  /** Sends a signal's text to a seat of another process, in the background and in order. */
  relay(appointmentId: number, from: RemoteSeat, to: RemoteSeat, text: string): void;
  /** Notifies every process with a socket in the room that the call has ended. */
  endCall(appointmentId: number): Promise<void>;
  /** Notifies every other process with a socket in any room that sessions of this person have ended. */
  broadcastSessionsEnded(userId: number): Promise<void>;
  /** Returns whether this presence still holds its seat. */
  isSeated(presenceId: string): Promise<boolean>;
  /** Returns whether a live process holds the role's seat in a room. */
  isSeatOccupied(appointmentId: number, role: Role): Promise<boolean>;
  /**
   * Returns the ids of the appointments in whose rooms, across all live processes, a family is present and the
   * consultant is not.
   */
  findWaitingCalls(): Promise<number[]>;
  /**
   * Renews this process's heartbeat, deletes the presences of dead processes and reads missed messages. Returns the
   * presences of this process that other processes have deleted, and the seats in its rooms that other processes hold.
   */
  refresh(): Promise<{ lost: Presence[]; remoteSeats: LocatedSeat[] }>;
  /** Sends queued messages, then deletes this process's presences. */
  stop(): Promise<void>;
};

/** Null on SQLite, where a single process holds every room. */
export const presenceStore: PresenceStore | null = env.databaseUrl.startsWith("file:")
  ? null
  : new PostgresqlPresence();
