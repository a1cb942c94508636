import type { ConnectionQuality } from "./connection-quality.ts";

const PAUSE_AFTER_MS = 8000;
const RESUME_AFTER_MS = 15_000;
const MAX_PAUSE_MS = 120_000;

/**
 * `changedAtMs` is the time of the last change between poor and not poor, or of the last pause or resumption, in milliseconds
 * of any single clock; 0 if unknown.
 */
export type VideoPauseState = {
  quality: ConnectionQuality;
  changedAtMs: number;
  isVideoPaused: boolean;
  pauseCount: number;
};

export const INITIAL_PAUSE_STATE: VideoPauseState = {
  quality: "good",
  changedAtMs: 0,
  isVideoPaused: false,
  pauseCount: 0,
};

/**
 * Returns the next state. Audio has priority: video is paused after 8 s of poor quality and resumed after 15 s of
 * better quality. Each further pause doubles the time before video is resumed, up to two minutes.
 */
export function nextVideoPauseState(
  pauseState: VideoPauseState,
  quality: ConnectionQuality,
  now: number,
): VideoPauseState {
  const changedAtMs = (quality === "poor") === (pauseState.quality === "poor") ? pauseState.changedAtMs || now : now;
  const durationMs = now - changedAtMs;
  const next = { ...pauseState, quality, changedAtMs };
  if (!pauseState.isVideoPaused && quality === "poor" && durationMs >= PAUSE_AFTER_MS) {
    return { ...next, isVideoPaused: true, pauseCount: pauseState.pauseCount + 1, changedAtMs: now };
  }
  const pauseMs = Math.min(MAX_PAUSE_MS, RESUME_AFTER_MS * 2 ** (pauseState.pauseCount - 1));
  if (pauseState.isVideoPaused && quality !== "poor" && durationMs >= pauseMs)
    return { ...next, isVideoPaused: false, changedAtMs: now };
  return next;
}
