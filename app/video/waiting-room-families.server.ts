import type { Person } from "../accounts/person.ts";
import { loadCallAppointmentsById, evaluateCallAccess } from "./call-access.server.ts";
import { presenceStore } from "./presence/presence-store.server.ts";
import { getLocalSocketsInRoom, rooms } from "./room-registry.server.ts";

/** A family that has its visit's page open while the consultant is not in the room; `startsAt` is UTC. */
export type WaitingRoomFamily = { id: number; name: string; title: string; startsAt: Date };

/**
 * Returns the waiting families for the administrator, ordered by the start of their visits; empty for everyone else.
 */
export async function findFamiliesInWaitingRoom(person: Person): Promise<WaitingRoomFamily[]> {
  if (!person.isAdmin) return [];
  const appointments = await loadCallAppointmentsById(
    presenceStore ? await presenceStore.findWaitingCalls() : findLocalWaitingAppointmentIds(),
  );
  const openVisits = [...appointments.values()].flatMap((appointment) => {
    const access = evaluateCallAccess(person, appointment);
    return access.ok ? [access.visit] : [];
  });
  return openVisits
    .map(({ id, otherParticipantName, title, startsAt }) => ({ id, name: otherParticipantName, title, startsAt }))
    .sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
}

/** Returns whether the consultant is in the call of this visit, in any process. */
export async function isConsultantInCall(appointmentId: number): Promise<boolean> {
  return presenceStore
    ? presenceStore.isRoleInCall(appointmentId, "admin")
    : Boolean(rooms.get(appointmentId)?.participants.admin);
}

function findLocalWaitingAppointmentIds(): number[] {
  const waitingRooms = [...rooms.values()].filter(
    (room) =>
      !room.participants.admin && getLocalSocketsInRoom(room).some(({ participant }) => participant?.role === "client"),
  );
  return waitingRooms.map(({ id }) => id);
}
