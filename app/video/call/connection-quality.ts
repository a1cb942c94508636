export type ConnectionQuality = "good" | "fair" | "poor";
/** `packetLoss` is a fraction from 0 to 1; `bitsPerSecond` is null if unknown. */
export type ConnectionSample = { packetLoss: number; roundTripMs: number; bitsPerSecond: number | null };

const POOR_LIMITS = { packetLoss: 0.12, roundTripMs: 900, bitsPerSecond: 100_000 };
const FAIR_LIMITS = { packetLoss: 0.04, roundTripMs: 400 };

export function classifyQuality({ packetLoss, roundTripMs, bitsPerSecond }: ConnectionSample): ConnectionQuality {
  const isLowBandwidth = bitsPerSecond !== null && bitsPerSecond < POOR_LIMITS.bitsPerSecond;
  if (packetLoss > POOR_LIMITS.packetLoss || roundTripMs > POOR_LIMITS.roundTripMs || isLowBandwidth) return "poor";
  return packetLoss > FAIR_LIMITS.packetLoss || roundTripMs > FAIR_LIMITS.roundTripMs ? "fair" : "good";
}
