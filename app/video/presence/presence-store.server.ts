import { env } from "../../env.server.ts";
import type { Role } from "../signaling-protocol.ts";
import type { BusMessage, RemoteParticipantInRoom, Presence, RemoteParticipant } from "./presence-types.server.ts";
import { PostgresqlPresenceStore } from "./postgresql-presence-store.server.ts";

export type { BusMessage, Presence, RemoteParticipant };

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
   * Records a presence, replaces the previous presence of the role in the call and notifies other processes. Returns
   * the participants in the room that other processes hold.
   */
  addPresence(presence: Presence): Promise<RemoteParticipant[]>;
  /**
   * Deletes a presence in the background; `other`, the other participant, is notified when another process holds its
   * socket.
   */
  removePresence(presence: Presence, other: RemoteParticipant | null): void;
  /** Sends a signal's text to a participant of another process, in the background and in order. */
  relay(appointmentId: number, from: RemoteParticipant, to: RemoteParticipant, text: string): void;
  /** Notifies every process with a socket in the room that the call has ended. */
  endCall(appointmentId: number): Promise<void>;
  /** Notifies every other process with a socket in any room that sessions of this person have ended. */
  broadcastSessionsEnded(userId: number): Promise<void>;
  /** Returns whether this presence is still in the call. */
  isInCall(presenceId: string): Promise<boolean>;
  /** Returns whether the role is in the call of a room, in any live process. */
  isRoleInCall(appointmentId: number, role: Role): Promise<boolean>;
  /**
   * Returns the ids of the appointments in whose rooms, across all live processes, a family is present and the
   * consultant is not.
   */
  findWaitingCalls(): Promise<number[]>;
  /**
   * Renews this process's heartbeat, deletes the presences of dead processes and reads missed messages. Returns the
   * presences of this process that other processes have deleted, and the participants in its rooms that other processes
   * hold.
   */
  refresh(): Promise<{ lost: Presence[]; remoteParticipants: RemoteParticipantInRoom[] }>;
  /** Sends queued messages, then deletes this process's presences. */
  stop(): Promise<void>;
};

/** Null on SQLite, where a single process holds every room. */
export const presenceStore: PresenceStore | null = env.databaseUrl.startsWith("file:")
  ? null
  : new PostgresqlPresenceStore();
