/** How well the line carries, in words a person can act on, and when the picture gives way to the sound. */
export type Quality = "good" | "fair" | "poor";
export type Measured = { lostShare: number; roundTripMs: number; bitsPerSecond: number | null };

const POOR = { lostShare: 0.12, roundTripMs: 900, bitsPerSecond: 100_000 };
const FAIR = { lostShare: 0.04, roundTripMs: 400 };
const POOR_FOR_MS = 8000;
const GOOD_FOR_MS = 15_000;
const LONGEST_REST_MS = 120_000;

export function qualityOf({ lostShare, roundTripMs, bitsPerSecond }: Measured): Quality {
  const isThin = bitsPerSecond !== null && bitsPerSecond < POOR.bitsPerSecond;
  if (lostShare > POOR.lostShare || roundTripMs > POOR.roundTripMs || isThin) return "poor";
  return lostShare > FAIR.lostShare || roundTripMs > FAIR.roundTripMs ? "fair" : "good";
}

/** Since when the line has been as it is, and whether the picture rests; moments are milliseconds of one clock. */
export type PictureRule = { quality: Quality; since: number; isPaused: boolean; pauses: number };

export const PICTURE_ON: PictureRule = { quality: "good", since: 0, isPaused: false, pauses: 0 };

/** The sound comes first: after 8 s of a poor line the picture rests, and tries again after longer and longer calm. */
export function followQuality(rule: PictureRule, quality: Quality, now: number): PictureRule {
  const since = (quality === "poor") === (rule.quality === "poor") ? rule.since || now : now;
  const lasted = now - since;
  const next = { ...rule, quality, since };
  if (!rule.isPaused && quality === "poor" && lasted >= POOR_FOR_MS) {
    return { ...next, isPaused: true, pauses: rule.pauses + 1, since: now };
  }
  const rest = Math.min(LONGEST_REST_MS, GOOD_FOR_MS * 2 ** (rule.pauses - 1));
  if (rule.isPaused && quality !== "poor" && lasted >= rest) return { ...next, isPaused: false, since: now };
  return next;
}
