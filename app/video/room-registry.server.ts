import type { ParticipantSocket, Room } from "./participant-socket.server.ts";
import type { Role } from "./signals.ts";

// Hot reload makes this module again; the process keeps its rooms.
const globalCache = globalThis as { videoRooms?: Map<number, Room> };

export const rooms = (globalCache.videoRooms ??= new Map<number, Room>());

export function otherRole(role: Role): Role {
  return role === "client" ? "admin" : "client";
}

export function getOrCreateRoom(id: number): Room {
  const existing = rooms.get(id);
  if (existing) return existing;
  const seats = { client: null, admin: null };
  const room: Room = { id, seats, waiting: new Set(), queue: Promise.resolve(), version: 0 };
  rooms.set(id, room);
  return room;
}

/** The sockets of this process in a room, waiting and seated. */
export function socketsIn({ seats, waiting }: Room): ParticipantSocket[] {
  return [seats.client?.socket, seats.admin?.socket, ...waiting].filter((socket) => socket != null);
}

/** Does the work when all that was to be done in the room before is done. A room that is empty then is gone. */
export function withRoomLock(room: Room, task: () => Promise<void> | void): Promise<void> {
  const result = room.queue.then(task);
  const deleteIfEmpty = () => {
    if (room.queue === after && socketsIn(room).length === 0) rooms.delete(room.id);
  };
  const after: Promise<void> = result.then(deleteIfEmpty, deleteIfEmpty);
  room.queue = after;
  return result;
}
