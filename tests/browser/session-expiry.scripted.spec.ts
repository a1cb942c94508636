// Proves the warning before an idle session ends, and that typed text is restored after it has ended.
import { expect } from "playwright/test";
import { practiceTime, NOW, type ScreenshotSite } from "../screenshots/screenshot-site.ts";
import { adminEmail, adminPassword } from "../support/test-environment.ts";
import { test } from "../support/browser/screenshot-site-fixture.ts";
import { addSessionCookies } from "../support/browser/sign-in-as.ts";
import { waitForHydration } from "../support/browser/wait-for-hydration.ts";

const MINUTE = 60_000;

/** As if the consultant had last done something so long ago; her sign-in lasts 15 minutes from then. */
async function idleFor(site: ScreenshotSite, minutes: number) {
  const activeAt = NOW.getTime() - minutes * MINUTE;
  const sess = JSON.stringify({ signedInAt: activeAt, activeAt });
  await site.db.session.updateMany({ data: { sess, expire: new Date(activeAt + 15 * MINUTE) } });
}

test.beforeEach(async ({ context, page, screenshotSite }) => {
  await addSessionCookies(context, screenshotSite, await screenshotSite.consultant());
  await page.clock.install({ time: NOW });
  await page.goto(`${screenshotSite.origin}/calendar/hours`);
  await waitForHydration(page);
});

test("two minutes before an idle session ends, a dialog warns; Escape extends the session", async ({
  page,
  screenshotSite,
}) => {
  await page.getByLabel("First day").fill("2027-03-01");
  await idleFor(screenshotSite, 13.5);
  await page.clock.runFor(13.5 * MINUTE);
  const dialog = page.getByRole("dialog", { name: "Are you still there?" });
  await expect(dialog.getByRole("status").first()).toContainText("you will be signed out in about 2 minutes");
  await expect(dialog.getByRole("button", { name: "Stay signed in" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel("First day")).toHaveValue("2027-03-01");
  const session = await screenshotSite.db.session.findFirstOrThrow({ orderBy: { expire: "desc" } });
  expect(session.expire).toEqual(new Date(NOW.getTime() + 15 * MINUTE));
});

test("after an idle session has ended, signing in returns to the same page and restores the typed text", async ({
  page,
  screenshotSite,
}) => {
  await page.getByLabel("First day").fill("2027-03-01");
  await page.getByRole("radio", { name: /hours/i }).check();
  await page.getByLabel(/Note/).fill("Conference in Trenton");
  await idleFor(screenshotSite, 16);
  await page.clock.runFor(13.5 * MINUTE);
  await expect(page).toHaveURL(/\/login\?redirectTo=%2Fcalendar%2Fhours$/);
  await expect(page.getByRole("note")).toContainText("What you typed is kept for one hour.");
  await page.getByLabel("Email").fill(adminEmail);
  await page.getByLabel("Password", { exact: true }).fill(adminPassword);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL(/\/calendar\/hours$/);
  await expect(page.getByText("You were signed out before this was sent.")).toBeVisible();
  await expect(page.getByLabel("First day")).toHaveValue("2027-03-01");
  await expect(page.getByLabel(/Note/)).toHaveValue("Conference in Trenton");
});

test("during a video visit the warning appears only if the call has not extended the session; the call continues", async ({
  page,
  screenshotSite,
}) => {
  const { id } = await screenshotSite.db.appointment.create({
    data: {
      title: "Hourly Consulting",
      type: "consultation",
      duration: 60,
      isLiveVideoCall: true,
      appointmentDate: practiceTime(0, 9, 50),
    },
  });
  await page.goto(`${screenshotSite.origin}/video-call/${id}`);
  await page.getByRole("button", { name: "Join Room" }).click();
  const room = page.getByText("Waiting for client...");
  await expect(room).toBeVisible();
  const dialog = page.getByRole("dialog", { name: "Are you still there?" });

  // As a call of two does each minute.
  await idleFor(screenshotSite, 0.5);
  const asked = page.waitForResponse(/stay-signed-in\?refresh$/);
  await page.clock.fastForward(13.5 * MINUTE);
  await (await asked).finished();
  await expect(page.getByRole("button", { name: "End call" })).toBeVisible();
  await expect(dialog).toBeHidden();

  await idleFor(screenshotSite, 13.5);
  await page.clock.fastForward(13.5 * MINUTE);
  await expect(dialog.getByRole("button", { name: "Stay signed in" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(dialog.getByRole("button", { name: "Sign out now" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(room).toBeVisible();
  await expect(page.getByText("You are in the room.")).toBeVisible();
});
