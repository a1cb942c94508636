// Proves how a call rates its connection, pauses video, explains connection tests and chooses cameras.
import { describe, expect, test } from "vitest";
import { describeConnectionTest } from "../../app/video/call/connection-test-result.ts";
import { nextCameraId } from "../../app/video/call/camera-cycle.ts";
import { videoConstraints } from "../../app/video/call/media-constraints.ts";
import { type ConnectionQuality, classifyQuality } from "../../app/video/call/connection-quality.ts";
import { INITIAL_PAUSE_STATE, nextVideoPauseState } from "../../app/video/call/video-pause-policy.ts";

const CLEAR = { packetLoss: 0, roundTripMs: 40, bitsPerSecond: 2_000_000 };

/** Two-second measurements, one after the other; returns whether the video is paused after each. */
function videoPausesAfter(measured: ConnectionQuality[]): boolean[] {
  let policy = INITIAL_PAUSE_STATE;
  return measured.map((quality, at) => (policy = nextVideoPauseState(policy, quality, 1000 + at * 2000)).isVideoPaused);
}

describe("the quality of a connection", () => {
  test.each([
    ["no packets are lost", {}, "good"],
    ["5% of the packets are lost", { packetLoss: 0.05 }, "fair"],
    ["the round trip takes 500 ms", { roundTripMs: 500 }, "fair"],
    ["20% of the packets are lost", { packetLoss: 0.2 }, "poor"],
    ["the round trip takes 1 s", { roundTripMs: 1000 }, "poor"],
    ["the bandwidth is too low for video", { bitsPerSecond: 60_000 }, "poor"],
    ["the bandwidth is unknown", { bitsPerSecond: null }, "good"],
  ])("when %s", (_, change, expectedQuality) => {
    expect(classifyQuality({ ...CLEAR, ...change })).toBe(expectedQuality);
  });
});

describe("the video pauses on a poor connection", () => {
  test("but not when the quality is poor only briefly", () => {
    expect(videoPausesAfter(["good", "poor", "poor", "poor", "fair", "poor", "poor"])).not.toContain(true);
  });

  test("after 8 s of poor quality", () => {
    expect(videoPausesAfter(["good", "poor", "poor", "poor", "poor", "poor"])).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  test("and resumes after 15 s of good quality, the second time after 30 s", () => {
    const weak = Array.from<ConnectionQuality>({ length: 5 }).fill("poor");
    const calm = (seconds: number) => Array.from<ConnectionQuality>({ length: seconds / 2 }).fill("good");
    expect(videoPausesAfter([...weak, ...calm(14)]).at(-1)).toBe(true);
    expect(videoPausesAfter([...weak, ...calm(18)]).at(-1)).toBe(false);
    expect(videoPausesAfter([...weak, ...calm(18), ...weak, ...calm(28)]).at(-1)).toBe(true);
    expect(videoPausesAfter([...weak, ...calm(18), ...weak, ...calm(34)]).at(-1)).toBe(false);
  });
});

describe("a connection test", () => {
  test("reports success when either the direct or the relay connection works", () => {
    for (const way of [
      { direct: true, relay: false },
      { direct: false, relay: true },
    ]) {
      expect(describeConnectionTest({ server: true, ...way })).toMatchObject({ isReady: true });
    }
  });

  test("gives advice when no connection works, and when the server can't be reached", () => {
    expect(describeConnectionTest({ server: true, direct: false, relay: false }).advice).toMatch(/Try another network/);
    expect(describeConnectionTest({ server: false, direct: true, relay: true }).advice).toMatch(
      /Check that you are online/,
    );
  });
});

describe("cameras", () => {
  test("switching goes to the next camera, and from the last to the first", () => {
    const cameras = [{ id: "front" }, { id: "back" }];
    expect(nextCameraId(cameras, "front")).toBe("back");
    expect(nextCameraId(cameras, "back")).toBe("front");
    expect(nextCameraId([], "gone")).toBe("");
  });

  test("the front camera is requested by default, at 1280x720", () => {
    expect(videoConstraints({})).toMatchObject({ facingMode: "user", width: { ideal: 1280 }, height: { ideal: 720 } });
  });
});
