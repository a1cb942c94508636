// Proves that toasts stay readable and reachable over a dialog, cover no control and move nothing when they disappear.
import type { Locator, Page } from "playwright/test";
import { expect, test } from "../support/browser/playwright-fixtures.ts";
import { waitForHydration } from "../support/browser/wait-for-hydration.ts";
import { fillPasswordChange } from "../support/browser/password-dialog.ts";
import { bookingBody } from "../support/bookings.ts";
import type { Family } from "../support/people.ts";

/** A dialog that stays open with a message above it: the password was changed. */
async function changePassword(page: Page, family: Family) {
  await fillPasswordChange(page, family, "found my words again");
  await page.getByRole("button", { name: "Change Password" }).click();
  const toast = page.locator(".toast").filter({ hasText: "Password Changed" });
  await expect(toast).toBeVisible();
  return toast;
}

test("a toast over an open dialog stays while hovered, and closing it leaves the dialog open", async ({
  page,
  site,
  login,
}) => {
  const family = await site.family();
  await login(family);
  await page.clock.install();
  const toast = await changePassword(page, family);
  await toast.hover();
  await page.clock.runFor(20_000);
  await toast.getByRole("button", { name: "Close message" }).click();
  await expect(toast).toHaveCount(0);
  await expect(page.getByRole("dialog", { name: "Account Settings" })).toBeVisible();
});

test("F8 focuses the toast from a dialog; Enter closes it and restores the focus", async ({ page, site, login }) => {
  const family = await site.family();
  await login(family);
  const toast = await changePassword(page, family);
  const field = page.getByLabel("Current Password");
  await field.focus();
  const region = page.getByRole("region", { name: "Notifications (F8)" });
  await expect(async () => {
    await page.keyboard.press("F8");
    await expect(region).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Tab");
  await expect(toast.getByRole("button", { name: "Close message" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(toast).toHaveCount(0);
  await expect(field).toBeFocused();
  await expect(page.getByRole("dialog", { name: "Account Settings" })).toBeVisible();
});

test.describe("on a touch screen", () => {
  test.use({ hasTouch: true });
  test("a tap on its button closes a toast", async ({ page, site, login }) => {
    const family = await site.family();
    await login(family);
    const toast = await changePassword(page, family);
    await toast.getByRole("button", { name: "Close message" }).tap();
    await expect(toast).toHaveCount(0);
  });
});

test("a toast from a dialog stays on the page after the dialog closes", async ({ page, site, login }) => {
  const family = await site.family();
  await login(family);
  const toast = await changePassword(page, family);
  await page.getByRole("dialog").getByRole("link", { name: "Close" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await toast.getByRole("button", { name: "Close message" }).click();
  await expect(toast).toHaveCount(0);
});

test("a toast on the page disappears when a dialog opens", async ({ page, site, login }) => {
  const family = await site.family({ intake: true });
  const booked = await family.post("/api/appointments/in-person", bookingBody());
  await login(family);
  await page.goto(`/appointments/${booked.json.id}/cancel`);
  await page.getByRole("button", { name: "Cancel appointment" }).click();
  const toast = page.locator(".toast");
  await expect(toast).toBeVisible();
  await toast.hover();
  await page.evaluate(() => document.querySelector<HTMLElement>('main a[href^="/appointments/new"]')?.click());
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(toast).toHaveCount(0);
});

/** Cancels a visit, which leads to the list of the others with a message. */
async function cancelVisit(page: Page, family: Family) {
  const booked = await family.post("/api/appointments/in-person", bookingBody());
  await page.goto(`/appointments/${booked.json.id}/cancel`);
  await page.getByRole("button", { name: "Cancel appointment" }).click();
  const toast = page.locator(".toast").filter({ hasText: "Appointment Cancelled" });
  await expect(toast).toBeVisible();
  return toast;
}

const box = async (locator: Locator) => (await locator.boundingBox())!;

/** Links and buttons in the window that overlap the message, or whose center something else covers. */
function findCoveredControls(): string[] {
  const toast = document.querySelector(".toast")!;
  const over = toast.getBoundingClientRect();
  return [...document.querySelectorAll<HTMLElement>("a[href], button, summary, input:not([type=hidden])")]
    .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !toast.contains(control))
    .filter((control) => !control.closest(".skip-link, .sr-only, [aria-hidden=true]"))
    .filter((control) => {
      const { left, right, top, bottom } = control.getBoundingClientRect();
      if (right - left < 2 || bottom - top < 2) return false;
      const isOverlapped = left < over.right && right > over.left && top < over.bottom && bottom > over.top;
      const center = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return isOverlapped || toast.contains(center);
    })
    .map((control) => control.textContent.trim());
}

for (const [width, height] of [
  [320, 640],
  [700, 800],
  [1280, 800],
] as const)
  test(`at ${width} px a toast after an action covers no control, and has at most two lines`, async ({
    page,
    site,
    login,
  }) => {
    const family = await site.family({ intake: true });
    await family.post("/api/appointments/in-person", bookingBody());
    await login(family);
    await page.setViewportSize({ width, height });
    const toast = await cancelVisit(page, family);
    expect(await page.evaluate(findCoveredControls)).toEqual([]);
    expect((await box(toast)).height).toBeLessThanOrEqual(60);
    await toast.getByRole("button", { name: "Close message" }).click();
    await expect(toast).toHaveCount(0);
    expect(await page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true);
  });

test("on a scrolled page a toast is below the header and behind the open menu", async ({ page, site, login }) => {
  const family = await site.family({ intake: true });
  await family.post("/api/appointments/in-person", bookingBody());
  await login(family);
  await page.setViewportSize({ width: 375, height: 700 });
  await page.goto("/appointments");
  await waitForHydration(page);
  // Once a message shows, the router has restored the scroll position and does not do so again.
  await say(page);
  await page.evaluate(() => window.scrollTo(0, 300));
  await say(page);
  const toast = page.locator(".toast");
  const header = await box(page.getByRole("banner"));
  await expect.poll(async () => (await box(toast)).y - header.height).toBeLessThanOrEqual(8);
  expect((await box(toast)).height).toBeLessThanOrEqual(60);
  await page.locator("[data-menu] > summary").click();
  expect(await page.evaluate(() => document.elementFromPoint(100, 100)?.closest(".menu-list") !== null)).toBe(true);
});

/** Shows a message as the page's own parts do (app/ui/toast.ts), which the page listens for soon after its hydration. */
async function say(page: Page, more = "") {
  await expect(async () => {
    await page.evaluate((end) => {
      const description = `Everything else you chose is saved, so please just pick another time for your visit.${end}`;
      window.dispatchEvent(new CustomEvent("notice", { detail: { title: "Time taken", description } }));
    }, more);
    await expect(page.locator(".toast")).toBeVisible({ timeout: 1000 });
  }).toPass();
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 375, height: 700 } });

  test("a toast is above the heading, which keeps its position when the toast disappears", async ({
    page,
    site,
    login,
  }) => {
    const family = await site.family({ intake: true });
    await login(family);
    await page.clock.install();
    const toast = await cancelVisit(page, family);
    const heading = page.getByRole("heading", { level: 1 });
    const [above, below] = [await box(toast), await box(heading)];
    expect(below.y).toBeGreaterThanOrEqual(above.y + above.height);
    await page.clock.runFor(20_000);
    await expect(toast).toHaveCount(0);
    expect((await box(heading)).y).toBe(below.y);
  });

  test("a success of more than 100 characters stays in the page", async ({ page, site, login }) => {
    await login(await site.family());
    await page.clock.install();
    await page.goto("/appointments");
    await say(page, " Or call.");
    await page.clock.runFor(20_000);
    await expect(page.locator(".toast")).toBeVisible();
  });

  test("a toast and its space disappear when another page opens", async ({ page, site, login }) => {
    const family = await site.family({ intake: true });
    await login(family);
    await page.clock.install();
    const toast = await cancelVisit(page, family);
    const { y } = await box(page.getByRole("heading", { level: 1 }));
    await page.getByRole("link", { name: "Documents", exact: true }).last().click();
    await expect(page.getByRole("heading", { level: 1, name: "Documents" })).toBeVisible();
    await expect(toast).toHaveCount(0);
    expect((await box(page.getByRole("heading", { level: 1 }))).y).toBeLessThan(y);
  });
});

test.describe("in a dialog on a phone", () => {
  test.use({ viewport: { width: 375, height: 700 } });

  test("a toast keeps the buttons at the bottom, and moves nothing when it closes", async ({ page, site, login }) => {
    await login(await site.family({ intake: true }));
    await page.clock.install();
    await page.goto("/appointments/new");
    await waitForHydration(page);
    await page.getByRole("radio", { name: "Initial Consultation" }).check();
    const footer = page.locator(".sheet-footer");
    const atEdge = await box(footer);
    expect(atEdge.y + atEdge.height).toBeCloseTo(700, 0);
    await say(page);
    expect(await box(footer)).toEqual(atEdge);
    expect(await page.evaluate(findCoveredControls)).toEqual([]);
    const first = await box(page.getByRole("radio").first());
    await page.mouse.move(0, 0);
    await page.clock.runFor(20_000);
    await expect(page.locator(".toast")).toHaveCount(0);
    expect(await box(page.getByRole("radio").first())).toEqual(first);
    await say(page);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.getByRole("button", { name: "Close message" }).click();
    await expect(page.locator(".toast")).toHaveCount(0);
    expect(await page.evaluate(() => document.activeElement?.closest("dialog") !== null)).toBe(true);
    expect(await box(footer)).toEqual(atEdge);
  });

  test("a toast after a password change disappears automatically", async ({ page, site, login }) => {
    const family = await site.family();
    await login(family);
    await page.clock.install();
    const toast = await changePassword(page, family);
    await page.mouse.move(0, 0);
    await page.clock.runFor(20_000);
    await expect(toast).toHaveCount(0);
  });
});
