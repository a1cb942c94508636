import type { Page } from "playwright";
import type { TestClient } from "../support/http-client.ts";
import { joinRoom, trackPeerConnections } from "../support/browser/video-call.ts";
import type { State } from "./capture.ts";
import { NOW, type ScreenshotSite } from "./screenshot-site.ts";
import type { SeedData } from "./seed-site.ts";
import { addSessionCookies } from "../support/browser/sign-in-as.ts";

const CALL_WIDTHS: State["widths"] = [375, 768, 812, 1280];
const DEVICES: State["permissions"] = ["camera", "microphone"];
/** How long the call has lasted when the screenshot is taken. */
const CALL_LENGTH_MS = 754_000;

/** The video visit of one family, on both sides, from the waiting room to its end. */
export async function videoCallStates(site: ScreenshotSite, seedData: SeedData): Promise<State[]> {
  const sides = { Family: seedData.maria, Consultant: await site.consultant() } as const;
  const path = `/video-call/${seedData.visits.now}`;
  const of =
    (role: keyof typeof sides) =>
    (name: string, more: Partial<State> = {}): State => ({
      role,
      name: `visit, ${name}`,
      path,
      person: sides[role],
      permissions: DEVICES,
      prepare: (page) => trackPeerConnections(page),
      widths: CALL_WIDTHS,
      ...more,
    });
  const [family, consultant] = [of("Family"), of("Consultant")];
  /** What is in the window: in a call nobody scrolls. */
  const inWindow = { window: "heading" } as const;
  const other = { Family: sides.Consultant, Consultant: sides.Family };
  const meeting = (role: keyof typeof sides, then?: (page: Page, other: Page) => Promise<void>) => async (page: Page) =>
    joinBoth(page, site.origin + path, other[role], then);
  return [
    family("ended by the consultant", { act: openEndedCall(site, seedData.visits.now) }),
    family("waiting room without a script", { isPlain: true, prepare: undefined, widths: undefined }),
    family("waiting room", { act: waitForOwnVideo }),
    family("waiting room, the consultant is there", { act: waitBesideConsultant(site.origin + path, other.Family) }),
    family("waiting room, camera refused", { permissions: [], act: waitForDeviceError }),
    family("waiting room, no camera", { prepare: withoutCamera, act: waitForDeviceError }),
    family("waiting room, network tested", { prepare: withoutRelay, act: testNetwork }),
    family("alone in the room", { ...inWindow, act: joinAlone }),
    family("both in the room", { ...inWindow, act: meeting("Family", exchangeMessages) }),
    family("both in the room, with the chat", { act: meeting("Family", exchangeMessages) }),
    family("both cameras off, both muted", { ...inWindow, act: meeting("Family", turnOffBothDevices) }),
    family("camera refused, in the room", { permissions: [], prepare: undefined, act: meeting("Family") }),
    family("weak connection", {
      ...inWindow,
      prepare: simulateWeakConnection,
      act: meeting("Family", waitForWeakConnection),
    }),
    family("reconnecting", { ...inWindow, act: meeting("Family", simulateDisconnect) }),
    family("nothing gets through", { prepare: withoutRelay, act: failToConnect(site.origin + path, other.Family) }),
    family("open in another tab", { act: openSecondTab(site.origin + path) }),
    family("signed out meanwhile", { act: closeAsSignedOut }),
    consultant("waiting room", { act: waitForFamily(site.origin + path, other.Consultant) }),
    consultant("alone in the room", { ...inWindow, act: joinAlone }),
    consultant("both in the room", { ...inWindow, act: meeting("Consultant", exchangeMessages) }),
    consultant("both in the room, with the intake form", { act: meeting("Consultant", openIntakeForm) }),
    consultant("the family's camera is off", { ...inWindow, act: meeting("Consultant", turnOffOtherDevices) }),
    consultant("reconnecting", { ...inWindow, act: meeting("Consultant", simulateDisconnect) }),
    consultant("nothing gets through", {
      prepare: withoutRelay,
      act: failToConnect(site.origin + path, other.Consultant),
    }),
  ];
}

/** A browser of the other side, as long as this page is open. */
async function openOther(page: Page, person: TestClient): Promise<Page> {
  const browser = page.context().browser();
  if (!browser) throw new Error("The page has no browser.");
  const context = await browser.newContext({ permissions: DEVICES, reducedMotion: "reduce" });
  page.once("close", () => void context.close().catch(() => undefined));
  await addSessionCookies(context, person, person);
  const other = await context.newPage();
  await trackPeerConnections(other);
  return other;
}

async function joinAlone(page: Page) {
  await waitForOwnVideo(page);
  await page.getByRole("button", { name: "Join Room" }).click();
  await page.getByRole("group", { name: "Call controls" }).waitFor();
}

async function waitForOwnVideo(page: Page) {
  await page.waitForFunction(() => (document.querySelector("video")?.videoWidth ?? 0) > 0);
}

async function joinBoth(
  page: Page,
  url: string,
  person: TestClient,
  then?: (page: Page, other: Page) => Promise<void>,
) {
  const other = await openOther(page, person);
  await joinRoom(other, url);
  await page.getByRole("button", { name: "Join Room" }).click();
  await page.getByText(/^(Connection: |Weak )/).waitFor();
  await page.waitForFunction(
    () => (document.querySelector<HTMLVideoElement>(".pane:not([data-own]) video")?.videoWidth ?? 0) > 0,
  );
  await page.clock.setFixedTime(NOW.getTime() + CALL_LENGTH_MS);
  await then?.(page, other);
}

async function exchangeMessages(page: Page, other: Page) {
  await sendMessage(page, "He starts at the new school on Monday.");
  await sendMessage(
    other,
    "That is good news. Please send me the letter from the school when you can: I will read it today.",
  );
  await page.getByRole("log").getByText("That is good news.").waitFor();
}

async function sendMessage(page: Page, text: string) {
  await page.getByLabel(/^Message to /).fill(text);
  await page.getByRole("button", { name: "Send message" }).click();
}

async function openIntakeForm(page: Page) {
  await page.getByRole("tab", { name: "Intake form" }).click();
  await page.getByRole("heading", { name: "Child/Individual Information" }).waitFor();
}

async function turnOffBothDevices(page: Page, other: Page) {
  for (const side of [page, other])
    for (const name of ["Turn camera off", "Mute"]) await side.getByRole("button", { name, exact: true }).click();
  await page.getByText(/^Consultant · .+ · microphone off$/).waitFor();
}

async function turnOffOtherDevices(page: Page, other: Page) {
  for (const name of ["Turn camera off", "Mute"]) await other.getByRole("button", { name, exact: true }).click();
  await page.getByText(/^Client · .+ · microphone off$/).waitFor();
}

async function waitForDeviceError(page: Page) {
  await page.getByText("Camera access denied or unavailable.").waitFor();
}

async function withoutCamera(page: Page) {
  await page.addInitScript(() => {
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = (constraints) =>
      constraints?.video
        ? Promise.reject(new DOMException("Requested device not found", "NotFoundError"))
        : open(constraints);
    const list = navigator.mediaDevices.enumerateDevices.bind(navigator.mediaDevices);
    navigator.mediaDevices.enumerateDevices = async () => (await list()).filter(({ kind }) => kind !== "videoinput");
  });
}

const withoutRelay = (page: Page) => trackPeerConnections(page, { relayOnly: true });

async function testNetwork(page: Page) {
  await page.getByRole("button", { name: "Test my connection" }).click();
  await page.getByText("Your network seems to block video calls.").waitFor({ timeout: 30_000 });
}

const failToConnect = (url: string, person: TestClient) => async (page: Page) => {
  const other = await openOther(page, person);
  await joinRoom(other, url);
  await joinAlone(page);
  await page.getByText("Your two networks are blocking sound and video.").waitFor({ timeout: 30_000 });
};

const waitBesideConsultant = (url: string, person: TestClient) => async (page: Page) => {
  await joinRoom(await openOther(page, person), url);
  await page.getByText("is in the room.").waitFor();
};

const waitForFamily = (url: string, person: TestClient) => async (page: Page) => {
  const other = await openOther(page, person);
  await other.goto(url);
  await other.getByText("can see that you are waiting.").waitFor();
};

const openSecondTab = (url: string) => async (page: Page) => {
  await joinAlone(page);
  await joinRoom(await page.context().newPage(), url);
  await page.getByRole("heading", { name: "This visit is open elsewhere" }).waitFor();
  await page.bringToFront();
};

/** Fakes the statistics of a connection with loss and delay. */
async function simulateWeakConnection(page: Page) {
  await trackPeerConnections(page);
  await page.addInitScript(() => {
    const pair = { id: "1", type: "candidate-pair", nominated: true, state: "succeeded", currentRoundTripTime: 1.4 };
    RTCPeerConnection.prototype.getStats = async () => new Map([["1", pair]]);
  });
}

async function waitForWeakConnection(page: Page) {
  await page.getByText(/^Weak connection/).waitFor({ timeout: 30_000 });
}

/** Fakes a connection whose network is gone, for as long as the page is open. */
async function simulateDisconnect(page: Page) {
  await page.evaluate(() => {
    const connection = window.peerConnections.at(-1);
    if (!connection) return;
    for (const name of ["connectionState", "iceConnectionState"])
      Object.defineProperty(connection, name, { get: () => "disconnected" });
    // Disables the call's own timeouts.
    const real = window.setTimeout;
    Object.assign(window, { setTimeout: (call: () => void, ms: number) => (ms >= 10_000 ? 0 : real(call, ms)) });
    connection.dispatchEvent(new Event("iceconnectionstatechange"));
  });
  await page.getByText("The connection was lost. Reconnecting…").waitFor();
}

/** The server closes the socket for good, as it does when the sign-in has ended. */
async function closeAsSignedOut(page: Page) {
  await page.routeWebSocket(
    /\/ws$/,
    (socket) =>
      void socket.close({ code: 1008, reason: "You are signed out. Press Try again to sign in and come back." }),
  );
  await page.reload();
  await page.getByRole("heading", { name: "You can't join this video call" }).waitFor();
}

/** As a family finds the room when the call was ended for both. */
const openEndedCall =
  ({ db }: ScreenshotSite, id: number) =>
  async (page: Page) => {
    await db.appointment.update({ where: { id }, data: { callEndedAt: NOW } });
    await page.reload();
    await db.appointment.update({ where: { id }, data: { callEndedAt: null } });
    await page.getByRole("heading", { name: "This visit has ended" }).waitFor();
  };
