import { expect, type Page } from "playwright/test";

declare global {
  interface Window {
    /** Every peer connection that this page has created. */
    peerConnections: RTCPeerConnection[];
    /** Every media track that this page has got from a device. */
    mediaTracks: MediaStreamTrack[];
  }
}

/** On a busy machine the connection measures as weak, and the video pauses for a while. */
const CALL_TIMEOUT_MS = 90_000;

type TrackOptions = { relayOnly?: boolean; cameras?: number };

/**
 * Records the peer connections and media tracks that a page creates. With `relayOnly` a connection may only use the
 * relay; `cameras` is how many the page finds.
 */
export async function trackPeerConnections(
  page: Page,
  { relayOnly = false, cameras = 2 }: TrackOptions = {},
): Promise<void> {
  await page.addInitScript((count) => {
    const list = navigator.mediaDevices.enumerateDevices.bind(navigator.mediaDevices);
    navigator.mediaDevices.enumerateDevices = async () => {
      const devices = (await list()).filter(({ label }) => label !== "fake_device_1");
      const visibleCameras = devices.filter(({ kind }) => kind === "videoinput").slice(0, count);
      return devices.filter((device) => device.kind !== "videoinput" || visibleCameras.includes(device));
    };
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    window.mediaTracks = [];
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const stream = await open(constraints);
      window.mediaTracks.push(...stream.getTracks());
      return stream;
    };
  }, cameras);
  await page.addInitScript((isRelayOnly) => {
    window.peerConnections = [];
    const Original = window.RTCPeerConnection;
    window.RTCPeerConnection = class extends Original {
      constructor(configuration?: RTCConfiguration) {
        super({ ...configuration, ...(isRelayOnly ? { iceTransportPolicy: "relay" as const } : {}) });
        window.peerConnections.push(this);
      }
    };
  }, relayOnly);
}

/** Opens a video visit and joins through its waiting room. */
export async function joinRoom(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole("button", { name: "Join Room" }).click();
  await expect(page.getByRole("group", { name: "Call controls" })).toBeVisible();
}

/** Expects that no page of a family leads back into a visit whose call was ended. */
export async function expectNoJoinLinks(page: Page, visitId: number): Promise<void> {
  for (const path of ["/dashboard", "/appointments", `/appointments/${visitId}/booked`]) {
    await page.goto(path);
    await expect(page.getByRole("main")).toContainText("Follow-up Consultation");
    await expect(page.getByRole("link", { name: /join|waiting room/i })).toHaveCount(0);
  }
}

/** Expects the other side's video, as decoded in this page, to show colors and to change within three frames. */
export async function expectMovingPicture(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(detectVideoMotion), { message: "a moving picture", timeout: CALL_TIMEOUT_MS })
    .toBe("moving");
}

/** Expects the audio energy received from the other side to grow. */
export async function expectSound(page: Page): Promise<void> {
  const before = await page.evaluate(totalAudioEnergy);
  await expect
    .poll(() => page.evaluate(totalAudioEnergy), { message: "a sound", timeout: CALL_TIMEOUT_MS })
    .toBeGreaterThan(before + 0.001);
}

/** Expects the status line to report a connection. */
export async function expectConnected(page: Page): Promise<void> {
  await expect(page.getByText(/^Connection: (good|fair|poor)\.$/)).toBeVisible({ timeout: CALL_TIMEOUT_MS });
}

/** Sends a chat message on one side and expects it on the other. */
export async function expectChat(from: Page, to: Page, text: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await from.getByLabel(/^Message to /).fill(text);
        await from.getByRole("button", { name: "Send message" }).click();
        return to.getByRole("log").textContent();
      },
      { message: "chat messages arrive", timeout: CALL_TIMEOUT_MS, intervals: [1000] },
    )
    .toContain(text);
}

/** The candidate types of the connection's selected pairs, such as host or relay. */
export function candidateTypes(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const report = (await window.peerConnections.at(-1)?.getStats()) ?? new Map();
    const pairs = [...report.values()].filter(
      ({ type, state, nominated }) => type === "candidate-pair" && nominated && state === "succeeded",
    );
    return pairs.map(({ localCandidateId }) => report.get(localCandidateId)?.candidateType as string);
  });
}

/** How many camera and microphone tracks of this page are live. */
export function countLiveTracks(page: Page): Promise<number> {
  return page.evaluate(() => window.mediaTracks.filter(({ readyState }) => readyState === "live").length);
}

async function totalAudioEnergy(): Promise<number> {
  const connection = window.peerConnections.findLast(({ connectionState }) => connectionState !== "closed");
  let energy = 0;
  for (const stat of ((await connection?.getStats()) ?? new Map()).values()) {
    if (stat.type === "inbound-rtp" && stat.kind === "audio") energy += stat.totalAudioEnergy ?? 0;
  }
  return energy;
}

async function detectVideoMotion(): Promise<string> {
  const video = document.querySelector<HTMLVideoElement>(".pane:not([data-own]) video");
  if (!video?.videoWidth) return "nothing";
  const canvas = new OffscreenCanvas(160, 90);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return "nothing to draw on";
  const captureFrame = () => {
    context.drawImage(video, 0, 0, 160, 90);
    return context.getImageData(0, 0, 160, 90).data;
  };
  const frames = (count: number) =>
    new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), 3000);
      let left = count;
      const next = () => {
        left -= 1;
        if (left > 0) return void video.requestVideoFrameCallback(next);
        clearTimeout(timer);
        resolve(true);
      };
      video.requestVideoFrameCallback(next);
    });
  if (!(await frames(1))) return "no frame";
  const first = captureFrame();
  if (!(await frames(3))) return "no further frame";
  const second = captureFrame();
  const isColored = (at: number) => (second[at] ?? 0) + (second[at + 1] ?? 0) + (second[at + 2] ?? 0) > 60;
  let coloredPixels = 0;
  let changed = 0;
  for (let at = 0; at < second.length; at += 4) {
    if (isColored(at)) coloredPixels += 1;
    if (Math.abs((first[at + 1] ?? 0) - (second[at + 1] ?? 0)) > 40) changed += 1;
  }
  if (coloredPixels < 160 * 90 * 0.5) return "black";
  return changed > 5 ? "moving" : "still";
}
