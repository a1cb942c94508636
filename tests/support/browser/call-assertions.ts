import { expect, type Page } from "playwright/test";

declare global {
  interface Window {
    /** Every line this page has opened, as the page's own script made them. */
    lines: RTCPeerConnection[];
    /** Every track that a device has given this page. */
    tracks: MediaStreamTrack[];
  }
}

/** On a busy machine the connection measures as weak, and the video pauses for a while. */
const PATIENCE_MS = 90_000;

type TrackOptions = { relayOnly?: boolean; cameras?: number };

/**
 * Keeps an eye on the lines that a page opens, and on the devices it opens. With `relayOnly` a line may take no other way
 * than through the relay; `cameras` is how many the page finds.
 */
export async function trackPeerConnections(
  page: Page,
  { relayOnly = false, cameras = 2 }: TrackOptions = {},
): Promise<void> {
  await page.addInitScript((count) => {
    const list = navigator.mediaDevices.enumerateDevices.bind(navigator.mediaDevices);
    navigator.mediaDevices.enumerateDevices = async () => {
      const devices = (await list()).filter(({ label }) => label !== "fake_device_1");
      const seen = devices.filter(({ kind }) => kind === "videoinput").slice(0, count);
      return devices.filter((device) => device.kind !== "videoinput" || seen.includes(device));
    };
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    window.tracks = [];
    navigator.mediaDevices.getUserMedia = async (wish) => {
      const stream = await open(wish);
      window.tracks.push(...stream.getTracks());
      return stream;
    };
  }, cameras);
  await page.addInitScript((isRelayOnly) => {
    window.lines = [];
    const Original = window.RTCPeerConnection;
    window.RTCPeerConnection = class extends Original {
      constructor(configuration?: RTCConfiguration) {
        super({ ...configuration, ...(isRelayOnly ? { iceTransportPolicy: "relay" as const } : {}) });
        window.lines.push(this);
      }
    };
  }, relayOnly);
}

/** From the address to the waiting room to the room. */
export async function joinRoom(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole("button", { name: "Join Room" }).click();
  await expect(page.getByRole("group", { name: "Call controls" })).toBeVisible();
}

/** The other side's picture as decoded in this page: neither black nor still. Three new frames must have come. */
export async function expectMovingPicture(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(lookTwice), { message: "a moving picture", timeout: PATIENCE_MS })
    .toBe("moving");
}

/** The other side's sound as decoded in this page grows louder by what was played meanwhile. */
export async function expectSound(page: Page): Promise<void> {
  const before = await page.evaluate(soundHeard);
  await expect
    .poll(() => page.evaluate(soundHeard), { message: "a sound", timeout: PATIENCE_MS })
    .toBeGreaterThan(before + 0.001);
}

/** The status line says that the line stands. */
export async function expectConnected(page: Page): Promise<void> {
  await expect(page.getByText(/^Connection: (good|fair|poor)\.$/)).toBeVisible({ timeout: PATIENCE_MS });
}

/** Writes a line on one side and finds it on the other: both are seated, and the server carries. */
export async function expectChat(from: Page, to: Page, text: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await from.getByLabel(/^Message to /).fill(text);
        await from.getByRole("button", { name: "Send message" }).click();
        return to.getByRole("log").textContent();
      },
      { message: "the chat carries", timeout: PATIENCE_MS, intervals: [1000] },
    )
    .toContain(text);
}

/** Which ways the line's packets really take. */
export function candidateTypes(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const report = (await window.lines.at(-1)?.getStats()) ?? new Map();
    const pairs = [...report.values()].filter(
      ({ type, state, nominated }) => type === "candidate-pair" && nominated && state === "succeeded",
    );
    return pairs.map(({ localCandidateId }) => report.get(localCandidateId)?.candidateType as string);
  });
}

/** How many cameras and microphones are open in this page: their lights are on. */
export function countLiveTracks(page: Page): Promise<number> {
  return page.evaluate(() => window.tracks.filter(({ readyState }) => readyState === "live").length);
}

async function soundHeard(): Promise<number> {
  const line = window.lines.findLast(({ connectionState }) => connectionState !== "closed");
  let energy = 0;
  for (const stat of ((await line?.getStats()) ?? new Map()).values()) {
    if (stat.type === "inbound-rtp" && stat.kind === "audio") energy += stat.totalAudioEnergy ?? 0;
  }
  return energy;
}

async function lookTwice(): Promise<string> {
  const video = document.querySelector<HTMLVideoElement>(".pane:not([data-own]) video");
  if (!video?.videoWidth) return "nothing";
  const canvas = new OffscreenCanvas(160, 90);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return "nothing to draw on";
  const look = () => {
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
  const first = look();
  if (!(await frames(3))) return "no further frame";
  const second = look();
  const isColour = (at: number) => (second[at] ?? 0) + (second[at + 1] ?? 0) + (second[at + 2] ?? 0) > 60;
  let colourful = 0;
  let changed = 0;
  for (let at = 0; at < second.length; at += 4) {
    if (isColour(at)) colourful += 1;
    if (Math.abs((first[at + 1] ?? 0) - (second[at + 1] ?? 0)) > 40) changed += 1;
  }
  if (colourful < 160 * 90 * 0.5) return "black";
  return changed > 5 ? "moving" : "still";
}
