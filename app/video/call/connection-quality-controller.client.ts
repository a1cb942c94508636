import type { RemoteVideo } from "./render-stall.client.ts";
import type { PeerConnection } from "./peer.client.ts";
import { nextVideoPauseState, INITIAL_PAUSE_STATE, type Quality, classifyQuality } from "./quality.ts";
import { StatsReader } from "./stats-reader.client.ts";

export type QualityReport = { quality: Quality; isVideoPaused: boolean; isPictureFrozen: boolean };

const MEASURE_INTERVAL_MS = 2000;

/**
 * Measures the peer connection every 2 s, pauses sending video while it is too weak for both audio and video, and
 * reports when the other side's picture has frozen.
 */
export class ConnectionQualityController {
  private readonly peer: PeerConnection;
  private readonly isSendingVideo: () => boolean;
  private readonly remoteVideo: RemoteVideo;
  private readonly onReport: (report: QualityReport) => void;
  private readonly stats = new StatsReader();
  private readonly timer: ReturnType<typeof setInterval>;
  private policy = INITIAL_PAUSE_STATE;

  constructor(
    peer: PeerConnection,
    isSendingVideo: () => boolean,
    remoteVideo: RemoteVideo,
    onReport: (report: QualityReport) => void,
  ) {
    this.peer = peer;
    this.isSendingVideo = isSendingVideo;
    this.remoteVideo = remoteVideo;
    this.onReport = onReport;
    this.timer = setInterval(() => void this.measure(), MEASURE_INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async measure() {
    if (this.peer.connectionState !== "connected") {
      // After a reconnect the browser takes a few seconds to estimate the bandwidth again.
      this.policy = { ...this.policy, quality: "good", since: 0 };
      return;
    }
    const { isVideoPaused: isPaused } = this.policy;
    const sample = this.stats.read(await this.peer.stats());
    const isPictureFrozen = this.remoteVideo.isRenderStalled(this.stats.framesDecoded);
    // While no video is being sent, the bandwidth estimate is meaningless.
    const isSending = this.isSendingVideo() && !isPaused;
    const quality = classifyQuality(isSending ? sample : { ...sample, bitsPerSecond: null });
    this.policy = nextVideoPauseState(this.policy, quality, performance.now());
    if (this.policy.isVideoPaused !== isPaused) await this.peer.setVideoPaused(this.policy.isVideoPaused);
    this.onReport({ quality, isVideoPaused: this.policy.isVideoPaused, isPictureFrozen });
  }
}
