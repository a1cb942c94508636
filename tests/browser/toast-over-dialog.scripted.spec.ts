// Proves that toasts stay readable and reachable above an open dialog, and cover nothing on a phone.
import type { Locator, Page } from "playwright/test";
import { expect, test } from "../support/browser/playwright-fixtures.ts";
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

test("a message over an open dialog stays while the mouse is on it, and closes without the dialog", async ({
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

test("F8 leads to it from the dialog, and Enter closes it", async ({ page, site, login }) => {
  const family = await site.family();
  await login(family);
  const toast = await changePassword(page, family);
  const region = page.getByRole("region", { name: "Notifications (F8)" });
  await expect(async () => {
    await page.keyboard.press("F8");
    await expect(region).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Tab");
  await expect(toast.getByRole("button", { name: "Close message" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(toast).toHaveCount(0);
  await expect(page.getByRole("dialog", { name: "Account Settings" })).toBeVisible();
});

test.describe("by touch", () => {
  test.use({ hasTouch: true });
  test("a tap closes it", async ({ page, site, login }) => {
    const family = await site.family();
    await login(family);
    const toast = await changePassword(page, family);
    await toast.getByRole("button", { name: "Close message" }).tap();
    await expect(toast).toHaveCount(0);
  });
});

test("what was said in a dialog that closes is read to its end on the page", async ({ page, site, login }) => {
  const family = await site.family();
  await login(family);
  const toast = await changePassword(page, family);
  await page.getByRole("dialog").getByRole("link", { name: "Close" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await toast.getByRole("button", { name: "Close message" }).click();
  await expect(toast).toHaveCount(0);
});

test("what was said on the page ends when a dialog is opened", async ({ page, site, login }) => {
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

test.describe("on a phone", () => {
  test.use({ viewport: { width: 375, height: 700 } });

  test("a success at the top of a page takes room of its own, and goes with the page", async ({
    page,
    site,
    login,
  }) => {
    const family = await site.family({ intake: true });
    const booked = await family.post("/api/appointments/in-person", bookingBody());
    await login(family);
    await page.clock.install();
    await page.goto(`/appointments/${booked.json.id}/cancel`);
    await page.getByRole("button", { name: "Cancel appointment" }).click();
    const toast = page.locator(".toast");
    await expect(toast).toBeVisible();
    await page.clock.runFor(20_000);
    await expect(toast).toBeVisible();
    const box = async (locator: Locator) => (await locator.boundingBox())!;
    const [above, heading] = [await box(toast), await box(page.getByRole("heading", { level: 1 }))];
    expect(heading.y).toBeGreaterThanOrEqual(above.y + above.height);
    await page.getByRole("link", { name: "Documents", exact: true }).last().click();
    await expect(page.getByRole("heading", { level: 1, name: "Documents" })).toBeVisible();
    await expect(toast).toHaveCount(0);
  });

  test("over an open dialog it floats, and goes by itself", async ({ page, site, login }) => {
    const family = await site.family();
    await login(family);
    await page.clock.install();
    const toast = await changePassword(page, family);
    await page.mouse.move(0, 0);
    await page.clock.runFor(20_000);
    await expect(toast).toHaveCount(0);
  });
});
