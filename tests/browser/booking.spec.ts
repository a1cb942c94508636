// Proves that a family books, is sent to the intake form, and cancels, with and without script.
import type { Locator } from "playwright/test";
import { expect, test } from "../support/browser/playwright-fixtures.ts";
import { payByCard } from "../support/bookings.ts";
import {
  choosePayment,
  chooseService,
  serviceRadio,
  showInDialog,
  typeTime,
} from "../support/browser/booking-dialog.ts";

/** A day of its own for each test, in the words of the page; far enough to be free and open. */
const SATURDAY = { day: "2027-06-05", short: "Sat, Jun 5, 2027" };
const SUNDAY = { day: "2027-06-06", short: "Sun, Jun 6, 2027" };

async function expectInTheMiddle(dialog: Locator) {
  const { above, below } = await dialog.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { above: top, below: window.innerHeight - bottom };
  });
  expect(Math.abs(above - below)).toBeLessThan(2);
}

test("a family books a free time in person, moves it, sees it and cancels it", async ({
  page,
  site,
  login,
  expectAccessible,
}, { project }) => {
  await login(await site.family({ intake: true }));
  const time = project.name === "with script" ? "9:00 AM" : "11:00 AM";
  await page.goto("/appointments?service=Initial%20Consultation");
  if (project.name === "with script") await expect(page.locator("dialog:modal")).toBeVisible();
  await expect(serviceRadio(page, "Initial Consultation")).toBeChecked();
  await expect(page.locator("[name=duration]")).toHaveValue("90");
  await expectAccessible(page);
  await typeTime(page, `${SATURDAY.day}T${time === "9:00 AM" ? "09" : "11"}:00`);
  await expectAccessible(page);
  await showInDialog(page, page.getByLabel(/^Note/));
  await page.getByLabel(/^Note/).fill("Reading takes all evening.");
  await page.getByRole("button", { name: "Schedule Appointment" }).click();
  await expect(page.getByText("Payment Method Required").first()).toBeVisible();
  await expect(page.getByText("Please select a payment method to continue").first()).toBeVisible();
  await expectAccessible(page);
  await choosePayment(page, "Pay in person");
  await expect(page.getByLabel(/^Note/)).toHaveValue("Reading takes all evening.");
  await page.getByRole("button", { name: "Schedule Appointment" }).click();

  await expect(page.getByText("Appointment Booked!")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You are booked");
  await expectAccessible(page);
  await page.getByRole("link", { name: "Move this visit" }).click();
  await expect(page.getByRole("dialog", { name: "Move this visit Initial Consultation" })).toBeVisible();
  await expect(page.locator(".both-times")).toContainText("Sat, Jun 5");
  await page.getByRole("link", { name: "Later days" }).click();
  await expect(page.getByRole("link", { name: "Back to the first days" })).toBeVisible();
  await page.getByRole("button", { name: "Move to this time" }).click();
  await expect(page.getByRole("alert")).toContainText("Choose a date and time.");
  await expectAccessible(page);
  await page.getByText("Type a date and time", { exact: true }).click();
  await page.getByLabel("Date & Time").fill(time === "9:00 AM" ? "2027-06-05T15:00" : "2027-06-05T17:00");
  await page.getByRole("button", { name: "Move to this time" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your visit is moved");
  await expectAccessible(page);
  await page.getByRole("link", { name: "All your appointments" }).click();
  const movedTime = time === "9:00 AM" ? "3:00 PM" : "5:00 PM";
  const row = page.getByRole("listitem").filter({ hasText: `${SATURDAY.short} at ${movedTime} ET` });
  await expect(row).toContainText("rescheduled");
  await row.getByRole("link", { name: "Cancel visit Initial Consultation" }).click();
  const which = `Initial Consultation ${SATURDAY.short} at ${movedTime} ET`;
  const dialog = page.getByRole("dialog", { name: `Cancel this appointment? ${which}`, exact: true });
  await expect(page).toHaveTitle(/Cancel this appointment\? Initial Consultation, /);
  if (project.name === "with script") await expectInTheMiddle(dialog);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Cancel appointment" }).click();
  await expect(page.getByText("Appointment Cancelled")).toBeVisible();
  await expect(row).toContainText("cancelled");
  await expect(row.getByRole("link")).toHaveText([/^Remove from my calendar/, /^Book again/]);
});

test("a family canceling while the refund amount changes must confirm again with the new amount", async ({
  page,
  site,
  login,
  expectAccessible,
}, { project }) => {
  const [family, admin] = [await site.family({ intake: true }), await site.consultant()];
  const paid = await payByCard(family, `2027-06-12T${project.name === "with script" ? "13" : "15"}:00:00.000Z`);
  const { id } = paid.json.appointment as { id: number };
  await login(family);
  await page.goto(`/appointments/${id}/cancel`);
  const dialog = page.getByRole("dialog", { name: /^Cancel this appointment\?/ });
  await expect(dialog).toContainText("If you cancel now, $75 goes back");
  const payments = `/dashboard/appointments/${id}/payment`;
  const { document } = await admin.get(payments);
  const hidden = (name: string) => document.querySelector(`[name=${name}]`)?.getAttribute("value") ?? "";
  const refund = {
    intent: "refund",
    amount: "20",
    reason: "As agreed",
    paymentId: hidden("paymentId"),
    key: hidden("key"),
  };
  expect((await admin.form(payments, refund)).status).toBe(302);
  await dialog.getByRole("button", { name: "Cancel appointment" }).click();
  await expect(dialog.getByRole("alert")).toHaveText(/^The amount has changed since you opened this page\./);
  await expect(dialog).toContainText("If you cancel now, $55 goes back");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Cancel appointment" }).click();
  await expect(page.getByText("Appointment Cancelled")).toBeVisible();
});

test("a new family is sent to the intake form before it chose how to pay, and its choices are kept", async ({
  page,
  site,
  login,
}, { project }) => {
  await login(await site.family());
  await page.goto("/appointments/new");
  await chooseService(page, "Hourly Consulting");
  await typeTime(page, `${SUNDAY.day}T${project.name === "with script" ? "09" : "11"}:00`);
  await showInDialog(page, page.getByLabel(/^Note/));
  await page.getByLabel(/^Note/).fill("Reading takes all evening.");
  await page.getByRole("button", { name: "Proceed" }).click();
  await expect(page.getByRole("dialog", { name: "Family Advocacy Intake Form" })).toContainText(
    "You choose how to pay for “Hourly Consulting” after this form.",
  );
  await page.goto("/appointments/new");
  await expect(serviceRadio(page, "Hourly Consulting")).toBeChecked();
  await expect(page.locator("[name=notes]")).toHaveValue("Reading takes all evening.");
});
