// The words that the two browsers of a video visit and the server say to each other on /ws (decisions §4). Every frame
// is one JSON text `{ type, appointmentId, payload? }`. The schemas that check them stand in frames.server.ts.

export const SOCKET_PATH = "/ws";
/** A longer frame closes the socket with 1009. */
export const MAX_FRAME_BYTES = 64 * 1024;
export const MAX_CHAT_LENGTH = 2_000;

/** Which seat of the room: the family's or the consultant's. In *perfect negotiation* the client is the polite one. */
export type Role = "client" | "admin";

/** Why the socket was closed; the reason's text says more. */
export const CLOSE_CODES = {
  /** The process ends. */
  goingAway: 1001,
  /** A refused join, the third bad frame, too many frames, or the session or the right is gone: don't come back by itself. */
  policy: 1008,
  tooBig: 1009,
  /** The server starts anew: come back in a moment, media goes on meanwhile. */
  restarting: 1012,
  /** Nothing is wrong with the visitor; try again in a moment. */
  tryAgain: 1013,
  /** The same person sat down in another tab. */
  replaced: 4001,
  /** The consultant ended the call, or its time is over: to the dashboard. */
  ended: 4002,
} as const;

/** What `error` says, in words for the person. */
export const ERROR_MESSAGES = {
  "bad-frame": "That message could not be understood.",
  "not-joined": "You are not in this room.",
  "not-allowed": "There is no video visit here for you.",
  "too-early": "The room is not open yet. It opens 10 minutes before the start.",
  "too-late": "This visit is over, and its room is closed.",
  ended: "The visit has been ended.",
  replaced: "You joined this visit in another tab or on another device.",
  "too-fast": "Too many messages at once.",
} as const;
export type ErrorCode = keyof typeof ERROR_MESSAGES;

/** Says which page sits in a seat: the same one when it comes back on a new socket, another one after a reload. */
type PageId = string | null;

/** With `waiting` the page is only counted as waiting: no seat, nobody else hears of it. `page` names the page, 64 characters at most. */
type JoinPayload = { waiting?: boolean; page?: string };

/** What a browser may send. */
export type ClientSignal =
  /** Null: what was asked for is no room's number. */
  | { type: "join-room"; appointmentId: number | null; payload?: JoinPayload }
  | { type: "offer"; appointmentId: number; payload: RTCSessionDescriptionInit }
  | { type: "answer"; appointmentId: number; payload: RTCSessionDescriptionInit }
  | { type: "ice-candidate"; appointmentId: number; payload?: RTCIceCandidateInit | null }
  | { type: "chat"; appointmentId: number; payload: { text: string } }
  | { type: "leave-room"; appointmentId: number }
  /** The consultant's alone: it ends the call for both. */
  | { type: "end-call"; appointmentId: number };

/** What goes to the other seat as it came. */
export type RelayedSignal = Extract<ClientSignal, { type: "offer" | "answer" | "ice-candidate" | "chat" }>;

/** One's own role, and who is present, oneself included; instants are ISO 8601, UTC. */
export type JoinedPayload = {
  role: Role;
  present: Role[];
  waiting: boolean;
  /** the page in the other seat, when somebody sits there */
  otherPage: PageId;
  endsAt: string;
  closesAt: string;
};

/** What the server sends. `joined` and `error` carry their facts twice, at the top and under `payload`. */
export type ServerSignal =
  | RelayedSignal
  | ({ type: "joined"; appointmentId: number; payload: JoinedPayload } & JoinedPayload)
  /** Also when the same person sits down anew, in another tab or after a lost connection: `page` tells which. */
  | { type: "user-joined"; appointmentId: number; payload: { role: Role; page: PageId } }
  | { type: "user-left"; appointmentId: number; payload: { role: Role } }
  | { type: "call-ended"; appointmentId: number }
  | {
      type: "error";
      appointmentId: number | null;
      code: ErrorCode;
      message: string;
      payload: { code: ErrorCode; message: string };
    };
