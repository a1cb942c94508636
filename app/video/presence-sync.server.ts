import { logError } from "../http/errors.server.ts";
import type { ParticipantSocket } from "./participant-socket.server.ts";
import {
  type BusMessage,
  type Presence,
  presenceStore,
  type RemoteParticipant,
} from "./presence/presence-store.server.ts";
import { closeRevokedSocketsOfPerson } from "./socket-access-check.server.ts";
import {
  closeLocalSocketsAsEnded,
  removeOtherProcessParticipant,
  closeAsReplaced,
  setOtherProcessParticipant,
} from "./room-operations.server.ts";
import { type Room, runRoomTask, getLocalSocketsInRoom, oppositeRole, rooms } from "./room-registry.server.ts";

const ROLES = ["client", "admin"] as const;

/** Subscribes to the messages of other processes and applies them to the rooms of this process. */
export function subscribeToProcessBus(): void {
  presenceStore?.subscribe((message) => {
    if (message.kind === "access-ended") {
      void closeRevokedSocketsOfPerson(message.userId).catch((error: unknown) => logError(error, "/ws"));
      return;
    }
    const room = rooms.get(message.appointmentId);
    if (room) void runRoomTask(room, () => applyRoomMessage(room, message));
  });
}

type RoomMessage = Exclude<BusMessage, { kind: "access-ended" }>;

async function applyRoomMessage(room: Room, message: RoomMessage): Promise<void> {
  switch (message.kind) {
    case "seat-taken": {
      // A tab connected to this process may have joined again while the message was in transit.
      const localParticipant = room.participants[message.seat.role];
      const isOutdated = localParticipant?.socket && (await presenceStore?.isInCall(localParticipant.id));
      return isOutdated ? undefined : setOtherProcessParticipant(room, message.seat);
    }
    case "left":
      return room.participants[message.role]?.id === message.id
        ? removeOtherProcessParticipant(room, message.role)
        : undefined;
    case "replaced": {
      const socket = findSocket(room, message.id);
      return socket && closeAsReplaced(socket, room.id);
    }
    case "relayed": {
      const socket = findSocket(room, message.to);
      const isFromOtherParticipant =
        socket?.participant && room.participants[oppositeRole(socket.participant.role)]?.id === message.from;
      return isFromOtherParticipant ? socket.sendRaw(message.text) : undefined;
    }
    case "ended":
      return closeLocalSocketsAsEnded(room);
  }
}

/**
 * Sends this process's heartbeat to the other processes and repairs differences: removes participants of dead
 * processes, and adds back presences of this process that other processes deleted while it was unresponsive.
 */
export async function syncPresenceAcrossProcesses(): Promise<void> {
  if (!presenceStore) return;
  const versions = new Map([...rooms.values()].map((room) => [room, room.version]));
  const { lost, remoteParticipants } = await presenceStore.refresh();
  for (const [room, version] of versions) {
    const participants = remoteParticipants.filter(({ appointmentId }) => appointmentId === room.id);
    const lostPresences = lost.filter(({ appointmentId }) => appointmentId === room.id);
    await runRoomTask(room, async () => {
      if (room.version === version) applyRemoteParticipants(room, participants);
      for (const presence of lostPresences) await restoreOrReplacePresence(room, presence, participants);
    });
  }
}

function applyRemoteParticipants(room: Room, remoteParticipants: RemoteParticipant[]): void {
  for (const role of ROLES) {
    const participant = remoteParticipants.find((each) => each.role === role);
    if (participant) setOtherProcessParticipant(room, participant);
    else removeOtherProcessParticipant(room, role);
  }
}

/**
 * Adds back a presence that other processes deleted, or closes its socket if the person has joined with another one
 * since.
 */
async function restoreOrReplacePresence(
  room: Room,
  presence: Presence,
  remoteParticipants: RemoteParticipant[],
): Promise<void> {
  const socket = findSocket(room, presence.id);
  if (!socket) return;
  if (presence.isInCall && remoteParticipants.some(({ role }) => role === presence.role))
    closeAsReplaced(socket, room.id);
  else await presenceStore?.addPresence(presence);
}

function findSocket(room: Room, id: string): ParticipantSocket | undefined {
  return getLocalSocketsInRoom(room).find(({ participant }) => participant?.id === id);
}
