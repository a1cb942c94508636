import type { Line, Room } from "./line.server.ts";
import type { Role } from "./signals.ts";

// Hot reload makes this module again; the process keeps its rooms.
const kept = globalThis as { videoRooms?: Map<number, Room> };

export const rooms = (kept.videoRooms ??= new Map<number, Room>());

export function otherRole(role: Role): Role {
  return role === "client" ? "admin" : "client";
}

export function roomOf(id: number): Room {
  const known = rooms.get(id);
  if (known) return known;
  const seats = { client: null, admin: null };
  const room: Room = { id, seats, waiting: new Set(), turn: Promise.resolve(), changes: 0 };
  rooms.set(id, room);
  return room;
}

/** The sockets of this process in a room, waiting and seated. */
export function linesIn({ seats, waiting }: Room): Line[] {
  return [seats.client?.line, seats.admin?.line, ...waiting].filter((line) => line != null);
}

/** Does the work when all that was to be done in the room before is done. A room that is empty then is gone. */
export function inTurn(room: Room, work: () => Promise<void> | void): Promise<void> {
  const turn = room.turn.then(work);
  const leaveTidy = () => {
    if (room.turn === after && linesIn(room).length === 0) rooms.delete(room.id);
  };
  const after: Promise<void> = turn.then(leaveTidy, leaveTidy);
  room.turn = after;
  return turn;
}
