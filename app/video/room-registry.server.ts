import type { ParticipantSocket } from "./participant-socket.server.ts";
import type { RemoteParticipant } from "./presence/presence-store.server.ts";
import { SerialQueue } from "../serial-queue.ts";
import type { Role } from "./signaling-protocol.ts";

/** A person in a room. `socket` is null when another process holds the socket. */
export type Participant = RemoteParticipant & { socket: ParticipantSocket | null };

/** A room of a video visit. It exists while at least one socket of this process is in it. */
export type Room = {
  id: number;
  /** The people in the call, without those in the waiting room. */
  participants: Record<Role, Participant | null>;
  /** Sockets of this process in the waiting room. */
  waitingSockets: Set<ParticipantSocket>;
  /** Serializes joins and messages of other processes: see `runRoomTask`. */
  queue: SerialQueue;
  /** Incremented with each change of `participants`. */
  version: number;
};

// Keeps the rooms across hot reloads of this module.
const globalCache = globalThis as { videoRooms?: Map<number, Room> };

export const rooms = (globalCache.videoRooms ??= new Map<number, Room>());

export function oppositeRole(role: Role): Role {
  return role === "client" ? "admin" : "client";
}

export function getOrCreateRoom(id: number): Room {
  const existing = rooms.get(id);
  if (existing) return existing;
  const participants = { client: null, admin: null };
  const room: Room = { id, participants, waitingSockets: new Set(), queue: new SerialQueue(), version: 0 };
  rooms.set(id, room);
  return room;
}

/** Returns the sockets of this process in a room, both in the call and waiting. */
export function getLocalSocketsInRoom({ participants, waitingSockets }: Room): ParticipantSocket[] {
  return [participants.client?.socket, participants.admin?.socket, ...waitingSockets].filter(
    (socket) => socket != null,
  );
}

/** Runs a task after the room's earlier tasks, and then deletes the room if no socket and no task is left in it. */
export function runRoomTask(room: Room, task: () => Promise<void> | void): Promise<void> {
  const result = room.queue.run(task);
  const deleteIfEmpty = () => deleteRoomIfEmpty(room);
  result.then(deleteIfEmpty, deleteIfEmpty);
  return result;
}

/** Deletes a room if no socket and no task is left in it. */
export function deleteRoomIfEmpty(room: Room): void {
  if (room.queue.isIdle && getLocalSocketsInRoom(room).length === 0) rooms.delete(room.id);
}
