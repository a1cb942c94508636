/** Numbers of frames since the connection was established: those decoded, and those that the page has shown. */
export type FrameCounts = { decoded: number; rendered: number };

/** Number of consecutive measurements without a shown frame after which the picture counts as frozen. */
const MAX_STALLED_MEASUREMENTS = 2;
/** Minimum number of newly decoded frames. Fewer may not have been drawn yet. */
const MIN_DECODED_FRAMES = 5;
/** Minimum time between reports, because replacing the connection interrupts the sound briefly. */
const MIN_REPORT_INTERVAL_MS = 30_000;

/**
 * Detects a frozen picture while frames still arrive: after an interruption Chromium may decode each frame and show
 * none of them until the connection is replaced.
 */
export class RenderStallDetector {
  private previous: FrameCounts | null = null;
  private stalledMeasurements = 0;
  private reportedAtMs = Number.NEGATIVE_INFINITY;

  /**
   * Returns whether the picture is frozen; true at most every 30 s. Must be called every 2 s, with null while no frame
   * would be visible. `nowMs` is the time of any monotonic clock.
   */
  measure(counts: FrameCounts | null, nowMs: number): boolean {
    const { previous } = this;
    this.previous = counts;
    const isStalled =
      previous !== null &&
      counts !== null &&
      counts.decoded - previous.decoded >= MIN_DECODED_FRAMES &&
      counts.rendered === previous.rendered;
    this.stalledMeasurements = isStalled ? this.stalledMeasurements + 1 : 0;
    if (this.stalledMeasurements < MAX_STALLED_MEASUREMENTS || nowMs - this.reportedAtMs < MIN_REPORT_INTERVAL_MS)
      return false;
    this.reportedAtMs = nowMs;
    return true;
  }
}

/** The other side's video in this page, across all connections of a call. */
export class RemoteVideo {
  /** The video element, set by the page. */
  readonly video: { current: HTMLVideoElement | null } = { current: null };
  private readonly detector = new RenderStallDetector();

  isRenderStalled(decodedFrames: number): boolean {
    const video = this.video.current;
    const isVisible = video && !video.paused && document.visibilityState === "visible";
    const rendered = isVisible ? video.getVideoPlaybackQuality().totalVideoFrames : null;
    return this.detector.measure(rendered === null ? null : { decoded: decodedFrames, rendered }, performance.now());
  }
}
