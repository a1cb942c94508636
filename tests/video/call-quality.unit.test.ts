// Proves the rules by which a call lowers and raises its picture quality.
import { describe, expect, test } from "vitest";
import { describeConnectionTest } from "../../app/video/call/connection-test-result.ts";
import { nextCameraId } from "../../app/video/call/camera-cycle.ts";
import { videoConstraints } from "../../app/video/call/media-constraints.ts";
import {
  nextVideoPauseState,
  INITIAL_PAUSE_STATE,
  type Quality,
  classifyQuality,
} from "../../app/video/call/quality.ts";

const CLEAR = { packetLoss: 0, roundTripMs: 40, bitsPerSecond: 2_000_000 };

/** Two-second measurements, one after the other; returns whether the video is paused after each. */
function videoPausesAfter(measured: Quality[]): boolean[] {
  let policy = INITIAL_PAUSE_STATE;
  return measured.map((quality, at) => (policy = nextVideoPauseState(policy, quality, 1000 + at * 2000)).isVideoPaused);
}

describe("the quality of a connection", () => {
  test.each([
    ["nothing is lost", {}, "good"],
    ["one word in twenty is lost", { packetLoss: 0.05 }, "fair"],
    ["a word takes half a second", { roundTripMs: 500 }, "fair"],
    ["one word in five is lost", { packetLoss: 0.2 }, "poor"],
    ["a word takes a second", { roundTripMs: 1000 }, "poor"],
    ["no picture fits through", { bitsPerSecond: 60_000 }, "poor"],
    ["nobody tries how much fits through", { bitsPerSecond: null }, "good"],
  ])("when %s", (_, change, words) => {
    expect(classifyQuality({ ...CLEAR, ...change })).toBe(words);
  });
});

describe("the video pauses so that the sound stays clear", () => {
  test("not for a moment of weakness", () => {
    expect(videoPausesAfter(["good", "poor", "poor", "poor", "fair", "poor", "poor"])).not.toContain(true);
  });

  test("after 8 s of it", () => {
    expect(videoPausesAfter(["good", "poor", "poor", "poor", "poor", "poor"])).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  test("and comes back after 15 s of calm, the next time after 30", () => {
    const weak = Array.from<Quality>({ length: 5 }).fill("poor");
    const calm = (seconds: number) => Array.from<Quality>({ length: seconds / 2 }).fill("good");
    expect(videoPausesAfter([...weak, ...calm(14)]).at(-1)).toBe(true);
    expect(videoPausesAfter([...weak, ...calm(18)]).at(-1)).toBe(false);
    expect(videoPausesAfter([...weak, ...calm(18), ...weak, ...calm(28)]).at(-1)).toBe(true);
    expect(videoPausesAfter([...weak, ...calm(18), ...weak, ...calm(34)]).at(-1)).toBe(false);
  });
});

describe("a connection test", () => {
  test("says that all is well when either way is open", () => {
    for (const way of [
      { direct: true, relay: false },
      { direct: false, relay: true },
    ]) {
      expect(describeConnectionTest({ server: true, ...way })).toMatchObject({ isFine: true });
    }
  });

  test("says what to do when there is none, and when even our server is out of reach", () => {
    expect(describeConnectionTest({ server: true, direct: false, relay: false }).advice).toMatch(/Try another network/);
    expect(describeConnectionTest({ server: false, direct: true, relay: true }).advice).toMatch(
      /Check that you are online/,
    );
  });
});

describe("cameras", () => {
  test("the next one follows the one in use, and the first the last", () => {
    const cameras = [{ id: "front" }, { id: "back" }];
    expect(nextCameraId(cameras, "front")).toBe("back");
    expect(nextCameraId(cameras, "back")).toBe("front");
    expect(nextCameraId([], "gone")).toBe("");
  });

  test("the person's side is asked for first, in 1280x720", () => {
    expect(videoConstraints({})).toMatchObject({ facingMode: "user", width: { ideal: 1280 }, height: { ideal: 720 } });
  });
});
