// Proves that a family adds an appointment to its account with a one-time link.
import { expect, test } from "../support/browser/playwright-fixtures.ts";

test("a family with a one-time link registers and adds the visit made from its request; the link then expires", async ({
  page,
  site,
  login,
}) => {
  const admin = await site.consultant();
  const story = {
    firstName: "Ilse",
    lastName: "Brandt",
    email: "ilse@example.org",
    serviceNeeds: "IEP",
    consent: true,
  };
  const asked = await site.visitor().post("/api/consultation-requests", story);
  const visit = { title: "Initial Consultation", appointmentDate: "2027-09-05T18:00:00Z" };
  const made = await admin.post("/api/appointments/from-consultation", {
    ...visit,
    consultationRequestId: asked.json.id,
  });
  await login(admin);
  await page.goto(`/dashboard/appointments/${made.json.id}`);
  await page.getByRole("link", { name: "Link for the family" }).click();
  await page.getByRole("button", { name: "Make the link" }).click();
  const link = await page.getByText(/\/claim-visit\//).innerText();
  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByText("Ilse Brandt")).toHaveCount(0);
  await page.getByRole("link", { name: "Create an account to add it" }).click();
  await page.getByLabel("First Name").fill("Ilse");
  await page.getByLabel("Last Name").fill("Brandt");
  await page.getByLabel("Email").fill(`ilse.${Date.now()}@example.com`);
  await page.getByLabel("Password", { exact: true }).fill("a long walk home");
  await page.getByLabel("Confirm Password").fill("a long walk home");
  await page.getByRole("button", { name: "Create Account" }).click();
  await page.getByRole("button", { name: "This is my visit" }).click();
  await expect(page).toHaveURL("/appointments");
  await expect(page.getByText("Initial Consultation - Ilse Brandt").first()).toBeVisible();
  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link does not work");
});
