// Proves that open pages follow changes: a time booked meanwhile is no longer offered, and an open room is looked up.
import { choosePayment, chooseService, preventHold, showInDialog } from "../../support/browser/booking-dialog.ts";
import { expect, test } from "../../support/browser/playwright-fixtures.ts";
import { waitForHydration } from "../../support/browser/wait-for-hydration.ts";

const HOUR_MS = 3_600_000;
const TITLE = "Hourly Consulting";

test.use({ viewport: { width: 375, height: 700 } });

test("a chosen time that another family books is refused, deselected and removed; another can be chosen", async ({
  page,
  site,
  login,
}) => {
  const rival = await site.family({ intake: true });
  await login(await site.family({ intake: true }));
  await page.goto("/appointments/new?date=2027-10-02");
  await chooseService(page, TITLE);
  const taken = page.getByRole("radio", { name: /^Saturday, October 2, 2027, 11:00 AM/ });
  await showInDialog(page, taken);
  await taken.check();
  const visit = { title: TITLE, appointmentDate: "2027-10-02T15:00:00Z", duration: 60 };
  expect((await rival.post("/api/appointments/in-person", visit)).status).toBe(201);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.locator(".field-error")).toContainText("11:00 AM");
  await expect(taken).toHaveCount(0);
  await expect(page.getByRole("radio", { name: /^Saturday, October 2, 2027, 11:30 AM/ })).toHaveCount(0);
  await expect(page.locator("input[name=slot]:checked")).toHaveCount(0);
  await expect(page.getByText("Everything else you chose is saved. Take one of the nearest times:")).toBeVisible();
  await expect(page.locator("button[name=take]")).toHaveCount(4);
  await page.getByRole("button", { name: /^Sat, Oct 2, 12:00 PM/ }).click();
  await expect(page.getByRole("heading", { name: "How?" })).toBeVisible();
  await expect(page.locator(".booking-choices:visible")).toContainText("Sat, Oct 2, 2027 at 12:00 PM ET");
  await expect(page.getByRole("status").filter({ hasText: "Held for you until" })).toBeVisible();
  expect(
    (await rival.post("/api/appointments/in-person", { ...visit, appointmentDate: "2027-10-02T16:00:00Z" })).status,
  ).toBe(409);
});

test("a time chosen after a booking conflict and a missing-choice error stays selected", async ({
  page,
  site,
  login,
}) => {
  const rival = await site.family({ intake: true });
  await login(await site.family({ intake: true }));
  await preventHold(page);
  await page.goto("/appointments/new?date=2027-10-16");
  await chooseService(page, TITLE);
  const taken = page.getByRole("radio", { name: /^Saturday, October 16, 2027, 11:00 AM/ });
  await showInDialog(page, taken);
  await taken.check();
  await choosePayment(page, "Pay in person");
  const visit = { title: TITLE, appointmentDate: "2027-10-16T15:00:00Z", duration: 60 };
  expect((await rival.post("/api/appointments/in-person", visit)).status).toBe(201);
  await page.getByRole("button", { name: "Schedule Appointment" }).click();
  await expect(page.getByRole("alert")).toContainText("This time slot is already taken.");
  await expect(page.getByText("Sat, Oct 16, 11:00 AM is taken; everything else you chose is saved")).toBeVisible();
  await expect(page.getByText("isn't held for you")).toHaveCount(0);
  await expect(page.locator("button[name=take]")).toHaveCount(4);
  await expect(taken).toHaveCount(0);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Choose a date and time.")).toBeVisible();
  const other = page.getByRole("radio", { name: /^Saturday, October 16, 2027, 2:00 PM/ });
  await other.check();
  await page.waitForLoadState("networkidle");
  await expect(other).toBeChecked();
});

test("one press after a booking conflict books one of the nearest times with everything else kept", async ({
  page,
  site,
  login,
}) => {
  const [family, rival] = [await site.family({ intake: true }), await site.family({ intake: true })];
  await login(family);
  await preventHold(page);
  await page.goto("/appointments/new?date=2027-10-23");
  await chooseService(page, TITLE);
  const taken = page.getByRole("radio", { name: /^Saturday, October 23, 2027, 11:00 AM/ });
  await showInDialog(page, taken);
  await taken.check();
  await choosePayment(page, "Pay in person", "Please keep this.");
  const visit = { title: TITLE, appointmentDate: "2027-10-23T15:00:00Z", duration: 60 };
  expect((await rival.post("/api/appointments/in-person", visit)).status).toBe(201);
  await page.getByRole("button", { name: "Schedule Appointment" }).click();
  await page.getByRole("button", { name: /^Sat, Oct 23, 12:00 PM/ }).click();
  await expect(page.getByRole("heading", { name: "You are booked" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Your visit" })).toContainText("12:00 PM");
  expect((await family.get("/api/appointments")).json).toMatchObject([{ notes: "Please keep this." }]);
});

test("when moving a visit, a time that another family books is refused and no longer offered", async ({
  page,
  site,
  login,
}) => {
  const rival = await site.family({ intake: true });
  const family = await site.family({ intake: true });
  const visitAt = (appointmentDate: string) => ({ title: TITLE, appointmentDate, duration: 60 });
  const { json } = await family.post("/api/appointments/in-person", visitAt("2027-10-09T15:00:00Z"));
  await login(family);
  await page.goto(`/appointments/${json.id}/move`);
  await waitForHydration(page);
  const taken = page.getByRole("radio", { name: /^Saturday, October 9, 2027, 2:00 PM/ });
  await taken.check();
  const comparison = page.locator(".both-times");
  await expect(comparison).toContainText("2:00 PM");
  expect((await rival.post("/api/appointments/in-person", visitAt("2027-10-09T18:00:00Z"))).status).toBe(201);
  await page.getByRole("button", { name: "Move to this time" }).click();
  await expect(page.getByRole("alert")).toContainText("This time slot is already taken.");
  await expect(taken).toHaveCount(0);
  await expect(comparison).toContainText("Pick a time above");
  await expect(page.getByLabel("Date & Time")).toBeHidden();
  await page.getByText("Type a date and time", { exact: true }).click();
  const typed = page.getByLabel("Date & Time");
  await typed.fill("2027-10-09T23:00");
  // What was refused is the chosen time, not the typed one.
  await expect(typed).not.toHaveAttribute("aria-invalid", "true");
  await page.getByRole("button", { name: "Move to this time" }).click();
  await expect(page.getByRole("alert")).not.toContainText("already taken");
  await expect(typed).toHaveAttribute("aria-invalid", "true");
  await page.getByRole("alert").getByRole("link").click();
  await expect(typed).toBeFocused();
  await page.getByRole("radio", { name: /^Saturday, October 9, 2027, 3:00 PM/ }).check();
  await page.getByRole("button", { name: "Move to this time" }).click();
  await expect(page.getByRole("heading", { name: "Your visit is moved" })).toBeVisible();
});

test("the dashboard and the confirmation page reload their data when the waiting room opens", async ({
  page,
  site,
  login,
}) => {
  const family = await site.family({ intake: true });
  const start = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 20 * HOUR_MS).toISOString();
  const visit = { title: TITLE, appointmentDate: start, duration: 60, isLiveVideoCall: true, type: "emergency" };
  const { json, status } = await family.post("/api/appointments", visit);
  expect(status).toBe(201);
  await login(family);
  await page.clock.install();
  for (const path of ["/dashboard", `/appointments/${json.id}/booked`]) {
    await page.goto(path);
    await waitForHydration(page);
    await expect(page.getByText(/button appears here/)).toBeVisible();
    let isAskedAgain = false;
    page.on("request", (request) => (isAskedAgain ||= new URL(request.url()).pathname === `${path}.data`));
    // Parts of the page are hydrated later, and begin to wait then.
    await expect(async () => {
      await page.clock.fastForward(21 * HOUR_MS);
      expect(isAskedAgain).toBe(true);
    }).toPass();
  }
});
