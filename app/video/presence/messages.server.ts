import type { Seat } from "../participant-socket.server.ts";
import type { Role } from "../signals.ts";

/** A seat as another process knows it. */
export type RemoteSeat = Omit<Seat, "socket">;

/** A page that waits or sits in a room, as its process writes it down for the others. */
export type Presence = { id: string; appointmentId: number; role: Role; page: string | null; isSeated: boolean };

/** What one process tells another about a room that both have people in. */
export type BusMessage =
  | { kind: "sat"; appointmentId: number; seat: RemoteSeat }
  | { kind: "left"; appointmentId: number; role: Role; id: string }
  | { kind: "replaced"; appointmentId: number; id: string }
  | { kind: "relayed"; appointmentId: number; from: string; to: string; text: string }
  | { kind: "ended"; appointmentId: number };
