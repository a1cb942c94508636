// Proves that a person who is muted stays muted with another microphone.
import type { Page } from "playwright/test";
import { expect, test } from "../../support/browser/playwright-fixtures.ts";
import { trackPeerConnections } from "../../support/browser/video-call.ts";
import { bookVideoAppointment } from "../../support/video-appointment.ts";

test.use({ needsFullBrowser: true });

/** The live microphone tracks of this page: which device, and whether it sends sound. */
const microphones = (page: Page) =>
  page.evaluate(() =>
    window.mediaTracks
      .filter(({ kind, readyState }) => kind === "audio" && readyState === "live")
      .map((track) => ({ id: track.getSettings().deviceId, isOn: track.enabled })),
  );

test("a family that chooses another microphone stays muted or unmuted", async ({ site, openAs }) => {
  const visit = await bookVideoAppointment(site);
  const family = await openAs(visit.family, { permissions: ["camera", "microphone"] });
  await trackPeerConnections(family);
  await family.goto(visit.path);
  const select = family.getByLabel("Choose the microphone");
  await expect(select).toBeVisible();
  const [first = "", second = ""] = await select
    .locator("option")
    .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
  expect(new Set([first, second, ""]).size).toBe(3);
  const [mute, unmute] = ["Mute", "Unmute"].map((name) => family.getByRole("button", { name, exact: true }));

  await select.selectOption(first);
  await mute!.click();
  await expect(unmute!).toBeVisible();
  await select.selectOption(second);
  await expect.poll(() => microphones(family)).toEqual([{ id: second, isOn: false }]);
  await expect(unmute!).toBeVisible();
  await unmute!.click();
  await expect.poll(() => microphones(family)).toEqual([{ id: second, isOn: true }]);
  await select.selectOption(first);
  await expect.poll(() => microphones(family)).toEqual([{ id: first, isOn: true }]);
  await expect(mute!).toBeVisible();
  await visit.remove();
});
