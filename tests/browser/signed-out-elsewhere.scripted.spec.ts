// Proves what a page shows when its session ends in another tab or on another device.
import { expect } from "playwright/test";
import { test } from "../support/browser/screenshot-site-fixture.ts";
import { signInAs } from "../support/browser/sign-in-as.ts";
import { waitForHydration } from "../support/browser/page-checks.ts";

test.beforeEach(async ({ context, page, screenshotSite }) => {
  const maria = await screenshotSite.family({ intake: true });
  await signInAs(context, screenshotSite, maria);
  await page.goto(`${screenshotSite.origin}/dashboard/intake-form`);
  await waitForHydration(page);
});

test("a family's other tab leaves her answers when she signs out in the first", async ({
  context,
  page,
  screenshotSite,
}) => {
  await expect(page.getByText("Leo").first()).toBeVisible();
  const first = await context.newPage();
  await first.goto(`${screenshotSite.origin}/appointments`);
  await waitForHydration(first);
  await first.getByText("Hello,").click();
  await first.getByRole("button", { name: "Logout" }).click();
  await expect(first).toHaveURL(`${screenshotSite.origin}/`);
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText("Leo")).toHaveCount(0);
});

test("a tab that was out of sight when the sign-in ended leaves when it is looked at again", async ({
  page,
  screenshotSite,
}) => {
  await screenshotSite.db.session.deleteMany();
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText("Leo")).toHaveCount(0);
});

test("a tab stays where it is while the sign-in stands, or the server says nothing of it", async ({
  context,
  page,
  screenshotSite,
}) => {
  const other = await context.newPage();
  await other.goto(`${screenshotSite.origin}/`);
  await waitForHydration(other);
  await page.route("**/stay-signed-in*", (route) => route.fulfill({ status: 503, body: "Restarting." }));
  const asked = page.waitForResponse(/stay-signed-in/);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await asked;
  await page.unroute("**/stay-signed-in*");
  await expect(page).toHaveURL(/intake-form/);
});
