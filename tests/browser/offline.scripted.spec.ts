// Proves that forms keep their input and links wait while the browser is offline, and both work once it is online.
import { expect, test } from "../support/browser/playwright-fixtures.ts";
import { chooseService, showInDialog, typeTime } from "../support/browser/booking-dialog.ts";

const OFFLINE = /^You are offline\./;

test("a form filled in while offline keeps its input and can be sent once online", async ({ page, context }) => {
  await page.goto("/register");
  await context.setOffline(true);
  await expect(page.getByText("What you typed stays here.")).toBeVisible();
  await page.getByLabel("First Name").fill("Rosalind");
  await page.getByLabel("Last Name").fill("Ames");
  await page.getByLabel("Email").fill(`rosalind.${Date.now()}@example.com`);
  await page.getByLabel("Password", { exact: true }).fill("a long walk home");
  await page.getByLabel("Confirm Password").fill("a long walk home");
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByText("Nothing was sent")).toBeVisible();
  await expect(page.getByLabel("First Name")).toHaveValue("Rosalind");

  await context.setOffline(false);
  await expect(page.getByText("You are connected again.")).toBeVisible();
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByText("Account Created!")).toBeVisible();
});

test("in a dialog, the offline notice covers no button, and the input is kept", async ({
  page,
  context,
  site,
  login,
}) => {
  await login(await site.family({ intake: true }));
  await page.goto("/appointments/new");
  await chooseService(page, "Hourly Consulting");
  await typeTime(page, "2027-11-07T10:00");
  await showInDialog(page, page.getByLabel(/^Note/));
  await page.getByLabel(/^Note/).fill("Please keep this.");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Schedule Appointment" }).click();
  const line = page.getByText("Nothing was sent");
  await expect(line).toBeInViewport();
  expect(await line.evaluate((element) => element.matches(":popover-open"))).toBe(true);
  await expect(page.getByLabel(/^Note/)).toHaveValue("Please keep this.");
  const button = page.getByRole("button", { name: "Schedule Appointment" });
  const [lineBox, buttonBox] = [await line.boundingBox(), await button.boundingBox()];
  expect((buttonBox?.y ?? 0) + (buttonBox?.height ?? 0)).toBeLessThanOrEqual(lineBox?.y ?? 0);
  await context.setOffline(false);
  await expect(page.getByText("You are connected again.")).toBeHidden();
  const padding = () => page.getByRole("dialog").evaluate((dialog) => getComputedStyle(dialog).paddingBottom);
  expect(parseFloat(await padding())).toBeLessThan(64);
  await button.click();
  await expect(page.getByText("Error: Please select a payment method to continue")).toBeVisible();
  await expect(page.getByLabel(/^Note/)).toHaveValue("Please keep this.");
});

test("a link clicked while offline opens automatically once online", async ({ page, context, site, login }) => {
  await login(await site.family());
  await page.goto("/dashboard");
  await context.setOffline(true);
  await page.getByRole("link", { name: "Total Appointments" }).click();
  await expect(page.getByText("That page will open on its own once you're back online.")).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
  await context.setOffline(false);
  await expect(page).toHaveURL(/\/appointments$/);
  await expect(page.getByRole("heading", { level: 1, name: "Appointments" })).toBeVisible();
  await expect(page.getByText(OFFLINE)).toHaveCount(0);
});
