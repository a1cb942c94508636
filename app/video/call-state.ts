import type { MediaState } from "./own-media.client.ts";
import type { Link, Presence } from "./peer.client.ts";
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
  servers: RTCIceServer[];
  /** The relay that a call may use once both sides are there. */
  relayUrls: string[];
};

export type Message = { id: number; isOwn: boolean; text: string; isLost: boolean };

/** `moved`: the same person sat down in another tab. `shut`: the server refused, with words. */
export type Stage = "waiting" | "room" | "moved" | "shut" | "ending" | "over";

export type CallState = {
  stage: Stage;
  /** Whether the server can be reached. */
  isOnline: boolean;
  isOtherPresent: boolean;
  media: MediaState;
  /** The line to the other side; null while there is none. */
  link: Link | null;
  /** The other side is there, and no way to it was found for longer than anyone should wait. */
  isStuck: boolean;
  quality: Quality;
  /** One's own picture rests, because the line is too weak for it. */
  isPaused: boolean;
  other: Presence | null;
  ownPicture: MediaStream | null;
  remote: MediaStream | null;
  messages: Message[];
  /** Since when both have been in the room, by this page's clock. */
  togetherSince: number | null;
  trouble: string;
};

export function startingState(media: MediaState): CallState {
  return {
    stage: "waiting",
    isOnline: false,
    isOtherPresent: false,
    media,
    link: null,
    isStuck: false,
    quality: "good",
    isPaused: false,
    other: null,
    ownPicture: null,
    remote: null,
    messages: [],
    togetherSince: null,
    trouble: "",
  };
}

export function withMessage(messages: Message[], message: Omit<Message, "id">): Message[] {
  return [...messages, { ...message, id: messages.length }];
}

/** What the other side is told of this one. */
export function presenceOf({ media, isPaused }: CallState): Presence {
  return { camera: media.camera === "on", microphone: media.microphone === "on", isPaused };
}

/** One line that says how the call stands. */
export function standingOf(state: CallState, otherName: string): string {
  const { isOnline, isOtherPresent, link, quality, isStuck, isPaused } = state;
  if (isStuck) return "Sound and picture can't get through.";
  if (link === "interrupted") return "The connection was lost. Reconnecting…";
  if (link === "connected" && isPaused) return "Weak connection: your picture rests, so the sound stays clear.";
  if (link === "connected") return `Connection: ${quality}.`;
  if (!isOnline) return "You are offline. Reconnecting…";
  return isOtherPresent ? `Connecting to ${otherName}…` : "You are in the room.";
}

/** Whether that line is one to act on. */
export function isTroubled({ isOnline, link, quality, isStuck, isPaused }: CallState): boolean {
  return isStuck || isPaused || link === "interrupted" || (link === "connected" ? quality === "poor" : !isOnline);
}
