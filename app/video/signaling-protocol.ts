// The signaling protocol of video visits on /ws. Every frame is one JSON text `{ type, appointmentId, payload? }`,
// which the server validates with client-signal-schema.server.ts.

export const SOCKET_PATH = "/ws";
/** Maximum size of a frame. A larger frame closes the socket with code 1009. */
export const MAX_FRAME_BYTES = 64 * 1024;
export const MAX_CHAT_LENGTH = 2_000;

/**
 * A participant's role in the room: the family's or the consultant's. In perfect negotiation the client is the polite
 * side.
 */
export type Role = "client" | "admin";

/** WebSocket close codes. The close reason is a sentence that is shown to the person. */
export const CLOSE_CODES = {
  /** The server is shutting down. */
  goingAway: 1001,
  /** A refused join, the third protocol error, rate limit exceeded or access lost: the client must not reconnect. */
  policy: 1008,
  tooBig: 1009,
  /** The server restarts: the client reconnects, and media continues during the restart. */
  restarting: 1012,
  /** A temporary server error: the client reconnects. */
  tryAgain: 1013,
  /** The same person joined in another tab. */
  replaced: 4001,
  /** The consultant ended the call or the room has closed: the client goes to the dashboard. */
  ended: 4002,
} as const;

/** Messages of `error` signals, shown to the person. */
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

/** Identifies a loaded page in a tab: unchanged after a reconnect, different after a reload. */
type TabId = string | null;

/** If `waiting` is true, the page does not join the call and nobody is notified. `page` has at most 64 characters. */
type JoinPayload = { waiting?: boolean; page?: string };

/**
 * `inReplyTo` is the ICE username fragment of the answered offer, so that an answer to an earlier offer is not applied.
 */
export type AnswerPayload = RTCSessionDescriptionInit & { inReplyTo?: string };

/** A message: its text, or the object that has it. Other fields, and objects without a text, are relayed all the same. */
export type ChatPayload = string | { text?: string };

/** Returns the text that the other side reads; "" for a message without one. */
export function chatText(payload: ChatPayload): string {
  return typeof payload === "string" ? payload : (payload.text ?? "");
}

/** A signal from a browser. */
export type ClientSignal =
  /** `appointmentId` is null if the requested id can't be a room's id */
  | { type: "join-room"; appointmentId: number | null; payload?: JoinPayload }
  | { type: "offer"; appointmentId: number; payload: RTCSessionDescriptionInit }
  | { type: "answer"; appointmentId: number; payload: AnswerPayload }
  | { type: "ice-candidate"; appointmentId: number; payload?: RTCIceCandidateInit | null }
  | { type: "chat"; appointmentId: number; payload: ChatPayload }
  | { type: "leave-room"; appointmentId: number }
  /** from the consultant only; ends the call for both */
  | { type: "end-call"; appointmentId: number };

/** Signals that the server relays unchanged to the other participant. */
export type ForwardedSignal = Extract<ClientSignal, { type: "offer" | "answer" | "ice-candidate" | "chat" }>;

/**
 * Payload of `joined`: the person's own role and the roles of everyone present, including the person. Instants are ISO
 * 8601, UTC.
 */
export type JoinedPayload = {
  role: Role;
  present: Role[];
  waiting: boolean;
  /** the page of the other participant; null when there is none */
  otherPage: TabId;
  endsAt: string;
  closesAt: string;
};

/** A signal from the server. `joined` and `error` carry their fields twice, at the top level and in `payload`. */
export type ServerSignal =
  | ForwardedSignal
  | ({ type: "joined"; appointmentId: number; payload: JoinedPayload } & JoinedPayload)
  /** also sent when the same person rejoins, from another page or after a reconnect: compare `page` */
  | { type: "user-joined"; appointmentId: number; payload: { role: Role; page: TabId } }
  | { type: "user-left"; appointmentId: number; payload: { role: Role } }
  | { type: "call-ended"; appointmentId: number }
  | {
      type: "error";
      appointmentId: number | null;
      code: ErrorCode;
      message: string;
      payload: { code: ErrorCode; message: string };
    };
