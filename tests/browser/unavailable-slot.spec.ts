// Proves that a family whose time was booked by another family keeps its other choices, with and without script.
import {
  choosePayment,
  chooseService,
  preventHold,
  serviceRadio,
  typeTime,
} from "../support/browser/booking-dialog.ts";
import { expect, test } from "../support/browser/playwright-fixtures.ts";

test("a family whose time was taken returns to the time step, keeps its choices, and books another time", async ({
  page,
  site,
  login,
  expectAccessible,
}, { project }) => {
  const [slow, quick] = [await site.family(), await site.family({ intake: true })];
  const hour = project.name === "with script" ? "10" : "14";
  await login(slow);
  await preventHold(page);
  await page.goto("/appointments/new");
  await chooseService(page, "Hourly Consulting");
  await typeTime(page, `2027-08-07T${hour}:00`);
  await choosePayment(page, "Pay in person", "Please keep this.");
  const start = `2027-08-07T${Number(hour) + 4}:00:00Z`;
  const rival = { title: "Hourly Consulting", appointmentDate: start, duration: 60, type: "consultation" };
  expect((await quick.post("/api/appointments/in-person", rival)).status).toBe(201);

  await page.getByRole("button", { name: "Proceed" }).click();
  const intake = page.getByRole("dialog", { name: "Family Advocacy Intake Form" });
  await expect(intake).toContainText("is taken. Everything else you chose is saved.");
  await intake.getByRole("link", { name: "Start the form" }).click();
  for (const [label, text] of [
    ["Phone number", "(732) 555-0188"],
    ["Home address", "4 Bath Avenue"],
  ] as const)
    await intake.getByLabel(label).fill(text);
  await intake.getByRole("button", { name: "Save and continue" }).click();
  for (const [label, text] of [
    ["Child's name", "Inés"],
    ["Child's age", "8"],
    ["Child's birthday", "May 2, 2018"],
  ] as const)
    await intake.getByLabel(label).fill(text);
  for (const section of ["Child's name", "Other concerns", "Preferred days and times"]) {
    await expect(intake.getByLabel(section)).toBeVisible();
    await intake.getByRole("button", { name: "Save and continue" }).click();
  }
  await intake.getByRole("button", { name: "Submit and continue booking" }).click();

  const dialog = page.getByRole("dialog", { name: "Schedule Appointment" });
  await expect(page.getByText("Intake Form Submitted!")).toHaveCount(1);
  await expect(dialog).toContainText("Thank you. One thing is left for your booking.");
  await expect(dialog.getByRole("heading", { name: "When?" })).toBeVisible();
  const sentence = dialog.getByText("is taken; everything else you chose is saved, so just pick another time:");
  await expect(sentence).toBeVisible();
  if (project.name === "with script") await expect(sentence).toBeFocused();
  await expect(serviceRadio(page, "Hourly Consulting")).toBeChecked();
  await expect(page.locator("[name=notes]")).toHaveValue("Please keep this.");
  await expectAccessible(page);
  await dialog.locator("button[name=take]").first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You are booked");
});
