// Proves what a page shows when its session ends in another tab or on another device.
import { expect, test as base } from "playwright/test";
import { startScreenshotSite, type ScreenshotSite } from "../screenshots/screenshot-site.ts";
import { waitForHydration } from "../support/browser/page-checks.ts";

const test = base.extend<object, { here: ScreenshotSite }>({
  here: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const site = await startScreenshotSite();
      await use(site);
      await site.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

test.beforeEach(async ({ context, page, here }) => {
  const maria = await here.family({ intake: true });
  await context.addCookies([...maria.cookies].map(([name, value]) => ({ name, value, url: here.origin })));
  await page.goto(`${here.origin}/dashboard/intake-form`);
  await waitForHydration(page);
});

test("a family's other tab leaves her answers when she signs out in the first", async ({ context, page, here }) => {
  await expect(page.getByText("Leo").first()).toBeVisible();
  const first = await context.newPage();
  await first.goto(`${here.origin}/appointments`);
  await waitForHydration(first);
  await first.getByText("Hello,").click();
  await first.getByRole("button", { name: "Logout" }).click();
  await expect(first).toHaveURL(`${here.origin}/`);
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText("Leo")).toHaveCount(0);
});

test("a tab that was out of sight when the sign-in ended leaves when it is looked at again", async ({ page, here }) => {
  await here.db.session.deleteMany();
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText("Leo")).toHaveCount(0);
});

test("a tab stays where it is while the sign-in stands, or the server says nothing of it", async ({
  context,
  page,
  here,
}) => {
  const other = await context.newPage();
  await other.goto(`${here.origin}/`);
  await waitForHydration(other);
  await page.route("**/stay-signed-in*", (route) => route.fulfill({ status: 503, body: "Restarting." }));
  const asked = page.waitForResponse(/stay-signed-in/);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await asked;
  await page.unroute("**/stay-signed-in*");
  await expect(page).toHaveURL(/intake-form/);
});
