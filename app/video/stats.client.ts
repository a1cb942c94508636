import type { Measured } from "./quality.ts";

type Counted = { packetsReceived?: number; packetsLost?: number };
type Reported = { fractionLost?: number; roundTripTime?: number };
type Pair = { nominated?: boolean; state?: string; currentRoundTripTime?: number; availableOutgoingBitrate?: number };

/** Reads a line's figures again and again: both ways, what was lost since the last time, and how long a word takes. */
export class StatsReader {
  private received = 0;
  private lost = 0;

  read(report: RTCStatsReport): Measured {
    let received = 0;
    let lost = 0;
    let lostShare = 0;
    let roundTripMs = 0;
    let bitsPerSecond: number | null = null;
    for (const stat of report.values() as IterableIterator<RTCStats & Counted & Reported & Pair>) {
      if (stat.type === "inbound-rtp") {
        received += stat.packetsReceived ?? 0;
        lost += Math.max(0, stat.packetsLost ?? 0);
      }
      if (stat.type === "remote-inbound-rtp") lostShare = Math.max(lostShare, stat.fractionLost ?? 0);
      if (stat.type === "candidate-pair" && stat.nominated && stat.state === "succeeded") {
        roundTripMs = Math.max(roundTripMs, (stat.currentRoundTripTime ?? 0) * 1000);
        bitsPerSecond = stat.availableOutgoingBitrate ?? bitsPerSecond;
      }
    }
    const newlyLost = Math.max(0, lost - this.lost);
    const newlyReceived = Math.max(0, received - this.received);
    this.lost = lost;
    this.received = received;
    const inShare = newlyLost + newlyReceived > 0 ? newlyLost / (newlyLost + newlyReceived) : 0;
    return { lostShare: Math.max(lostShare, inShare), roundTripMs, bitsPerSecond };
  }
}
