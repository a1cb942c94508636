import type { MediaState } from "./local-media.client.ts";
import type { ConnectionState, MediaFlags } from "./peer.client.ts";
import type { Quality } from "./quality.ts";
import type { Role } from "./signals.ts";

/** What the page knows of the visit, as loaded; instants are ISO 8601, UTC. */
export type CallFacts = {
  id: number;
  title: string;
  role: Role;
  otherName: string;
  startsAt: string;
  endsAt: string;
  closesAt: string;
  /** The server's clock when the page was made: a device's own may be wrong. */
  now: string;
  iceServers: RTCIceServer[];
  /** The relay that a call may use once both sides are there. */
  relayUrls: string[];
};

export type ChatMessage = { id: number; isOwn: boolean; text: string; isLost: boolean };

/** `replaced`: the same person joined in another tab. `refused`: the server closed the socket; `errorText` says why. */
export type Stage = "waiting" | "room" | "replaced" | "refused" | "ending" | "ended";

export type CallState = {
  stage: Stage;
  /** Whether the server can be reached. */
  isOnline: boolean;
  isOtherPresent: boolean;
  media: MediaState;
  /** The line to the other side; null while there is none. */
  connectionState: ConnectionState | null;
  /** The other side is there, and no way to it was found for longer than anyone should wait. */
  isUnreachable: boolean;
  quality: Quality;
  /** One's own picture rests, because the line is too weak for it. */
  isVideoPaused: boolean;
  remoteFlags: MediaFlags | null;
  localStream: MediaStream | null;
  remoteStream: MediaStream | null;
  messages: ChatMessage[];
  /** Since when both have been in the room, by this page's clock. */
  connectedSince: number | null;
  errorText: string;
};

export function initialState(media: MediaState): CallState {
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

/** The state while there is no peer connection; `connectedSince` outlives it. */
export const WITHOUT_PEER = {
  connectionState: null,
  remoteStream: null,
  remoteFlags: null,
  isUnreachable: false,
  isVideoPaused: false,
} satisfies Partial<CallState>;

export function appendMessage(messages: ChatMessage[], message: Omit<ChatMessage, "id">): ChatMessage[] {
  return [...messages, { ...message, id: messages.length }];
}

/** What the other side is told of this one. */
export function localFlags({ media, isVideoPaused }: CallState): MediaFlags {
  return { camera: media.camera === "on", microphone: media.microphone === "on", isVideoPaused };
}

/** One line that says how the call stands. */
export function statusText(state: CallState, otherName: string): string {
  const { isOnline, isOtherPresent, connectionState, quality, isUnreachable, isVideoPaused } = state;
  if (isUnreachable) return "Sound and picture can't get through.";
  if (connectionState === "interrupted") return "The connection was lost. Reconnecting…";
  if (connectionState === "connected" && isVideoPaused)
    return "Weak connection: your picture rests, so the sound stays clear.";
  if (connectionState === "connected") return `Connection: ${quality}.`;
  if (!isOnline) return "You are offline. Reconnecting…";
  return isOtherPresent ? `Connecting to ${otherName}…` : "You are in the room.";
}

/** Whether that line is one to act on. */
export function needsAttention({
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
