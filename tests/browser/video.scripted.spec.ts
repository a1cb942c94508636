// Proves video visits between two real browsers.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "../support/browser/playwright-fixtures.ts";
import {
  expectMovingPicture,
  expectNoJoinLinks,
  expectSound,
  joinRoom,
  countLiveTracks,
  trackPeerConnections,
} from "../support/browser/video-call.ts";
import { expectBothNotes, readFormDuringCall, writeNotesDuringCall } from "../support/browser/consultant-panel.ts";
import { expectedLayout, roomLayout, WINDOWS } from "../support/browser/room-layout.ts";
import { bookVideoAppointment } from "../support/video-appointment.ts";
import { addSessionCookies } from "../support/browser/sign-in-as.ts";

test.use({ needsFullBrowser: true });

const DEVICES = { permissions: ["camera", "microphone"] };

test("a family and the consultant see and hear each other, and the consultant ends the call for both", async ({
  site,
  openAs,
  expectAccessible,
}) => {
  // Later than this test can take: a visit that has begun leads to another page when it ends.
  const visit = await bookVideoAppointment(site, { minutes: 5 });
  const family = await openAs(visit.family, DEVICES);
  const consultant = await openAs(visit.consultant, DEVICES);
  for (const page of [family, consultant]) await trackPeerConnections(page);

  await joinRoom(family, visit.path);
  await expect(family.getByText("Waiting for Harbor Family Advocacy...")).toBeVisible();
  await expectAccessible(family);
  await joinRoom(consultant, visit.path);
  for (const page of [family, consultant]) {
    await expectMovingPicture(page);
    await expectSound(page);
  }
  await expect(family.getByText(/^Your visit starts at \d+:\d\d [AP]M$/)).toBeVisible();

  for (const [width, height] of WINDOWS) {
    await family.setViewportSize({ width, height });
    expect([width, await family.evaluate(roomLayout)]).toEqual([width, expectedLayout(width, height)]);
  }
  await family.setViewportSize({ width: 1280, height: 720 });

  await family.getByRole("button", { name: "Turn camera off" }).click();
  await expect(consultant.locator(".pane:not([data-own])")).toContainText("Camera Off");
  await expect(family.getByRole("button", { name: "Flip camera (camera is off)" })).toBeDisabled();
  await family.getByRole("button", { name: "Turn camera on" }).click();
  await expectMovingPicture(consultant);
  await family.getByRole("button", { name: "Flip camera" }).click();
  await expectMovingPicture(consultant);
  await family.getByRole("button", { name: "Mute", exact: true }).click();
  await expect(consultant.getByText(`Client · ${visit.family.name} · microphone off`)).toBeVisible();
  await expect(family.getByRole("button", { name: "Unmute" })).toBeVisible();

  await readFormDuringCall(consultant, expectAccessible);
  await writeNotesDuringCall(consultant, family, visit);
  for (const page of [family, consultant]) {
    expect(await page.evaluate(() => window.peerConnections.length)).toBe(1);
    await expectAccessible(page);
  }

  await consultant.getByRole("button", { name: "End call" }).click();
  await expect(family).toHaveURL(/\/dashboard$/);
  await expect(consultant.getByRole("dialog", { name: "Appointment details" })).toBeVisible();
  await expectBothNotes(consultant, visit);
  await family.goto(visit.path);
  await expect(family.getByRole("heading", { level: 1 })).toHaveText("This visit has ended");
  await expectNoJoinLinks(family, visit.id);
  await visit.remove();
});

test("the waiting room shows a family its own video, and no media connection is made before Join Room", async ({
  site,
  openAs,
  expectAccessible,
}) => {
  const visit = await bookVideoAppointment(site);
  const family = await openAs(visit.family, DEVICES);
  await trackPeerConnections(family, { cameras: 1 });
  await family.goto(visit.path);
  await expect(family.getByText("Harbor Family Advocacy can see that you are waiting.")).toBeVisible();
  await expect.poll(() => countLiveTracks(family)).toBe(2);
  await expect
    .poll(() => family.getByRole("meter").evaluate((meter: HTMLMeterElement) => meter.value))
    .toBeGreaterThan(0);
  await expect(family.getByRole("button", { name: "Flip camera (only one camera)" })).toBeDisabled();
  await expectAccessible(family);

  // A consultant's page that does not wait for anybody: it sits down and offers at once.
  const consultant = await openAs(visit.consultant);
  const waits = consultant.getByText(`${visit.family.name} is waiting for you.`);
  await consultant.goto("/dashboard");
  await expect(waits).toBeVisible();
  // Her own waiting room says it once, beside the button, and whom to phone.
  await consultant.goto(visit.path);
  await expect(consultant.getByRole("region", { name: "Join" })).toContainText("is waiting for you.");
  await expect(waits).toHaveCount(1);
  await expect(consultant.getByText("If nothing works, call the family")).toBeVisible();
  await consultant.goto("/dashboard");
  await consultant.evaluate(offerEarly, visit.id);
  await expect(family.getByText("Harbor Family Advocacy is in the room.")).toBeVisible();
  expect(await family.evaluate(() => window.peerConnections.length)).toBe(0);
  expect(await consultant.evaluate(() => (window as unknown as { answers: string[] }).answers)).toEqual([]);

  await family.getByRole("button", { name: "Turn camera off" }).click();
  await expect(family.locator(".pane-overlay")).toHaveText("Camera Off");
  expect(await countLiveTracks(family)).toBe(1);
  await family.goto("/dashboard");
  await visit.remove();
});

test("a family that denies camera access sees what to do, and can still join with text chat", async ({
  site,
  openAs,
  expectAccessible,
}) => {
  const visit = await bookVideoAppointment(site);
  const family = await openAs(visit.family);
  await family.goto(visit.path);
  await expect(
    family.getByText("Camera access denied or unavailable. Please allow camera permissions and refresh the page."),
  ).toBeVisible();
  await expect(family.getByText("You'll join with text chat only.")).toBeVisible();
  await expectAccessible(family);
  await family.getByRole("button", { name: "Join Room" }).click();
  const consultant = await openAs(visit.consultant, DEVICES);
  await joinRoom(consultant, visit.path);
  await expect(consultant.locator(".pane:not([data-own])")).toContainText("Camera Off");
  await consultant.getByLabel(`Message to ${visit.family.name}`).fill("I can't hear you. Shall we write?");
  await consultant.keyboard.press("Enter");
  await expect(family.getByRole("log")).toContainText("Harbor Family Advocacy: I can't hear you. Shall we write?");
  await expect(family.locator(".pane:not([data-own])")).toContainText("Shall we write?");
  await visit.remove();
});

test("a second tab takes over the call, and the first releases camera and microphone", async ({ site, openAs }) => {
  const visit = await bookVideoAppointment(site);
  const first = await openAs(visit.family, DEVICES);
  await trackPeerConnections(first);
  await joinRoom(first, visit.path);
  await expect.poll(() => countLiveTracks(first)).toBe(2);
  const second = await first.context().newPage();
  await joinRoom(second, visit.path);
  await expect(first.getByRole("heading", { name: "This visit is open elsewhere" })).toBeVisible();
  expect(await countLiveTracks(first)).toBe(0);
  await second.close();
  await visit.remove();
});

test("a family that leaves with Leave or Back is removed at once and can rejoin", async ({ site, openAs }) => {
  const visit = await bookVideoAppointment(site);
  const family = await openAs(visit.family, DEVICES);
  const consultant = await openAs(visit.consultant, DEVICES);
  for (const page of [family, consultant]) await trackPeerConnections(page);
  await joinRoom(consultant, visit.path);
  const waiting = consultant.getByText("Waiting for client...");
  await expect(waiting).toBeVisible();
  await family.goto("/dashboard");

  await joinRoom(family, visit.path);
  await expectMovingPicture(consultant);
  await family.getByRole("button", { name: "Leave" }).click();
  await expect(family.getByRole("region", { name: "You left the room" })).toBeVisible();
  await expect(family.getByRole("link", { name: "Rejoin" })).toBeVisible();
  await expect(waiting).toBeVisible();

  await joinRoom(family, visit.path);
  await expectMovingPicture(consultant);
  await family.goBack();
  await expect(waiting).toBeVisible();
  await visit.remove();
});

test("a family turns off its camera, joins and leaves the room by keyboard", async ({ site, openAs }) => {
  const visit = await bookVideoAppointment(site);
  const family = await openAs(visit.family, DEVICES);
  await family.goto(visit.path);
  const press = async (name: string) => {
    const button = family.getByRole("button", { name, exact: true });
    await expect(button).toBeVisible();
    for (let steps = 0; steps < 60; steps += 1) {
      if (await button.evaluate((element) => element === document.activeElement)) break;
      await family.keyboard.press("Tab");
    }
    await expect(button).toBeFocused();
    await family.keyboard.press("Space");
  };
  await press("Turn camera off");
  await expect(family.locator(".pane-overlay")).toHaveText("Camera Off");
  await press("Join Room");
  await expect(family.getByRole("heading", { level: 1 })).toBeFocused();
  await press("Leave");
  await expect(family).toHaveURL(/\/dashboard\?left=\d+$/);
  await visit.remove();
});

test("another site's page can't open the WebSocket, even though the browser sends the session cookie", async ({
  site,
  browser,
}) => {
  const family = await site.family();
  // The same machine and another port is the same site to a cookie: only the Origin tells.
  const evil = createServer((_, answer) => answer.setHeader("Content-Type", "text/html").end("<title>Prizes</title>"));
  await new Promise<void>((resolve) => evil.listen(0, "127.0.0.1", resolve));
  const { port } = evil.address() as AddressInfo;
  const context = await browser.newContext();
  await addSessionCookies(context, site, family);
  const page = await context.newPage();
  const socket = `${site.origin.replace("http", "ws")}/ws`;
  await page.goto(`http://localhost:${port}/`);
  expect(await page.evaluate(tryWebSocket, socket)).toBe("closed 1006");
  await page.goto(`${site.origin}/dashboard`);
  expect(await page.evaluate(tryWebSocket, socket)).toBe("open");
  await context.close();
  evil.close();
});

function tryWebSocket(url: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url);
    socket.addEventListener("open", () => resolve("open"));
    socket.addEventListener("close", ({ code }) => resolve(`closed ${code}`));
  });
}

/** Takes the consultant's seat and sends the family an offer and a candidate, as a page out to catch it unasked would. */
async function offerEarly(appointmentId: number): Promise<void> {
  const answers: string[] = [];
  Object.assign(window, { answers });
  const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws`);
  const say = (type: string, payload: unknown) => socket.send(JSON.stringify({ type, appointmentId, payload }));
  socket.addEventListener("message", ({ data }) => {
    const { type } = JSON.parse(String(data)) as { type: string };
    if (type === "answer" || type === "offer") answers.push(type);
  });
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  const line = new RTCPeerConnection();
  line.addTransceiver("video", { direction: "recvonly" });
  line.addTransceiver("audio", { direction: "recvonly" });
  const offer = await line.createOffer();
  say("join-room", { page: "an-eager-page" });
  say("offer", offer);
  say("ice-candidate", null);
}
