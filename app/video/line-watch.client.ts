import type { Peer } from "./peer.client.ts";
import { followQuality, PICTURE_ON, type Quality, qualityOf } from "./quality.ts";
import { StatsReader } from "./stats.client.ts";

type Judged = { quality: Quality; isPaused: boolean };

const MEASURE_MS = 2000;

/** Measures one line every 2 s; a line too weak for both keeps the sound and lets the picture rest. */
export class LineWatch {
  private readonly peer: Peer;
  private readonly hasPicture: () => boolean;
  private readonly tell: (judged: Judged) => void;
  private readonly stats = new StatsReader();
  private readonly timer: ReturnType<typeof setInterval>;
  private rule = PICTURE_ON;

  constructor(peer: Peer, hasPicture: () => boolean, tell: (judged: Judged) => void) {
    this.peer = peer;
    this.hasPicture = hasPicture;
    this.tell = tell;
    this.timer = setInterval(() => void this.measure(), MEASURE_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async measure() {
    if (this.peer.link !== "connected") {
      // What a line carries is found out anew each time it is mended; that takes a few seconds.
      this.rule = { ...this.rule, quality: "good", since: 0 };
      return;
    }
    const { isPaused } = this.rule;
    const measured = this.stats.read(await this.peer.stats());
    // With no picture on the way nobody tries how much the line could carry.
    const isSending = this.hasPicture() && !isPaused;
    const quality = qualityOf(isSending ? measured : { ...measured, bitsPerSecond: null });
    this.rule = followQuality(this.rule, quality, performance.now());
    if (this.rule.isPaused !== isPaused) await this.peer.pausePicture(this.rule.isPaused);
    this.tell({ quality, isPaused: this.rule.isPaused });
  }
}
