// Proves when the other participant's video counts as frozen.
import { describe, expect, test } from "vitest";
import { RenderStallDetector, type FrameCounts } from "../../app/video/call/render-stall.client.ts";

/** Measurements every two seconds, one after the other; returns what is reported after each. */
function reportsAfter(measured: (FrameCounts | null)[]): boolean[] {
  const detector = new RenderStallDetector();
  return measured.map((counts, index) => detector.measure(counts, 1000 + index * 2000));
}

const frames = (decoded: number, shown: number): FrameCounts => ({ decoded, rendered: shown });

describe("a frozen video", () => {
  test("is reported after two measurements in which frames were decoded and none was shown", () => {
    expect(reportsAfter([frames(40, 39), frames(80, 39), frames(120, 39)])).toEqual([false, false, true]);
  });

  test("is not reported when frames are shown again in between", () => {
    expect(reportsAfter([frames(40, 39), frames(80, 39), frames(120, 70), frames(160, 70)])).not.toContain(true);
  });

  test("is not reported when hardly any frames arrive: the other camera is off, or the network is down", () => {
    expect(reportsAfter([frames(40, 39), frames(44, 39), frames(48, 39), frames(48, 39)])).not.toContain(true);
  });

  test("is not reported when measurements are missing because the video is not visible", () => {
    expect(reportsAfter([frames(40, 39), null, frames(120, 39), null, frames(200, 39)])).not.toContain(true);
  });

  test("is not reported for the first frames of a new connection, whose frame count restarts", () => {
    expect(reportsAfter([frames(900, 39), frames(20, 39), frames(60, 80)])).not.toContain(true);
  });

  test("is reported at most every 30 s, because each report interrupts the audio", () => {
    const measured = Array.from({ length: 40 }, (_, index) => frames(40 * index, 39));
    const reports = reportsAfter(measured).flatMap((isReported, index) => (isReported ? [index * 2] : []));
    expect(reports).toEqual([4, 34, 64]);
  });
});
