// Proves that the refresh of the consultant's dashboard moves neither the focus nor the content of the window.
import { expect, type Page } from "playwright/test";
import { NOW, practiceTime, type ScreenshotSite } from "../../screenshots/screenshot-site.ts";
import { test } from "../../support/browser/screenshot-site-fixture.ts";
import { addSessionCookies } from "../../support/browser/sign-in-as.ts";
import { waitForHydration } from "../../support/browser/wait-for-hydration.ts";

test.beforeEach(async ({ context, page, screenshotSite }) => {
  await addSessionCookies(context, screenshotSite, await screenshotSite.consultant());
  await page.clock.setFixedTime(NOW);
});

test.afterEach(async ({ screenshotSite: { db, setTestClock } }) => {
  await db.appointment.deleteMany();
  setTestClock(() => NOW);
});

test("the refresh keeps the focus on the same link when a visit becomes the next one, starts, or ends", async ({
  page,
  screenshotSite,
}) => {
  const { db, setTestClock } = screenshotSite;
  await createTodaysVisits(screenshotSite, { Ana: [9, 46], Ben: [10, 5], Cleo: [10, 30] });
  await page.goto(`${screenshotSite.origin}/dashboard`);
  await waitForHydration(page);
  const today = page.getByRole("region", { name: "Today" });
  const running = page.locator(".is-running");
  const row = (name: string) => page.locator(".day-visit", { hasText: `${name} Today` });
  const setMinute = async (minute: number, runningName: string | null) => {
    setTestClock(() => practiceTime(0, 10, minute));
    await (runningName ? expect(running).toContainText(runningName) : expect(running).toHaveCount(0));
  };

  await row("Ana")
    .getByRole("link", { name: /^Finish visit/ })
    .focus();
  await setMinute(2, null);
  await expect(row("Ana").getByRole("link", { name: /^Finish visit/ })).toBeFocused();

  // A visit that is over can't be moved.
  await setMinute(0, "Ana Today");
  await row("Ana").getByRole("link", { name: /^Move/ }).focus();
  await setMinute(2, null);
  await expect(row("Ana").getByRole("link", { name: /^Ana Today/ })).toBeFocused();

  // This row moves to another card.
  await page.getByRole("region", { name: "Later today" }).getByRole("link", { name: "Note about Cleo Today" }).focus();
  await setMinute(5, "Ben Today");
  await expect(today.getByRole("link", { name: "Note about Cleo Today" })).toBeFocused();

  await setMinute(2, null);
  await row("Ben")
    .getByRole("link", { name: /^Ben Today/ })
    .click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await setMinute(5, "Ben Today");
  await page.getByRole("dialog").getByRole("link", { name: "Close" }).click();
  await expect(row("Ben").getByRole("link", { name: /^Ben Today/ })).toBeFocused();

  await db.appointment.deleteMany({ where: { user: { firstName: "Ben", lastName: "Today" } } });
  await expect(row("Ben")).toHaveCount(0);
  await expect(today.getByRole("heading", { name: "Today" })).toBeFocused();
});

test("the refresh keeps the focus in the row when the waiting room's button is renamed, and on its summary's visit", async ({
  page,
  screenshotSite,
}) => {
  const { setTestClock } = screenshotSite;
  await createTodaysVisits(screenshotSite, { Cleo: [9, 0], Dan: [10, 5] }, { isLiveVideoCall: true });
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto(`${screenshotSite.origin}/dashboard`);
  await waitForHydration(page);
  await page
    .locator(".day-summary")
    .getByRole("link", { name: /Dan Today/ })
    .focus();
  setTestClock(() => practiceTime(0, 10, 5));
  await expect(page.locator(".day-summary")).toHaveCount(0);
  await expect(page.locator(".is-running").getByRole("link", { name: /^Dan Today/ })).toBeFocused();
  setTestClock(() => NOW);
  const room = page.locator(".day-visit", { hasText: "Dan Today" });
  await room.getByRole("link", { name: /^Waiting Room/ }).focus();
  setTestClock(() => practiceTime(0, 10, 5));
  await expect(room.getByRole("link", { name: /^Join call now/ })).toBeFocused();
});

test("an emergency that arrives does not move the rows in a phone's window, wherever the page is scrolled", async ({
  page,
  screenshotSite,
}) => {
  const { db } = screenshotSite;
  await createTodaysVisits(screenshotSite, { Ana: [10, 30], Ben: [11, 30], Cleo: [12, 30], Dan: [13, 30] });
  for (let day = 1; day < 7; day += 1) await createVisit(screenshotSite, `Day${day}`, practiceTime(-day, 10));
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto(`${screenshotSite.origin}/dashboard`);
  await waitForHydration(page);
  const asked = { firstName: "Jane", lastName: "Asks", email: "jane@example.org", serviceNeeds: "IEP", consent: true };
  const moved: Record<string, number> = {};
  for (const [top, anchoring] of [
    [0, "auto"],
    [40, "auto"],
    [1500, "auto"],
    // As in browsers that never keep the content in place themselves.
    [1500, "none"],
  ] as const) {
    await page.evaluate((style) => document.documentElement.style.setProperty("overflow-anchor", style), anchoring);
    await page.evaluate((y) => window.scrollTo(0, y), top);
    expect(await page.evaluate(() => window.scrollY)).toBe(top);
    const row = await firstRowInWindow(page);
    const before = await row.evaluate((each) => each.getBoundingClientRect().top);
    await db.consultationRequest.create({ data: { ...asked, urgency: "emergency" } });
    await expect(page.locator(".day-summary")).toHaveText("1 emergency");
    // A browser keeps the content in place when it draws.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    const after = await row.evaluate((each) => each.getBoundingClientRect().top);
    moved[`${top} px, ${anchoring}`] = Math.round(Math.abs(after - before));
    await db.consultationRequest.deleteMany({ where: { firstName: "Jane" } });
    await expect(page.locator(".day-summary")).toHaveCount(0);
  }
  expect(moved).toEqual({ "0 px, auto": 0, "40 px, auto": 0, "1500 px, auto": 0, "1500 px, none": 0 });
});

/** The first row whose beginning is in the window. */
function firstRowInWindow(page: Page) {
  return page.evaluateHandle(() => {
    const rows = [...document.querySelectorAll("main li:has(a)")];
    const inWindow = rows.find((row) => row.checkVisibility() && row.getBoundingClientRect().top >= 0);
    if (!inWindow) throw new Error("No row begins in the window or below.");
    return inWindow;
  });
}

/** One visit of 15 minutes for each family, at an hour and minute of today in the practice's time zone. */
async function createTodaysVisits(
  site: ScreenshotSite,
  starts: Record<string, [hour: number, minute: number]>,
  details: { isLiveVideoCall?: boolean } = {},
) {
  for (const [firstName, [hour, minute]] of Object.entries(starts))
    await createVisit(site, firstName, practiceTime(0, hour, minute), details);
}

async function createVisit({ db, family }: ScreenshotSite, firstName: string, appointmentDate: Date, details = {}) {
  const { id: userId } = await family({ firstName, lastName: "Today" });
  const visit = { title: "Hourly Consulting", type: "consultation", duration: 15, ...details };
  await db.appointment.create({ data: { ...visit, userId, appointmentDate } });
}
