// Proves that forms survive a lost network connection while the browser reports that it is online.
import type { Locator, Page } from "playwright/test";
import { expect, test } from "../support/browser/playwright-fixtures.ts";
import { waitForHydration } from "../support/browser/wait-for-hydration.ts";
import { fillPasswordChange } from "../support/browser/password-dialog.ts";
import { bookVideoAppointment } from "../support/video-appointment.ts";
import { choosePayment, chooseService, typeTime } from "../support/browser/booking-dialog.ts";

/*
 * The network is gone and the browser thinks that it is not: nothing arrives, and no event says so.
 */
test.use({ allowsConsoleErrors: true });

const EVERYTHING = /localhost/;
const cutNetwork = (page: Page) => page.route(EVERYTHING, (route) => route.abort("connectionfailed"));
/** Parts whose code is loaded on demand are hydrated after the page. */
const isHydrated = (part: Locator) =>
  part.evaluate((element) => Object.keys(element).some((key) => key.startsWith("__reactProps")));
const restoreNetwork = (page: Page) => page.unroute(EVERYTHING);

test("a visitor's form keeps its input, says what to do, and can be sent after reconnecting", async ({ page }) => {
  await page.goto("/register");
  await page.getByLabel("First Name").fill("Ottilie");
  await page.getByLabel("Last Name").fill("Ames");
  await page.getByLabel("Email").fill(`ottilie.${Date.now()}@example.com`);
  for (const label of ["Password", "Confirm Password"])
    await page.getByLabel(label, { exact: true }).fill("a long walk home");
  await cutNetwork(page);
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(
    page.getByText("What you typed is still here. Check your connection, then send it again."),
  ).toBeVisible();
  await expect(page.getByLabel("First Name")).toHaveValue("Ottilie");
  await restoreNetwork(page);
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByText("Account Created!")).toBeVisible();
});

test("a family's form in a dialog keeps its input and can be sent after reconnecting", async ({
  page,
  site,
  login,
}) => {
  await login(await site.family({ intake: true }));
  await page.goto("/appointments/new");
  await chooseService(page, "Hourly Consulting");
  await typeTime(page, "2027-11-06T10:00");
  await choosePayment(page, "Pay in person", "Please keep this.");
  await cutNetwork(page);
  const send = page.getByRole("button", { name: /^(Proceed|Schedule)/ });
  await send.click();
  const line = page.getByRole("dialog").getByRole("status").getByText("then send it again.");
  await expect(line).toBeInViewport();
  await expect(page.getByLabel(/^Note/)).toHaveValue("Please keep this.");
  await expect(page.getByLabel("Date & Time")).toHaveValue("2027-11-06T10:00");
  await restoreNetwork(page);
  await send.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You are booked");
  await expect(page.getByRole("main")).toContainText("10:00");
  await expect(page.getByText("You are connected again.")).toBeVisible();
});

test("leaving an intake form section that could not be saved asks for confirmation", async ({ page, site, login }) => {
  await login(await site.family());
  // She types before the page's script is there.
  const script = Promise.withResolvers<void>();
  await page.route(/\.js$/, async (route) => {
    await script.promise;
    await route.continue();
  });
  await page.goto("/dashboard/intake-form?step=client", { waitUntil: "commit" });
  await page.getByLabel("Home address").fill("4 Bath Avenue");
  await page.getByLabel("Phone number").fill("(732) 555-0188");
  script.resolve();
  await expect(page.locator("dialog:modal")).toHaveCount(1);
  await page.waitForLoadState();
  await waitForHydration(page);
  await expect.poll(() => isHydrated(page.getByRole("button", { name: "Save and continue" }))).toBe(true);
  await cutNetwork(page);
  await page.getByRole("button", { name: "Save and continue" }).click();
  await expect(page.getByText("then send it again.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save and continue" })).toBeEnabled();
  const question = page.waitForEvent("dialog");
  await page.keyboard.press("Escape");
  const asked = await question;
  expect(asked.message()).toBe("Your last answers could not be saved. Leave anyway?");
  await asked.dismiss();
  await expect(page.getByLabel("Home address")).toHaveValue("4 Bath Avenue");
  await restoreNetwork(page);
  await page.getByRole("button", { name: "Save and continue" }).click();
  await expect(page.getByLabel("Child's name")).toBeVisible();
});

test("a navigation that fails is retried until the page loads", async ({ page, site, login }) => {
  await login(await site.family());
  await page.goto("/dashboard");
  // The route's module is loaded before the network is cut; a click before hydration would load the document instead.
  await waitForHydration(page);
  await expect.poll(() => isHydrated(page.getByRole("link", { name: "Total Appointments" }))).toBe(true);
  await page.getByRole("link", { name: "Total Appointments" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Appointments" })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/dashboard$/);
  await cutNetwork(page);
  await page.getByRole("link", { name: "Total Appointments" }).click();
  await expect(page.getByText("We keep trying, and this will continue on its own.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Total Appointments" })).toBeVisible();
  await restoreNetwork(page);
  await expect(page.getByRole("heading", { level: 1, name: "Appointments" })).toBeVisible();
  await expect(page.getByText("You are connected again.")).toBeVisible();
});

test("a video visit whose script fails to load shows a message with the phone number", async ({
  page,
  site,
  login,
}) => {
  const visit = await bookVideoAppointment(site);
  await login(visit.family);
  await page.route(/\.js$/, (route) => route.abort());
  await page.goto(visit.path, { waitUntil: "load" });
  const advice = page.getByText("This is taking longer than it should.");
  await expect(advice).toBeVisible({ timeout: 15_000 });
  await expect(advice.getByRole("link", { name: "(732) 555-0142" })).toBeVisible();
  await visit.remove();
});

test("a form that gets a 502 response keeps its input and can be sent again", async ({ page, site, login }) => {
  const family = await site.family();
  await login(family);
  await fillPasswordChange(page, family, "found my words again");
  await page.route(/settings\.data/, (route) => route.fulfill({ status: 502, body: "Bad gateway" }));
  await page.getByRole("button", { name: "Change Password" }).click();
  await expect(page.getByText("We can't reach the site.")).toBeVisible();
  await expect(page.getByLabel("New Password", { exact: true })).toHaveValue("found my words again");
  await page.unroute(/settings\.data/);
  await page.getByRole("button", { name: "Change Password" }).click();
  await expect(page.getByText("Password Changed").first()).toBeVisible();
});
