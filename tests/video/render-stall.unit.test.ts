// Proves when the other side's picture counts as frozen.
import { describe, expect, test } from "vitest";
import { RenderStallDetector, type FrameCounts } from "../../app/video/call/render-stall.client.ts";

/** Measurements every two seconds, one after the other; returns what is reported after each. */
function reportsAfter(measured: (FrameCounts | null)[]): boolean[] {
  const detector = new RenderStallDetector();
  return measured.map((counts, index) => detector.measure(counts, 1000 + index * 2000));
}

const frames = (decoded: number, shown: number): FrameCounts => ({ decoded, shown });

describe("a picture that stands still", () => {
  test("is reported after two measurements in which frames were decoded and none was shown", () => {
    expect(reportsAfter([frames(40, 39), frames(80, 39), frames(120, 39)])).toEqual([false, false, true]);
  });

  test("is not reported when it moves again in between", () => {
    expect(reportsAfter([frames(40, 39), frames(80, 39), frames(120, 70), frames(160, 70)])).not.toContain(true);
  });

  test("is not reported when no frames arrive: the other side's camera is off, or the network is cut", () => {
    expect(reportsAfter([frames(40, 39), frames(44, 39), frames(48, 39), frames(48, 39)])).not.toContain(true);
  });

  test("is not reported while nobody would see it", () => {
    expect(reportsAfter([frames(40, 39), null, frames(120, 39), null, frames(200, 39)])).not.toContain(true);
  });

  test("is not reported for the first frames of a new connection, whose count begins anew", () => {
    expect(reportsAfter([frames(900, 39), frames(20, 39), frames(60, 80)])).not.toContain(true);
  });

  test("is reported every 30 s at most, because the sound stops for a moment each time", () => {
    const measured = Array.from({ length: 40 }, (_, index) => frames(40 * index, 39));
    const reports = reportsAfter(measured).flatMap((isReported, index) => (isReported ? [index * 2] : []));
    expect(reports).toEqual([4, 34, 64]);
  });
});
