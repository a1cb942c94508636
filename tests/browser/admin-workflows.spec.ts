// Proves the administrator's day from a request to a completed appointment, with and without script.
import type { Page } from "playwright/test";
import { formatLongDate } from "../../app/ui/format-date-time.ts";
import { clearRequests } from "../support/browser/clear-requests.ts";
import { expect, test } from "../support/browser/playwright-fixtures.ts";
import { choosePayment, chooseService, typeTime } from "../support/browser/booking-dialog.ts";

// Each browser has days of its own on the same site.
const DAYS = {
  "with script": { first: "2027-08-07", later: "2027-08-08", closed: "2027-08-14", words: "Saturday, August 14, 2027" },
  "without script": {
    first: "2027-08-21",
    later: "2027-08-22",
    closed: "2027-08-28",
    words: "Saturday, August 28, 2027",
  },
};

function daysOf(project: { name: string }) {
  return DAYS[project.name as keyof typeof DAYS];
}

/** The group of a day's free times: those of the day before it in the field go away when its own come. */
function timesOf(day: string): string {
  return `Open times on ${formatLongDate(`${day}T12:00Z`, "America/New_York")}`;
}

/** What someone without an account writes. */
async function askForConsultation(page: Page, lastName: string) {
  await page.goto("/request-consultation");
  await page.getByLabel("First Name").fill("Jane");
  await page.getByLabel("Last Name").fill(lastName);
  await page.getByLabel("Email").fill(`jane.${lastName.toLowerCase()}@example.org`);
  await page.getByLabel("What do you need help with?").fill("An IEP meeting in September");
  await page.getByRole("radio", { name: /^Urgent/ }).check();
  await page.getByRole("checkbox", { name: /I agree/ }).check();
  await page.getByRole("button", { name: "Send my request" }).click();
  await expect(page.getByRole("heading", { name: "Your request is on its way" })).toBeVisible();
}

/** In the request's dialog: without a title it is refused; then at 10 AM of the day, by video. */
async function scheduleFirstTalk(page: Page, day: string, expectAccessible: (page: Page) => Promise<void>) {
  const dialog = page.getByRole("dialog", { name: "Schedule Consultation" });
  await dialog.getByLabel("Title").fill("");
  await dialog.getByRole("button", { name: "Schedule Consultation" }).click();
  await expect(page.getByRole("alert").first()).toContainText("Missing Information");
  await expectAccessible(page);
  await dialog.getByLabel("Title").fill("First talk");
  const secondDay = dialog.getByRole("group", { name: "Days with open times" }).getByRole("button").nth(1);
  await secondDay.click();
  await expect(secondDay).toHaveAttribute("aria-current", "date");
  await expect(dialog.getByLabel("Title")).toHaveValue("First talk");
  await dialog.getByLabel("Date").fill(day);
  await dialog.getByRole("button", { name: "Show open times" }).click();
  await expect(dialog.getByRole("group", { name: timesOf(day) })).toBeVisible();
  await expect(dialog.getByLabel("Title")).toHaveValue("First talk");
  await dialog.getByRole("radio", { name: /, 10:00 AM Eastern$/ }).check();
  await dialog.getByRole("checkbox", { name: /Live Video Call/ }).check();
  await dialog.getByRole("button", { name: "Schedule Consultation" }).click();
  await expect(page.getByText("Consultation Scheduled Successfully!")).toBeVisible();
}

/** A mail is read by others on its way, so the reply to a request says nothing of what the family asked. */
function expectReplyWithoutItsWords(mail: string, lastName: string) {
  expect(decodeURIComponent(mail)).not.toMatch(/IEP|meeting|September|urgent/i);
  expect(mail).toMatch(
    new RegExp(
      `^mailto:jane\\.${lastName.toLowerCase()}@example\\.org\\?subject=Your%20consultation%20request%20-%20[^&]+&body=Hello%20Jane%2C%0[^&]*Thank%20you%20for%20your%20consultation%20request\\.[^&]+$`,
    ),
  );
}

test("a consultation request is submitted, scheduled as a visit, moved and marked completed", async ({
  page,
  site,
  login,
  expectAccessible,
}, { project }) => {
  test.slow(); // a whole day, looked at in every dialog
  const { first, later } = daysOf(project);
  const lastName = project.name === "with script" ? "Lorenz" : "Marlow";
  const name = `Jane ${lastName}`;
  await clearRequests(site);
  await askForConsultation(page, lastName);
  await login(await site.consultant());
  await page.goto("/dashboard");
  const request = page.locator("#requests li").filter({ hasText: name });
  await expect(request).toContainText("URGENT");
  await request.locator("summary").click();
  await expectAccessible(page);
  const mail = await request.getByRole("link", { name: "Contact Client" }).getAttribute("href");
  expectReplyWithoutItsWords(mail ?? "", lastName);

  await request.getByRole("link", { name: "Schedule Consultation" }).click();
  await scheduleFirstTalk(page, first, expectAccessible);
  // Nobody could join by video without an account, so the way to one comes with the visit.
  await expect(page.getByRole("dialog", { name: `Tell ${name}` })).toBeVisible();
  await page.goto("/dashboard");
  await expect(request).toHaveCount(0);

  const row = page.locator("#appointments li").filter({ hasText: name });
  await expect(row.getByRole("link", { name: /Waiting Room/ })).toBeVisible();
  await row.getByRole("link", { name }).first().click();
  const details = page.getByRole("dialog", { name: "Appointment details" });
  await expect(details).toContainText(`First talk - ${name}`);
  await expectAccessible(page);
  await details.getByRole("link", { name: "Move", exact: true }).click();

  const move = page.getByRole("dialog", { name: "Move this visit" });
  await move.getByText("Another day or time").click();
  await move.getByLabel("Date").fill(later);
  await move.getByRole("button", { name: "Show open times" }).click();
  const times = move.getByRole("group", { name: timesOf(later) });
  await times.getByRole("radio", { name: /Sunday, .*, 1:00 PM Eastern$/ }).check();
  await expectAccessible(page);
  await move.getByRole("button", { name: "Move visit" }).click();
  await expect(page.getByText("Visit Moved")).toBeVisible();
  await expect(details).toContainText("at 1:00 PM ET");
  await expect(details).toContainText("rescheduled");

  await details.getByLabel("Set the status").selectOption("completed");
  await details.getByRole("button", { name: "Save status" }).click();
  await expect(page.getByText("Status saved")).toBeVisible();
  await expect(details.locator("p > .badge")).toHaveText("completed");

  await page.goto(`/requests?q=${lastName}&status=scheduled`);
  await expect(page.getByRole("link", { name: `Appointment with ${name}` })).toBeVisible();
});

test("the consultant closes a day, and a family's booking on it is refused with the reason", async ({
  page,
  site,
  login,
  expectAccessible,
  javaScriptEnabled,
}, { project }) => {
  const { closed, words } = daysOf(project);
  const family = await site.family({ intake: true });
  await login(await site.consultant());
  await page.goto("/calendar/hours");
  await page.getByLabel("First day").fill(closed);
  await page.getByRole("button", { name: "Save these days" }).click();
  await expect(page.getByText("Hours saved")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: words })).toContainText("closed");
  await expectAccessible(page);

  await login(family);
  await page.goto("/appointments/new");
  await chooseService(page, "Hourly Consulting");
  await typeTime(page, `${closed}T10:00`);
  const refusal = `The office is closed on ${words}.`;
  if (javaScriptEnabled) {
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByLabel("Date & Time")).toHaveAccessibleDescription(new RegExp(refusal));
  } else {
    await choosePayment(page, "Pay in person");
    await page.getByRole("button", { name: "Schedule Appointment" }).click();
    await expect(page.getByRole("alert").first()).toContainText(refusal);
  }
});

test("an appointment is deleted from the calendar after one confirmation", async ({
  page,
  site,
  login,
  expectAccessible,
}, { project }) => {
  const family = await site.family({ intake: true });
  const hour = project.name === "with script" ? 14 : 17;
  const fields = { title: "Hourly Consulting", appointmentDate: `2027-09-04T${hour}:00:00Z` };
  expect((await family.post("/api/appointments/in-person", fields)).status).toBe(201);
  await login(await site.consultant());
  await page.goto("/dashboard/calendar");
  const calendar = page.getByRole("dialog", { name: "Appointment Calendar" });
  await expect(calendar.getByRole("heading", { name: "Saturday, September 4, 2027" })).toBeVisible();
  await expectAccessible(page);
  await calendar
    .getByRole("link", { name: `Delete the appointment of ${family.name}` })
    .first()
    .click();
  const question = page.getByRole("dialog", { name: "Delete this appointment?" });
  await expect(question).toContainText("This action cannot be undone.");
  await expectAccessible(page);
  await question.getByRole("button", { name: "Delete appointment" }).click();
  await expect(page.getByText("Appointment Deleted")).toBeVisible();
  expect((await family.get("/api/appointments")).json).toEqual([]);
});

test("the consultant saves a private note on a family's page", async ({ page, site, login, expectAccessible }) => {
  const family = await site.family({ intake: true, firstName: "Ottilie", lastName: "Quist" });
  await login(await site.consultant());
  await page.goto("/families?q=ottilie");
  await page.getByRole("link", { name: family.name }).first().click();
  await page.goto(`/families/${family.id}`);
  await page.getByLabel("New note").fill("Prefers mornings.");
  await page.getByRole("button", { name: "Save note" }).click();
  await expect(page.getByText("Note saved")).toBeVisible();
  await expect(page.getByText("Prefers mornings.", { exact: true })).toBeVisible();
  await expect(page.getByLabel("New note")).toHaveValue("");
  // The page is judged from its top: its header lies over a link that is scrolled away.
  await page.getByRole("heading", { level: 1 }).scrollIntoViewIfNeeded();
  await expectAccessible(page);
});
