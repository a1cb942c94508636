import type { Role } from "../signaling-protocol.ts";

/** A participant as seen by other processes. */
export type RemoteParticipant = {
  id: string;
  role: Role;
  /** Identifies the browser tab; null when the tab sent no id. */
  tabId: string | null;
  /** The process that holds the participant's socket. */
  processId: string;
};

export type RemoteParticipantInRoom = RemoteParticipant & { appointmentId: number };

/** A page in the waiting room or in the call of a room: one row of `call_presences`. */
export type Presence = { id: string; appointmentId: number; role: Role; tabId: string | null; isInCall: boolean };

/** A message between two processes, about a room in which both have people or about ended sessions. */
export type BusMessage =
  | { kind: "seat-taken"; appointmentId: number; seat: RemoteParticipant }
  | { kind: "left"; appointmentId: number; role: Role; id: string }
  | { kind: "replaced"; appointmentId: number; id: string }
  | { kind: "relayed"; appointmentId: number; from: string; to: string; text: string }
  | { kind: "ended"; appointmentId: number }
  /** Sessions of this person have ended, so the person's sockets must be checked. */
  | { kind: "access-ended"; userId: number };
