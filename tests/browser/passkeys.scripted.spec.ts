// Proves passkeys with Chromium's virtual devices: added, used to sign in and to confirm, lost, and refused.
import type { Page } from "playwright/test";
import { NOW, startScreenshotSite, type ScreenshotSite } from "../screenshots/screenshot-site.ts";
import { addDevice } from "../support/browser/passkey-device.ts";
import { waitForHydration } from "../support/browser/wait-for-hydration.ts";
import { expect, test as base } from "../support/browser/playwright-fixtures.ts";
import { adminEmail, adminPassword } from "../support/test-environment.ts";

const MINUTE = 60_000;

const test = base.extend<object, { here: ScreenshotSite }>({
  here: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const site = await startScreenshotSite();
      await use(site);
      await site.stop();
    },
    { scope: "worker", timeout: 2 * MINUTE },
  ],
  baseURL: async ({ here }, use) => use(here.origin),
  login: async ({ context, here }, use) => {
    await use(async (person) => {
      await context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url: here.origin })));
    });
  },
});

async function addPasskey(page: Page, name: string) {
  await page.goto("/passkeys");
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Add a passkey" }).click();
}

async function signInWithPassword(page: Page) {
  await page.goto("/login");
  await page.getByLabel("Email").fill(adminEmail);
  await page.getByLabel("Password", { exact: true }).fill(adminPassword);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
}

test("a family adds a passkey, signs in and confirms its identity with it; a removed passkey is refused", async ({
  page,
  context,
  here,
  login,
  expectAccessible,
}) => {
  const maria = await here.family();
  const device = await addDevice(page);
  await login(maria);
  await page.goto("/dashboard/settings");
  await page.getByRole("link", { name: "Passkeys" }).click();
  await page.getByRole("heading", { name: "Passkeys" }).waitFor();
  await addPasskey(page, "Mom’s phone");
  await expect(page.getByText("Passkey Added")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Mom’s phone" })).toContainText("Not used yet");
  expect(await device.count()).toBe(1);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("This device already has a passkey for your account.")).toBeVisible();

  await context.clearCookies();
  await page.goto("/login?redirectTo=%2Fdocuments");
  await expectAccessible(page);
  await page.getByLabel("This is not my device").check();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL("**/documents");
  const session = (await context.cookies()).find(({ name }) => name === "session");
  expect(session?.expires, "ends with the browser").toBe(-1);

  const signedInAt = NOW.getTime() - 11 * MINUTE;
  const sess = JSON.stringify({ signedInAt, activeAt: NOW.getTime() });
  await here.db.session.updateMany({ where: { userId: maria.id }, data: { sess } });
  await page.goto("/passkeys");
  await page.getByRole("link", { name: "Confirm it’s you" }).click();
  await waitForHydration(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL("**/passkeys");
  await page.getByText("Remove", { exact: true }).click();
  await page.getByRole("button", { name: "Remove Mom’s phone for good" }).click();
  await expect(page.getByText("You have no passkeys yet.")).toBeVisible();

  await context.clearCookies();
  await page.goto("/login");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("alert")).toContainText("That passkey did not work.");
  await expect(page).toHaveURL(/\/login\/passkey$/);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Sign in with your password" }).click();
  await expect(page.getByLabel("Password", { exact: true })).toBeVisible();
});

test("the consultant's password alone does not sign in; a recovery code replaces a lost passkey", async ({
  page,
  context,
  here,
  login,
}) => {
  const device = await addDevice(page);
  await login(await here.consultant());
  await addPasskey(page, "Laptop");
  await expect(page.getByRole("heading", { name: "Keep these codes" })).toBeVisible();
  const codes = await page.locator("main li code").allTextContents();
  expect(codes).toHaveLength(10);

  await context.clearCookies();
  await page.goto("/login");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByText("Welcome back!")).toBeVisible();
  await page.goto("/families");
  await expect(page).toHaveURL(/\/families$/);

  await context.clearCookies();
  await device.lose();
  await signInWithPassword(page);
  await page.getByRole("heading", { name: "Enter your code" }).waitFor();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByText("No passkey was used. You can try again.")).toBeVisible();
  await page.goto("/families");
  await expect(page).toHaveURL(/\/login/);
  await page.goto("/login/code");
  await page.getByLabel("Recovery code").fill(codes[0] ?? "");
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page.getByText("Welcome back!")).toBeVisible();
  await page.goto("/passkeys");
  await page.getByText("Remove", { exact: true }).click();
  await page.getByRole("button", { name: "Remove Laptop for good" }).click();
  await expect(page.getByText("You have no passkeys yet.")).toBeVisible();
});

test("a browser without passkey support is not offered passkeys", async ({ page, here, login }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, "PublicKeyCredential"));
  await page.goto("/login");
  await expect(page.getByRole("button", { name: "Use a passkey" })).toBeHidden();
  await page.goto(`${here.origin.replace("localhost", "127.0.0.1")}/login`);
  await expect(page.getByRole("button", { name: "Use a passkey" })).toBeHidden();
  await login(await here.family());
  await page.goto(`${here.origin}/passkeys`);
  await expect(page.getByText("This browser can't add a passkey here.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Add a passkey" })).toBeHidden();
});
