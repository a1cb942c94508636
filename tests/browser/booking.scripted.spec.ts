// Proves the booking dialog with script: offered and typed times, prices, lengths, Escape.
import { expect, test } from "../support/playwright-fixtures.ts";

test.beforeEach(async ({ page, site, login }) => {
  await login(await site.family({ intake: true }));
  await page.goto("/appointments");
  await page.getByRole("link", { name: "Schedule Appointment" }).click();
});

test("a chosen time and a typed time never disagree", async ({ page }) => {
  const typed = page.getByLabel("Date & Time");
  const day = page.getByLabel("Day", { exact: true });
  await day.fill("2027-06-07");
  await page.getByRole("radio", { name: "Monday, June 7, 2027, 10:00 AM Eastern" }).check();
  await expect(typed).toHaveValue("2027-06-07T10:00");
  await typed.fill("2027-06-07T11:15");
  await expect(page.getByRole("radio", { name: "Another time, as typed below" })).toBeChecked();
  await day.fill("2027-06-08");
  await expect(page.getByRole("radio", { name: "Tuesday, June 8, 2027, 6:30 PM Eastern" })).toBeVisible();
  await expect(typed).toHaveValue("");
});

test("a service brings its price and its length, and new free times with them", async ({ page }) => {
  await page.getByLabel("Day", { exact: true }).fill("2027-06-09");
  await expect(page.getByRole("radio", { name: /12:30 PM Eastern/ })).toBeVisible();
  await page.getByLabel("Service Type").fill("Initial Consultation");
  await expect(page.getByLabel("Duration")).toHaveValue("90");
  await expect(page.getByRole("radio", { name: /12:30 PM Eastern/ })).toHaveCount(0);
  await page.getByLabel("Service Type").fill("Monthly Retainer");
  await expect(page.getByText("Monthly Retainer costs $400.")).toBeVisible();
  await expect(page.getByLabel("Duration")).toHaveValue("60");
});

test("Escape closes the dialog, and what was booked meanwhile is refused with the words kept", async ({
  page,
  site,
}) => {
  const rival = await site.family({ intake: true });
  await page.getByLabel("Service Type").fill("Hourly Consulting");
  await page.getByLabel("Description").fill("Please keep this.");
  await page.getByLabel("Day", { exact: true }).fill("2027-06-12");
  await page.getByRole("radio", { name: "Saturday, June 12, 2027, 2:00 PM Eastern" }).check();
  await page.getByRole("radio", { name: "Pay in person" }).check();
  const taken = await rival.post("/api/appointments", {
    title: "Hourly Consulting",
    appointmentDate: "2027-06-12T18:00:00Z",
  });
  expect(taken.status).toBe(201);
  await page.getByRole("button", { name: "Schedule Appointment" }).click();
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("Time Slot Unavailable");
  await expect(alert).toContainText("This time slot is already taken.");
  await expect(alert).toBeFocused();
  await expect(page.getByLabel("Description")).toHaveValue("Please keep this.");
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/appointments$/);
});
