import type { Peer } from "./peer.client.ts";
import { nextPolicy, INITIAL_POLICY, type Quality, classifyQuality } from "./quality.ts";
import { StatsReader } from "./connection-stats.client.ts";

type QualityReport = { quality: Quality; isVideoPaused: boolean };

const MEASURE_INTERVAL_MS = 2000;

/** Measures one line every 2 s; a line too weak for both keeps the sound and lets the picture rest. */
export class QualityMonitor {
  private readonly peer: Peer;
  private readonly isSendingVideo: () => boolean;
  private readonly onReport: (judged: QualityReport) => void;
  private readonly stats = new StatsReader();
  private readonly timer: ReturnType<typeof setInterval>;
  private policy = INITIAL_POLICY;

  constructor(peer: Peer, isSendingVideo: () => boolean, onReport: (judged: QualityReport) => void) {
    this.peer = peer;
    this.isSendingVideo = isSendingVideo;
    this.onReport = onReport;
    this.timer = setInterval(() => void this.measure(), MEASURE_INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async measure() {
    if (this.peer.connectionState !== "connected") {
      // What a line carries is found out anew each time it is mended; that takes a few seconds.
      this.policy = { ...this.policy, quality: "good", since: 0 };
      return;
    }
    const { isVideoPaused: isPaused } = this.policy;
    const sample = this.stats.read(await this.peer.stats());
    // With no picture on the way nobody tries how much the line could carry.
    const isSending = this.isSendingVideo() && !isPaused;
    const quality = classifyQuality(isSending ? sample : { ...sample, bitsPerSecond: null });
    this.policy = nextPolicy(this.policy, quality, performance.now());
    if (this.policy.isVideoPaused !== isPaused) await this.peer.setVideoPaused(this.policy.isVideoPaused);
    this.onReport({ quality, isVideoPaused: this.policy.isVideoPaused });
  }
}
