import type { ConnectionSample } from "./connection-quality.ts";

type InboundStats = { packetsReceived?: number; packetsLost?: number; framesDecoded?: number };
type RemoteInboundStats = { fractionLost?: number; roundTripTime?: number };
type CandidatePairStats = {
  nominated?: boolean;
  state?: string;
  currentRoundTripTime?: number;
  availableOutgoingBitrate?: number;
};

/**
 * Converts successive WebRTC stats reports into samples: the higher packet loss of both directions, the round-trip time
 * and the available bit rate.
 */
export class WebRtcStatsReader {
  /** Number of decoded video frames of the other side in the report that was read last. */
  framesDecoded = 0;
  private totalReceived = 0;
  private totalLost = 0;

  /**
   * Reads a report. Packet loss is a fraction of the packets since the previous call; `bitsPerSecond` is null if
   * unknown.
   */
  read(report: RTCStatsReport): ConnectionSample {
    this.framesDecoded = 0;
    let received = 0;
    let lost = 0;
    let packetLoss = 0;
    let roundTripMs = 0;
    let bitsPerSecond: number | null = null;
    for (const stat of report.values() as IterableIterator<
      RTCStats & InboundStats & RemoteInboundStats & CandidatePairStats
    >) {
      if (stat.type === "inbound-rtp") {
        this.framesDecoded += stat.framesDecoded ?? 0;
        received += stat.packetsReceived ?? 0;
        lost += Math.max(0, stat.packetsLost ?? 0);
      }
      if (stat.type === "remote-inbound-rtp") packetLoss = Math.max(packetLoss, stat.fractionLost ?? 0);
      if (stat.type === "candidate-pair" && stat.nominated && stat.state === "succeeded") {
        roundTripMs = Math.max(roundTripMs, (stat.currentRoundTripTime ?? 0) * 1000);
        bitsPerSecond = stat.availableOutgoingBitrate ?? bitsPerSecond;
      }
    }
    const newlyLost = Math.max(0, lost - this.totalLost);
    const newlyReceived = Math.max(0, received - this.totalReceived);
    this.totalLost = lost;
    this.totalReceived = received;
    const inboundLoss = newlyLost + newlyReceived > 0 ? newlyLost / (newlyLost + newlyReceived) : 0;
    return { packetLoss: Math.max(packetLoss, inboundLoss), roundTripMs, bitsPerSecond };
  }
}
