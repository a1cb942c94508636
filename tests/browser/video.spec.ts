// Proves the video visit page outside a call: closed rooms, other families, no script.
import { expect, test } from "../support/browser/playwright-fixtures.ts";
import { bookVideoAppointment } from "../support/video-appointment.ts";

test.use({ needsFullBrowser: true });

test("a family whose visit is tomorrow sees when the waiting room opens", async ({
  page,
  site,
  login,
  javaScriptEnabled,
  expectAccessible,
}) => {
  const visit = await bookVideoAppointment(site, { minutes: 24 * 60 });
  await login(visit.family);
  await page.goto(visit.path);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The room is not open yet");
  await expect(page.getByText("The waiting room opens 10 minutes before the start:")).toBeVisible();
  const advice = javaScriptEnabled ? "The room opens here by itself" : "load this page again at that time";
  await expect(page.getByText(advice)).toBeVisible();
  await expectAccessible(page);
});

test("a family whose visit is tomorrow checks its camera and sound today", async ({
  site,
  openAs,
  javaScriptEnabled,
  expectAccessible,
}) => {
  const visit = await bookVideoAppointment(site, { minutes: 25 * 60 });
  const page = await openAs(visit.family, { permissions: ["camera", "microphone"], javaScriptEnabled });
  await page.goto(visit.path);
  const check = page.getByRole("region", { name: "Check your camera and sound" });
  if (!javaScriptEnabled) return expect(check).toBeHidden();
  await check.getByRole("button", { name: "Start the check" }).click();
  await expect(check.getByText("Your camera and microphone work. You're ready for your visit.")).toBeVisible();
  await expect
    .poll(() => page.locator("video").evaluate((video: HTMLVideoElement) => video.videoWidth))
    .toBeGreaterThan(0);
  await expectAccessible(page);
  await check.getByRole("button", { name: "Stop the check" }).click();
  await expect(check.getByRole("button", { name: "Start the check" })).toBeVisible();
  await expect(page.locator("video")).toHaveCount(0);
});

test("another family's visit gets the same 404 page as an unknown or invalid id", async ({
  page,
  site,
  login,
  expectAccessible,
}) => {
  const visit = await bookVideoAppointment(site, { minutes: 48 * 60 });
  await login(await site.family());
  for (const path of [visit.path, "/video-call/999999", "/video-call/none"]) {
    expect((await page.goto(path))?.status()).toBe(404);
    await expect(page.getByRole("alert")).toHaveText("Error loading appointment. Please try again.");
    await expect(page.getByText("Video visit", { exact: true })).toBeVisible();
  }
  await expectAccessible(page);
});

test("the page of a canceled visit, or one without video, says that there is no video visit", async ({
  page,
  site,
  login,
  expectAccessible,
}) => {
  const canceled = await bookVideoAppointment(site, { minutes: 72 * 60 });
  await canceled.family.delete(`/api/appointments/${canceled.id}`);
  const plain = await bookVideoAppointment(site, { minutes: 96 * 60, isLiveVideoCall: false });
  for (const { family, path } of [canceled, plain]) {
    await login(family);
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("No video visit here");
  }
  await expectAccessible(page);
});

test("an open room can be joined with JavaScript; without it, the page says so and gives the phone number", async ({
  page,
  site,
  login,
  javaScriptEnabled,
  expectAccessible,
}) => {
  const visit = await bookVideoAppointment(site);
  await login(visit.family);
  await page.goto(visit.path);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Waiting Room");
  const words = page.getByText("A video visit needs a browser with JavaScript turned on");
  if (javaScriptEnabled) await expect(page.getByRole("button", { name: "Join Room" })).toBeVisible();
  else await expect(words.getByRole("link", { name: "(732) 555-0142" })).toBeVisible();
  await expectAccessible(page);
  await visit.remove();
});

test("on a phone a family sees who the consultant is: at home, in the waiting room, and after booking", async ({
  page,
  site,
  login,
  javaScriptEnabled,
}) => {
  const visit = await bookVideoAppointment(site);
  await login(visit.family);
  await page.setViewportSize({ width: 375, height: 812 });
  await page.goto("/");
  const [name = "", license = ""] = await page.locator(".letter figcaption span").allTextContents();
  await expect(page.locator(".letter").getByText(name)).toBeVisible();
  await expect(page.locator(".letter img")).toBeVisible();
  const line = page.locator(".consultant-line");
  for (const path of [`/appointments/${visit.id}/booked`, ...(javaScriptEnabled ? [visit.path] : [])]) {
    await page.goto(path);
    await expect(line).toContainText(`${name}${license}`);
    await expect(line.getByText(license)).toBeVisible();
    await expect(line.locator("img")).toBeVisible();
  }
  if (javaScriptEnabled) {
    const [consultant, join] = await Promise.all(
      [line, page.getByRole("button", { name: "Join Room" })].map((each) => each.boundingBox()),
    );
    expect(consultant?.y).toBeGreaterThan((join?.y ?? 0) + (join?.height ?? 0));
  }
  await visit.remove();
});
