// Proves whole journeys of families and the consultant when script files fail to load.
import type { Page } from "playwright/test";
import { clearRequests } from "../support/browser/clear-requests.ts";
import { expect, type Site, test } from "../support/browser/playwright-fixtures.ts";
import type { TestClient } from "../support/http-client.ts";
import { choosePayment, chooseService, typeTime } from "../support/browser/booking-dialog.ts";
import { SAMPLES } from "../support/uploads.ts";
import { blockScriptsAfterFirstPage, blockSecondScript } from "../support/browser/script-failures.ts";
import { fillPasswordChange } from "../support/browser/password-dialog.ts";

/*
 * Every journey of the product where scripts do not come, or stop coming on the way. With all scripts the same journeys
 * are walked by the keyboard (keyboard/) and screen by screen (the other files).
 *
 *   journey                                     no script   the second one is lost   none after the first page
 *   register, tell the story, book, cancel          x                x                          x
 *   pay on the provider's page, send a letter,      x                x                          x
 *     read and delete it, change the password
 *   ask for a consultation; schedule it, open       x                x                          x
 *     the details, move it, delete it
 *
 *   close a day, note something, make a reset    admin-workflows.spec.ts, journeys.spec.ts; with scripts that are lost:
 *     link, send a family a letter               script-failures-admin.scripted.spec.ts
 *
 * Only paying by card in our own page and the video visit need a script; both say so.
 */
type Walk = { page: Page; site: Site; login: (person: TestClient) => Promise<void>; day: Day };
type Day = { date: string; words: string; later: string; laterWords: string; name: string };
type Mode = { name: string; day: Day; lose: (page: Page) => Promise<void> };

const WITHOUT: Mode[] = [
  {
    name: "no script",
    day: {
      date: "2027-10-02",
      words: "Saturday, October 2, 2027",
      later: "2027-10-03",
      laterWords: "Sunday, October 3, 2027",
      name: "Abel",
    },
    lose: async () => {},
  },
];
const HALF_WAY: Mode[] = [
  {
    name: "the second one is lost",
    day: {
      date: "2027-10-09",
      words: "Saturday, October 9, 2027",
      later: "2027-10-10",
      laterWords: "Sunday, October 10, 2027",
      name: "Birgit",
    },
    lose: blockSecondScript,
  },
  {
    name: "none after the first page",
    day: {
      date: "2027-10-16",
      words: "Saturday, October 16, 2027",
      later: "2027-10-17",
      laterWords: "Sunday, October 17, 2027",
      name: "Cosmo",
    },
    lose: blockScriptsAfterFirstPage,
  },
];

const JOURNEYS = {
  "with scripts missing, a family registers, fills in the intake form, books and cancels": registerAndBook,
  "with scripts missing, a family pays, uploads, views and deletes a document, and changes its password": payAndSend,
  "with scripts missing, a visitor requests a consultation; the consultant schedules, moves and deletes it":
    askAndSchedule,
};

// What is lost here on purpose is no mistake of the pages.
test.use({ allowsConsoleErrors: true, waitsForHydration: false });
test.describe.configure({ timeout: 300_000 });

for (const [journey, walk] of Object.entries(JOURNEYS)) {
  test(journey, async ({ context, site, login, javaScriptEnabled }) => {
    for (const { name, day, lose } of javaScriptEnabled ? HALF_WAY : WITHOUT) {
      await test.step(name, async () => {
        await context.clearCookies();
        const page = await context.newPage();
        await lose(page);
        await walk({ page, site, login, day });
        await page.close();
      });
    }
  });
}

async function chooseTime(page: Page, date: string, words: string, time: string) {
  await page.getByLabel(/^(Day|Date)$/).fill(date);
  await page.getByRole("button", { name: "Show open times" }).click();
  await page.getByRole("radio", { name: `${words}, ${time} Eastern` }).check();
}

async function registerAndBook({ page, day }: Walk) {
  await page.goto("/register");
  await page.getByLabel("First Name").fill(day.name);
  await page.getByLabel("Last Name").fill("Matrix");
  await page.getByLabel("Email").fill(`${day.name}.matrix@example.com`.toLowerCase());
  await page.getByLabel("Password", { exact: true }).fill("a long walk");
  await page.getByLabel("Confirm Password").fill("another long walk");
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByRole("alert").first()).toContainText("Passwords don't match");
  await expect(page.getByLabel("First Name")).toHaveValue(day.name);
  for (const label of ["Password", "Confirm Password"])
    await page.getByLabel(label, { exact: true }).fill("a long walk home");
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByText("Account Created!").first()).toBeVisible();

  await page.goto("/appointments/new");
  await chooseService(page, "Hourly Consulting");
  await typeTime(page, `${day.date}T10:00`);
  await choosePayment(page, "Pay in person", "Typed before any script came.");
  await page.getByRole("button", { name: "Proceed" }).click();
  await page.getByRole("link", { name: "Start the form" }).click();
  await page.getByLabel("Phone number").fill("(732) 555-0188");
  await page.getByRole("button", { name: "Save and continue" }).click();
  await expect(page.getByRole("alert").first()).toContainText("Enter your home address.");
  await expect(page.getByLabel("Phone number")).toHaveValue("(732) 555-0188");
  await page.getByLabel("Home address").fill("4 Bath Avenue");
  await page.getByRole("button", { name: "Save and continue" }).click();
  await page.getByLabel("Child's name").fill("Leo");
  await page.getByLabel("Child's age").fill("8 years");
  await page.getByLabel("Child's birthday").fill("May 2, 2018");
  await page.getByRole("button", { name: "Save and continue" }).click();
  await page.getByRole("checkbox", { name: "School Advocacy / IEP / 504 Plans" }).check();
  await page.getByRole("button", { name: "Save and continue" }).click();
  await page.getByLabel("Preferred days and times").fill("Sundays");
  await page.getByRole("button", { name: "Save and continue" }).click();
  await page.getByRole("button", { name: "Submit and continue booking" }).click();
  await page.getByRole("link", { name: "All your appointments" }).click();
  const row = page.getByRole("listitem").filter({ hasText: "Hourly Consulting" });
  await expect(row).toContainText("10:00 AM");
  await row.getByRole("link", { name: "Cancel visit Hourly Consulting" }).click();
  await page.getByRole("button", { name: "Cancel appointment" }).click();
  await expect(row).toContainText("cancelled");
}

async function payAndSend({ page, site, login, day }: Walk) {
  const family = await site.family({ intake: true });
  await login(family);
  await page.goto("/appointments/new");
  await chooseService(page, "Hourly Consulting");
  await typeTime(page, `${day.later}T10:00`);
  await choosePayment(page, "Pay online");
  await page.getByRole("button", { name: "Schedule Appointment" }).click();
  // Which of its buttons is shown is the style sheet's to say.
  await page.waitForURL(/\/appointments\/pay/, { waitUntil: "load" });
  await page.getByRole("button", { name: "Pay $75 on the provider's page" }).click();
  await expect(page.getByRole("heading", { name: "Simulated checkout" })).toBeVisible();
  await page.getByLabel("Card number").fill("1111 1111 1111 1111");
  await page.getByRole("button", { name: "Pay $75.00" }).click();
  await expect(page.getByText("PAID", { exact: true })).toBeVisible();

  await page.goto("/documents/new");
  const letter = { name: "Letter.txt", mimeType: "text/plain", buffer: SAMPLES.txt ?? Buffer.alloc(0) };
  await page.getByLabel("File", { exact: true }).setInputFiles(letter);
  await page.getByLabel("Document Name").fill("Letter of November");
  await page.getByLabel("Description").fill("About the reading lessons.");
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  const row = page.getByRole("listitem").filter({ hasText: "Letter of November.txt" });
  await expect(row).toContainText("About the reading lessons.");
  const opening = page.waitForEvent("popup");
  await row.getByRole("link", { name: "View Letter of November.txt" }).click();
  await (await opening).close();
  await row.getByRole("link", { name: "Delete Letter of November.txt" }).click();
  await page.getByRole("button", { name: "Delete document" }).click();
  await expect(page.getByRole("link", { name: "Delete Letter of November.txt" })).toHaveCount(0);

  await fillPasswordChange(page, family, "found my words again");
  await page.getByRole("button", { name: "Change Password" }).click();
  await expect(page.getByText("Password Changed").first()).toBeVisible();
}

async function askAndSchedule({ page, site, login, day }: Walk) {
  const name = `${day.name} Asks`;
  await clearRequests(site);
  await page.goto("/request-consultation");
  await page.getByLabel("First Name").fill(day.name);
  await page.getByLabel("Last Name").fill("Asks");
  await page.getByLabel("Email").fill(`${day.name}.asks@example.org`.toLowerCase());
  await page.getByLabel("What do you need help with?").fill("A meeting at school");
  await page.getByRole("checkbox", { name: /I agree/ }).check();
  await page.getByRole("button", { name: "Send my request" }).click();
  await expect(page.getByRole("heading", { name: "Your request is on its way" })).toBeVisible();

  await login(await site.consultant());
  await page.goto("/dashboard");
  const request = page.locator("#requests li").filter({ hasText: name });
  await request.locator("summary").click();
  await request.getByRole("link", { name: "Schedule Consultation" }).click();
  await page.getByRole("dialog").getByLabel("Title").fill("First talk");
  await chooseTime(page, day.date, day.words, "4:00 PM");
  await expect(page.getByRole("dialog").getByLabel("Title")).toHaveValue("First talk");
  await page.getByRole("button", { name: "Schedule Consultation" }).click();
  await expect(page.getByText("Consultation Scheduled").first()).toBeVisible();
  // Whatever visits other tests have left on the first page of the list.
  await page.goto(`/dashboard?q=${encodeURIComponent(name)}`);
  const row = page.locator("#appointments li").filter({ hasText: name });
  await row.getByRole("link", { name }).first().click();
  const details = page.getByRole("dialog", { name: "Appointment details" });
  await details.getByRole("link", { name: "Move", exact: true }).click();
  await page.getByText("Another day or time").click();
  await chooseTime(page, day.later, day.laterWords, "4:00 PM");
  await page.getByRole("button", { name: "Move visit" }).click();
  await expect(details).toContainText("at 4:00 PM ET");
  await details.getByRole("link", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete appointment" }).click();
  await expect(row).toHaveCount(0);
}
