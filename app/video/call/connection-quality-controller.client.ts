import type { RemoteVideo } from "./render-stall.client.ts";
import type { PeerConnection } from "./peer-connection.client.ts";
import { type ConnectionQuality, classifyQuality } from "./connection-quality.ts";
import { INITIAL_PAUSE_STATE, nextVideoPauseState } from "./video-pause-policy.ts";
import { WebRtcStatsReader } from "./webrtc-stats-reader.client.ts";

export type QualityReport = { quality: ConnectionQuality; isVideoPaused: boolean; isPictureFrozen: boolean };

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
  private readonly stats = new WebRtcStatsReader();
  private readonly timer: ReturnType<typeof setInterval>;
  private pauseState = INITIAL_PAUSE_STATE;

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
      this.pauseState = { ...this.pauseState, quality: "good", changedAtMs: 0 };
      return;
    }
    const { isVideoPaused: isPaused } = this.pauseState;
    const sample = this.stats.read(await this.peer.stats());
    const isPictureFrozen = this.remoteVideo.isRenderStalled(this.stats.framesDecoded);
    // While no video is being sent, the bandwidth estimate is meaningless.
    const isSending = this.isSendingVideo() && !isPaused;
    const quality = classifyQuality(isSending ? sample : { ...sample, bitsPerSecond: null });
    this.pauseState = nextVideoPauseState(this.pauseState, quality, performance.now());
    if (this.pauseState.isVideoPaused !== isPaused) await this.peer.setVideoPaused(this.pauseState.isVideoPaused);
    this.onReport({ quality, isVideoPaused: this.pauseState.isVideoPaused, isPictureFrozen });
  }
}
