// Proves that a family books, is led through the intake form, and cancels, with and without script.
import type { Locator, Page } from "playwright/test";
import { expect, test } from "../support/playwright-fixtures.ts";

/** A day of its own for each test, in the words of the page; far enough to be free and open. */
const SATURDAY = { day: "2027-06-05", words: "Saturday, June 5, 2027", short: "Sat, Jun 5, 2027" };
const SUNDAY = { day: "2027-06-06", words: "Sunday, June 6, 2027", short: "Sun, Jun 6, 2027" };

async function chooseTime(page: Page, { day, words }: { day: string; words: string }, time: string) {
  await page.getByLabel("Day", { exact: true }).fill(day);
  await page.getByRole("button", { name: "Show free times" }).click();
  await page.getByRole("radio", { name: `${words}, ${time} Eastern` }).check();
}

async function expectInTheMiddle(dialog: Locator) {
  const { above, below } = await dialog.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { above: top, below: window.innerHeight - bottom };
  });
  expect(Math.abs(above - below)).toBeLessThan(2);
}

test("a family books a free time in person, sees it and cancels it", async ({ page, site, login, expectAccessible }, {
  project,
}) => {
  await login(await site.family({ intake: true }));
  const time = project.name === "with script" ? "9:00 AM" : "11:00 AM";
  await page.goto("/appointments?service=Initial%20Consultation");
  if (project.name === "with script") await expect(page.locator("dialog:modal")).toBeVisible();
  await expect(page.getByLabel("Service Type")).toHaveValue("Initial Consultation");
  await expect(page.getByLabel("Duration")).toHaveValue("90");
  await page.getByLabel("Description").fill("Reading takes all evening.");
  await chooseTime(page, SATURDAY, time);
  await expect(page.getByLabel("Description")).toHaveValue("Reading takes all evening.");

  await page.getByRole("button", { name: "Schedule Appointment" }).click();
  await expect(page.getByRole("alert")).toContainText("Payment Method Required");
  await expect(page.getByRole("alert").getByRole("link")).toHaveText("Please select a payment method to continue");
  await expectAccessible(page);
  await page.getByRole("radio", { name: "Pay in person" }).check();
  await page.getByRole("button", { name: "Schedule Appointment" }).click();

  await expect(page.getByText("Appointment Booked!")).toBeVisible();
  const row = page.getByRole("listitem").filter({ hasText: `${SATURDAY.short} at ${time} ET` });
  await expect(row).toContainText("scheduled");
  await row.getByRole("link", { name: "Cancel Initial Consultation" }).click();
  const which = `Initial Consultation ${SATURDAY.short} at ${time} ET`;
  const dialog = page.getByRole("dialog", { name: `Cancel this appointment? ${which}`, exact: true });
  await expect(page).toHaveTitle(/Cancel this appointment\? Initial Consultation, /);
  await expectInTheMiddle(dialog);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Cancel appointment" }).click();
  await expect(page.getByText("Appointment Cancelled")).toBeVisible();
  await expect(row).toContainText("cancelled");
  await expect(row.getByRole("link")).toHaveCount(0);
});

test("a new family is led through the intake form, and its booking waits for it", async ({ page, site, login }, {
  project,
}) => {
  await login(await site.family());
  await page.goto("/appointments/new");
  await page.getByLabel("Service Type").fill("Hourly Consulting");
  await chooseTime(page, SUNDAY, project.name === "with script" ? "9:00 AM" : "11:00 AM");
  await page.getByRole("radio", { name: "Pay in person" }).check();
  await page.getByRole("button", { name: "Proceed" }).click();
  await expect(page.getByRole("dialog", { name: "Family Advocacy Intake Form" })).toContainText("Hourly Consulting");
  await page.goto("/appointments/new");
  await expect(page.getByLabel("Service Type")).toHaveValue("Hourly Consulting");
  await expect(page.getByRole("radio", { name: "Pay in person" })).toBeChecked();
});
