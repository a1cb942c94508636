// Proves end-to-end journeys of families and the consultant, with and without script.
import { TZDate } from "@date-fns/tz/date";
import type { Page } from "playwright/test";
import { expect, type Site, test } from "../support/browser/playwright-fixtures.ts";
import { adminEmail, adminPassword } from "../support/test-environment.ts";
import { choosePayment, preventHold, serviceRadio, typeTime } from "../support/browser/booking-dialog.ts";

let families = 0;

/** A Sunday so many weeks from now, on which nobody else of this worker has booked. The office is open from 9 to 7. */
function sunday(weeks: number): string {
  const day = new Date(Date.now() + weeks * 7 * 86_400_000);
  day.setUTCDate(day.getUTCDate() + ((7 - day.getUTCDay()) % 7));
  return day.toISOString().slice(0, 10);
}

async function register(page: Page, firstName: string, lastName: string) {
  families += 1;
  await page.goto("/");
  await page.getByRole("banner").getByRole("link", { name: "Get Started" }).click();
  await page.getByLabel("First Name").fill(firstName);
  await page.getByLabel("Last Name").fill(lastName);
  await page.getByLabel("Email").fill(`${firstName}.${families}@example.com`.toLowerCase());
  await page.getByLabel("Password", { exact: true }).fill("a long walk home");
  await page.getByLabel("Confirm Password").fill("a long walk home");
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByText("Account Created!")).toBeVisible();
}

/** Chooses a service card, the day, its first free time, and paying in person. */
async function askForVisit(page: Page, day: string) {
  await page.goto("/appointments?service=Initial%20Consultation");
  const dialog = page.getByRole("dialog", { name: "Schedule Appointment" });
  await expect(dialog.getByText("Intake Form must be filled out to proceed with appointment")).toBeVisible();
  await expect(serviceRadio(page, "Initial Consultation")).toBeChecked();
  await expect(dialog.locator("[name=duration]")).toHaveValue("90");
  await expect(dialog.locator("[name=description]")).toHaveValue("Request for Initial Consultation service");
  await typeTime(page, `${day}T10:00`);
  await choosePayment(page, "Pay in person");
}

async function fillIntakeForm(page: Page) {
  const dialog = page.getByRole("dialog", { name: "Family Advocacy Intake Form" });
  const next = () => dialog.getByRole("button", { name: "Save and continue" }).click();
  await dialog.getByRole("link", { name: "Start the form" }).click();
  await dialog.getByLabel("Phone number").fill("(732) 555-0188");
  await dialog.getByLabel("Home address").fill("4 Bath Avenue, Long Branch, NJ 07740");
  await next();
  await dialog.getByLabel("Child's name").fill("Inés");
  await dialog.getByLabel("Child's age").fill("8 years");
  await dialog.getByLabel("Child's birthday").fill("May 2, 2018");
  await dialog.getByLabel("School name").fill("Elm Street School");
  await next();
  await dialog.getByRole("checkbox", { name: "School Advocacy / IEP / 504 Plans" }).check();
  await next();
  await dialog.getByLabel("Preferred days and times").fill("Sundays");
  await next();
  await expect(dialog.getByText("Elm Street School")).toBeVisible();
  await expect(dialog.getByText("School Advocacy / IEP / 504 Plans")).toBeVisible();
}

async function signIn(page: Page, email: string, password: string) {
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("You have successfully logged in.")).toBeVisible();
}

async function asConsultant(page: Page, site: Site, check: () => Promise<void>) {
  const own = await page.context().cookies();
  await page.context().clearCookies();
  await signIn(page, adminEmail, adminPassword);
  await page.goto(`${site.origin}/dashboard`);
  await check();
  await page.context().clearCookies();
  await page.context().addCookies(own);
}

test("a family registers, fills in the intake form, books a visit that the consultant sees, and cancels it", async ({
  page,
  site,
}) => {
  const day = sunday(3 + test.info().parallelIndex);
  await register(page, "Marisol", "Quintero");
  await askForVisit(page, day);
  await page.getByText("More options").click();
  await page.getByLabel("Duration").fill("120");
  await page.getByRole("button", { name: "Proceed" }).click();
  await fillIntakeForm(page);
  await page.getByRole("button", { name: "Submit and continue booking" }).click();

  await expect(page.getByText("Appointment Booked!").first()).toBeVisible();
  await expect(page.getByText(/Intake Form Submitted! Payment of \$75 is collected in person\./).first()).toBeVisible();
  await page.getByRole("link", { name: "All your appointments" }).click();
  const upcoming = page
    .getByRole("listitem")
    .filter({ hasText: "Initial Consultation" })
    .filter({ hasText: "at 10:00 AM" });
  await expect(upcoming.filter({ hasText: "scheduled" })).toBeVisible();
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Welcome, Marisol!");
  const sections = page.getByRole("main").locator("h2, .stats");
  await expect(sections).toHaveText([
    "Your next visit",
    "To do",
    "Recent Appointments",
    "Recent Documents",
    /^Upcoming Appointments\s*1\s*Total Appointments/,
  ]);

  await asConsultant(page, site, async () => {
    const row = page.locator("#appointments li").filter({ hasText: "Marisol Quintero" });
    await expect(row).toContainText("Initial Consultation");
    await expect(row).toContainText("10:00 AM");
    await expect(row).toContainText("120 minutes, longer than sold");
  });

  await page.goto("/appointments");
  await page.getByRole("link", { name: "Cancel visit Initial Consultation" }).click();
  const confirm = page.getByRole("dialog", { name: "Cancel this appointment?" });
  await expect(confirm.getByRole("link", { name: "Keep appointment" })).toBeVisible();
  await confirm.getByRole("button", { name: "Cancel appointment" }).click();
  await expect(page.getByText("Appointment Cancelled").first()).toBeVisible();
  await expect(upcoming.filter({ hasText: "cancelled" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Cancel visit Initial Consultation" })).toHaveCount(0);
});

test("a partly completed intake form is stored on the server and continues on another device", async ({
  page,
  browser,
  site,
  javaScriptEnabled,
}) => {
  await register(page, "Oluchi", "Eze");
  await page.goto("/dashboard/intake-form");
  const dialog = page.getByRole("dialog", { name: "Family Advocacy Intake Form" });
  await dialog.getByRole("link", { name: "Start the form" }).click();
  await dialog.getByLabel("Phone number").fill("(732) 555-0123");
  await dialog.getByLabel("Home address").fill("9 Cedar Avenue");
  await dialog.getByRole("button", { name: "Save and continue" }).click();
  await expect(dialog.getByLabel("Child's name")).toBeVisible();

  const device = await browser.newContext({ javaScriptEnabled, baseURL: site.origin });
  await device.addCookies(await page.context().cookies());
  const other = await device.newPage();
  await other.goto("/dashboard/intake-form?step=client");
  await expect(other.getByLabel("Phone number")).toHaveValue("(732) 555-0123");
  await expect(other.getByLabel("Home address")).toHaveValue("9 Cedar Avenue");
  await device.close();
});

test("a time that another family booked meanwhile is refused, and the chosen service is kept", async ({
  page,
  site,
  login,
}) => {
  const day = sunday(40 + test.info().parallelIndex);
  const [quick, slow] = [await site.family({ intake: true }), await site.family({ intake: true })];
  await login(slow);
  await preventHold(page);
  await askForVisit(page, day);
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const start = new Date(new TZDate(year, month - 1, date, 10, 0, "America/New_York").getTime()).toISOString();
  const booked = { title: "Hourly Consulting", appointmentDate: start, duration: 60, type: "consultation" };
  expect((await quick.post("/api/appointments/in-person", booked)).status).toBe(201);
  await page.getByRole("dialog").getByRole("button", { name: "Schedule Appointment" }).click();
  await expect(page.getByText("Time Slot Unavailable").first()).toBeVisible();
  await expect(serviceRadio(page, "Initial Consultation")).toBeChecked();
  expect((await slow.get("/api/appointments")).json).toEqual([]);
});

test("a visitor who opens a booking link is sent to sign in and returns to the booking", async ({ page, site }) => {
  const family = await site.family();
  await page.goto("/appointments?service=Hourly%20Consulting");
  await expect(page).toHaveURL(/\/login\?redirectTo=/);
  await page.getByLabel("Email").fill(family.email);
  await page.getByLabel("Password", { exact: true }).fill(family.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL(/\/appointments\?service=Hourly/);
  await expect(serviceRadio(page, "Hourly Consulting")).toBeChecked();
});

test("a form error is listed in a summary, linked to its field, and described at the field", async ({ page }) => {
  await page.goto("/register");
  await page.getByLabel("First Name").fill("Rosa");
  await page.getByLabel("Email").fill("rosa@");
  await page.getByLabel("Password", { exact: true }).fill("12345");
  await page.getByRole("button", { name: "Create Account" }).click();
  const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
  await expect(summary).toContainText("Registration Failed");
  await expect(page.locator(".toast")).toHaveCount(0);
  await summary.getByRole("link", { name: /Password must be at least 6 characters/ }).click();
  await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
  await expect(page.getByLabel("Password", { exact: true })).toHaveAccessibleDescription(/at least 6 characters/);
  await expect(page.getByLabel("Email")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("First Name")).toHaveValue("Rosa");
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue("");
});

test("a new family reads how long the intake form takes, and changes its name and phone", async ({
  page,
  site,
  login,
}) => {
  await login(await site.family({ firstName: "Noor" }));
  await page.goto("/dashboard");
  await expect(page.getByRole("region", { name: "To do" })).toContainText("About 10 minutes");
  await page.goto("/dashboard/profile");
  await page.getByLabel("First Name").fill("Noor-Jahan");
  await page.getByRole("textbox", { name: "Phone" }).fill("(732) 555-0171");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Details Saved").first()).toBeVisible();
  await expect(page.getByRole("main")).toContainText("(732) 555-0171");
  await expect(page.getByRole("banner")).toContainText("Hello, Noor-Jahan");
});

test("after a family signs out, Back leads to the sign-in page and shows no personal data", async ({
  page,
  site,
  login,
}) => {
  await login(await site.family({ firstName: "Emmeline" }));
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Emmeline");
  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/");
  await page.goBack();
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText("Emmeline")).toHaveCount(0);
});

test("the consultant creates a link with which a family sets a new password once", async ({ page, site, login }) => {
  const family = await site.family();
  await login(await site.consultant());
  await page.goto("/dashboard/reset-link");
  await page.getByLabel("The family's email address").fill(family.email);
  await page.getByRole("button", { name: "Make the link" }).click();
  const link = await page.getByText(/\/reset-password\//).innerText();
  await page.context().clearCookies();
  await page.goto(link);
  await page.getByLabel("New Password", { exact: true }).fill("found my words again");
  await page.getByLabel("Confirm New Password").fill("found my words again");
  await page.getByRole("button", { name: "Save new password" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Welcome back");
  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link no longer works");
});
