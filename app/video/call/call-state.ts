import type { MediaState } from "./local-media.client.ts";
import type { ConnectionState, MediaFlags } from "./peer-connection.client.ts";
import type { ConnectionQuality } from "./connection-quality.ts";
import type { Role } from "../signaling-protocol.ts";
import type { VisitBriefing } from "../visit-briefing-types.ts";

/** The visit as loaded with the page; instants are ISO 8601, UTC. */
export type CallInfo = {
  id: number;
  title: string;
  role: Role;
  otherParticipantName: string;
  /** The family's phone number, for the consultant; otherwise null. */
  familyPhone: string | null;
  /** Summary of the family, for the consultant; otherwise null. */
  briefing: VisitBriefing | null;
  startsAt: string;
  endsAt: string;
  closesAt: string;
  /** Server time when the page was rendered, because a device's clock may be wrong. */
  serverTime: string;
  iceServers: RTCIceServer[];
  /** TURN servers without credentials, for the connection test. A call gets credentials once both sides are present. */
  relayUrls: string[];
};

export type ChatMessage = { id: number; isOwn: boolean; text: string; isUndelivered: boolean };

/** `replaced`: the same person joined in another tab. `refused`: the server closed the socket; `errorText` says why. */
export type Stage = "waiting" | "room" | "replaced" | "refused" | "ending" | "ended";

export type CallState = {
  stage: Stage;
  /** Whether the server can be reached. */
  isOnline: boolean;
  isOtherPresent: boolean;
  media: MediaState;
  /** The peer connection's state; null while there is none. */
  connectionState: ConnectionState | null;
  /** Whether the other side is present but no connection to it could be established for 10 s. */
  isUnreachable: boolean;
  quality: ConnectionQuality;
  /** Whether this side's outgoing video is paused because the connection is too weak. */
  isVideoPaused: boolean;
  remoteFlags: MediaFlags | null;
  localStream: MediaStream | null;
  remoteStream: MediaStream | null;
  messages: ChatMessage[];
  /** When both sides were first connected, in milliseconds since 1970 by this device's clock; null before that. */
  connectedSince: number | null;
  errorText: string;
};

export function createInitialCallState(media: MediaState): CallState {
  return {
    stage: "waiting",
    isOnline: false,
    isOtherPresent: false,
    media,
    connectionState: null,
    isUnreachable: false,
    quality: "good",
    isVideoPaused: false,
    remoteFlags: null,
    localStream: null,
    remoteStream: null,
    messages: [],
    connectedSince: null,
    errorText: "",
  };
}

/** State while there is no peer connection. `connectedSince` is kept, so it is not included. */
export const NO_PEER_CONNECTION_STATE = {
  connectionState: null,
  remoteStream: null,
  remoteFlags: null,
  isUnreachable: false,
  isVideoPaused: false,
} satisfies Partial<CallState>;

/** Returns the messages with `message` after them. One without a text is not shown. */
export function appendChatMessage(messages: ChatMessage[], message: Omit<ChatMessage, "id">): ChatMessage[] {
  return message.text === "" ? messages : [...messages, { ...message, id: messages.length }];
}

/** Returns the media flags that are sent to the other side. */
export function toLocalMediaFlags({ media, isVideoPaused }: CallState): MediaFlags {
  return { camera: media.camera === "on", microphone: media.microphone === "on", isVideoPaused };
}

/** Returns one sentence about the state of the connection. */
export function connectionStatusText(state: CallState, otherParticipantName: string): string {
  const { isOnline, isOtherPresent, connectionState, quality, isUnreachable, isVideoPaused } = state;
  if (isUnreachable) return "Sound and video can't get through.";
  if (connectionState === "interrupted") return "The connection was lost. Reconnecting…";
  if (connectionState === "connected" && isVideoPaused)
    return "Weak connection: your video is paused, so the sound stays clear.";
  if (connectionState === "connected") return `Connection: ${quality}.`;
  if (!isOnline) return "You are offline. Reconnecting…";
  return isOtherPresent ? `Connecting to ${otherParticipantName}…` : "You are in the room.";
}

/** Returns whether `connectionStatusText` reports a problem. */
export function hasConnectionProblem({
  isOnline,
  connectionState,
  quality,
  isUnreachable,
  isVideoPaused,
}: CallState): boolean {
  return (
    isUnreachable ||
    isVideoPaused ||
    connectionState === "interrupted" ||
    (connectionState === "connected" ? quality === "poor" : !isOnline)
  );
}
