// Proves that unsaved text is restored in the same tab until it is saved or the user signs out.
import type { Page } from "playwright/test";
import { expect, test } from "../support/browser/playwright-fixtures.ts";
import { allowSlowRendering, submitWithSlowRendering } from "../support/browser/slow-rendering.ts";
import { waitForHydration } from "../support/browser/wait-for-hydration.ts";
import type { Family } from "../support/people.ts";
import { SAMPLES } from "../support/uploads.ts";
import { bookVideoAppointment } from "../support/video-appointment.ts";

const WORDS = "He counts the steps to the bus.";
const KEPT = "Kept from before.";
/** Each test has a visit of its own, at another time: weeks ahead, where no other test books or holds one. */
const FIRST_VISIT_MINUTES = 45 * 24 * 60;
let halfHours = 0;

let familyPath: string;
let cancelPath: string;
let family: Family;
let visitPath: string;

test.beforeEach(async ({ site, login }) => {
  const booked = await bookVideoAppointment(site, { minutes: FIRST_VISIT_MINUTES + 30 * (halfHours += 1) });
  const { id, consultant } = booked;
  family = booked.family;
  visitPath = `/appointments/${id}`;
  familyPath = `/families/${family.id}`;
  cancelPath = `/dashboard/appointments/${id}/cancel`;
  await login(consultant);
});

async function open(page: Page, path: string) {
  await page.goto(path);
  await waitForHydration(page);
}

const storedText = (page: Page) => page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));

/** The code that keeps a form is loaded when the form is first used. */
const expectKept = (page: Page) => expect.poll(() => storedText(page)).toContain(WORDS);

test("an unsaved cancellation reason is restored after Escape until Discard deletes it", async ({ page }) => {
  await open(page, cancelPath);
  await page.getByLabel("Reason").fill(WORDS);
  await expectKept(page);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/dashboard$/);
  await open(page, cancelPath);
  await expect(page.getByLabel("Reason")).toHaveValue(WORDS);
  await expect(page.getByText(KEPT)).toBeVisible();
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByLabel("Reason")).toBeFocused();
  await page.reload();
  await waitForHydration(page);
  await expect(page.getByLabel("Reason")).toHaveValue("");
  await expect(page.getByText(KEPT)).toHaveCount(0);
});

test("an unsaved note survives a link, Back and another form on the page, and is cleared once it is saved", async ({
  page,
}) => {
  await open(page, familyPath);
  await page.getByLabel("New note").fill(WORDS);
  await expectKept(page);
  await page.getByRole("link", { name: "Add a follow-up" }).click();
  await page.getByLabel("To do").fill("Call the school");
  await expect.poll(() => storedText(page)).toContain("Call the school");
  await page.getByRole("link", { name: "Close", exact: true }).click();
  await expect(page.locator("dialog:modal")).toHaveCount(0);
  await page.getByRole("link", { name: "Families", exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Families" })).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel("New note")).toHaveValue(WORDS);
  await open(page, `${familyPath}/follow-ups/new`);
  await expect(page.getByLabel("To do")).toHaveValue("Call the school");
  await page.getByLabel("By when").fill("2099-01-05");
  await page.getByRole("button", { name: "Save follow-up" }).click();
  await expect(page.locator("dialog:modal")).toHaveCount(0);
  await expect(page.getByLabel("New note")).toHaveValue(WORDS);
  await page.getByRole("button", { name: "Save note" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: WORDS })).toBeVisible();
  await expect(page.getByLabel("New note")).toHaveValue("");
  await expect.poll(() => storedText(page)).not.toContain(WORDS);
  await open(page, familyPath);
  await expect(page.getByLabel("New note")).toHaveValue("");
});

test("a refused note is restored when the page is opened again", async ({ page }) => {
  await open(page, familyPath);
  await page.getByLabel("New note").fill("x".repeat(5001));
  await page.getByRole("button", { name: "Save note" }).click();
  await expect(page.getByRole("alert")).toContainText("at most 5,000 characters");
  await open(page, familyPath);
  await expect(page.getByLabel("New note")).toHaveValue("x".repeat(5001));
});

const FORMS: [path: string, label: string, save?: string][] = [
  ["/requests/new", "What they need"],
  ["/compliance/new", "What it is about"],
  ["/consultant-profile", "A few words to families"],
  ["/mail-wording/visit-cancelled", "Subject", "Save"],
];

for (const [path, label, save] of FORMS)
  test(`text typed at ${path} is restored after a visit to the calendar`, async ({ page }) => {
    await open(page, path);
    const field = page.getByLabel(new RegExp(`^${label}`));
    await field.fill(WORDS);
    await expectKept(page);
    await page.goto("/calendar");
    await open(page, path);
    await expect(field).toHaveValue(WORDS);
    await expect(page.getByText(KEPT)).toBeVisible();
    if (!save) return;
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    await expect(page.getByText("Nothing is saved yet.")).toBeVisible();
    await waitForHydration(page);
    await page.goto("/calendar");
    await open(page, path);
    await expect(field).toHaveValue(WORDS);
    await page.getByRole("button", { name: save, exact: true }).click();
    await expect(page.getByRole("heading", { name: "Wording of messages" })).toBeVisible();
    await open(page, path);
    await expect(field).toHaveValue(WORDS);
    await expect(page.getByText(KEPT)).toHaveCount(0);
    await page.getByRole("button", { name: "Use our own words again" }).click();
    await open(page, path);
    await expect(field).not.toHaveValue(WORDS);
  });

test("drafts of a request and its scheduling are cleared once saved; a date in the URL overrides the draft's", async ({
  page,
}) => {
  await open(page, "/requests/new");
  const field = page.getByLabel("What they need");
  await field.fill(WORDS);
  await expectKept(page);
  await page.getByLabel("First name").fill("Ana");
  await page.getByLabel("Last name").fill("Ruiz");
  await page.getByLabel("Phone").fill("732 555 0110");
  await page.getByLabel("They agreed").check();
  await page.getByRole("button", { name: "Add the request" }).click();
  const dialog = page.locator("dialog:modal");
  await expect(dialog).toContainText("Schedule Consultation");
  await expect.poll(() => storedText(page)).not.toContain(WORDS);
  const { pathname } = new URL(page.url());

  await dialog.getByLabel("Title").fill("School Meeting Attendance");
  await dialog.getByLabel("Date").fill("2027-06-08");
  const slot = dialog.getByRole("radio", { name: "Tuesday, June 8, 2027, 7:00 PM Eastern" });
  await expect.poll(() => storedText(page)).toContain("School Meeting");
  await slot.check();
  await page.goto("/calendar");
  await open(page, pathname);
  await expect(dialog.getByLabel("Title")).toHaveValue("School Meeting Attendance");
  await expect(dialog.getByLabel("Date")).toHaveValue("2027-06-08");
  await expect(slot).toBeChecked();
  await open(page, `${pathname}?date=2027-06-07&time=10:00`);
  await expect(dialog.getByLabel("Title")).toHaveValue("School Meeting Attendance");
  await expect(dialog.getByLabel("Date")).toHaveValue("2027-06-07");
  await dialog.getByRole("button", { name: "Schedule Consultation" }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => storedText(page)).not.toContain("School Meeting");
});

test("a box that was unchecked is still unchecked in the restored form", async ({ page }) => {
  await open(page, `${familyPath}/appointments/new`);
  const box = page.getByLabel("Live Video Call");
  await expect(box).toBeChecked();
  await box.uncheck();
  await page.getByLabel("Description").fill(WORDS);
  await expectKept(page);
  await page.getByRole("link", { name: "Close", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`${familyPath}$`));
  await open(page, `${familyPath}/appointments/new`);
  await expect(page.getByText(KEPT)).toBeVisible();
  await expect(page.getByLabel("Description")).toHaveValue(WORDS);
  await expect(box).not.toBeChecked();
});

test("a draft is deleted at sign-out, and is not shown in another session", async ({ page, site, login }) => {
  await open(page, familyPath);
  await page.getByLabel("New note").fill(WORDS);
  await expectKept(page);
  await login(await site.consultant());
  await open(page, familyPath);
  await expect(page.getByLabel("New note")).toHaveValue("");
  await expect.poll(() => storedText(page)).not.toContain(WORDS);
  await page.getByLabel("New note").fill(WORDS);
  await expectKept(page);
  await page.getByText("Hello,").click();
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(`${site.origin}/`);
  await expect.poll(() => storedText(page)).not.toContain(WORDS);
});

test("a follow-up's draft is cleared once saved, even if slow rendering skips the saving state", async ({ page }) => {
  await allowSlowRendering(page);
  await open(page, `${familyPath}/follow-ups/new`);
  await page.getByLabel("To do").fill(WORDS);
  await page.getByLabel("By when").fill("2099-01-06");
  await expectKept(page);
  await submitWithSlowRendering(page.getByRole("button", { name: "Save follow-up" }));
  await expect(page.getByText(WORDS, { exact: true })).toBeVisible();
  await expect.poll(() => storedText(page)).not.toContain(WORDS);
});

test("a family's answers to the three questions survive a link and a reload until they are saved", async ({
  page,
  login,
}) => {
  await login(family);
  await open(page, `${visitPath}/questions`);
  const important = page.getByLabel(/^What matters most/);
  await important.fill(WORDS);
  await expectKept(page);
  await page.getByRole("link", { name: "See your visit" }).click();
  await expect(page.getByRole("heading", { name: "You are booked" })).toBeVisible();
  await page.goBack();
  await expect(important).toHaveValue(WORDS);
  await page.reload();
  await waitForHydration(page);
  await expect(important).toHaveValue(WORDS);
  await expect(page.getByText(KEPT)).toBeVisible();
  await page.getByRole("button", { name: "Save my answers" }).click();
  await expect(page.getByText("Thank you")).toBeVisible();
  await expect.poll(() => storedText(page)).not.toContain(WORDS);
});

test("a document's description, but not its file name, survives Close until the upload", async ({ page, login }) => {
  await login(family);
  const file = (name: string) => ({ name, mimeType: "text/plain", buffer: SAMPLES.txt ?? Buffer.alloc(0) });
  const field = page.getByLabel("File", { exact: true });
  await open(page, "/documents/new");
  await field.setInputFiles(file("first.txt"));
  await page.getByLabel("Description").fill(WORDS);
  await expectKept(page);
  await page.getByRole("link", { name: "Close", exact: true }).click();
  await page.getByRole("link", { name: "Upload Document" }).click();
  await expect(page.getByLabel("Description")).toHaveValue(WORDS);
  await field.setInputFiles(file("second.txt"));
  await expect(page.getByLabel("Document Name")).toHaveValue("second");
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByText("Document Uploaded!")).toBeVisible();
  await expect.poll(() => storedText(page)).not.toContain(WORDS);
});
