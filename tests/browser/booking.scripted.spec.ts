// Proves the booking dialog with script: its steps, offered and typed times, prices, lengths, Escape.
import {
  choosePayment,
  chooseService,
  preventHold,
  serviceRadio,
  showInDialog,
  typeTime,
} from "../support/browser/booking-dialog.ts";
import { expect, test } from "../support/browser/playwright-fixtures.ts";

test.beforeEach(async ({ page, site, login }) => {
  await login(await site.family({ intake: true }));
  await page.goto("/appointments");
  await page.getByRole("link", { name: "Schedule Appointment" }).click();
});

test("choosing a slot clears the typed time, and typing a time deselects the slot", async ({ page }) => {
  await chooseService(page, "Hourly Consulting");
  const typed = page.getByLabel("Date & Time");
  const slots = page.locator("input[name=slot]");
  await typeTime(page, "2027-06-07T11:15");
  // Late in the day only one time may be left.
  await slots.first().check();
  await expect(typed).toHaveValue("");
  await typed.fill("2027-06-07T11:15");
  await expect(page.locator("input[name=slot]:checked")).toHaveCount(0);
  await page.locator("button[name=day]").nth(1).click();
  await expect(page.locator("button[name=day]").nth(1)).toHaveAttribute("aria-pressed", "true");
  await expect(typed).toHaveValue("");
});

test("each step requires its fields before the next one, and Back keeps all choices", async ({ page }) => {
  const next = page.getByRole("button", { name: "Continue" });
  await next.click();
  await expect(page.getByText("Enter a service type.")).toBeVisible();
  await chooseService(page, "Starter Support Package");
  await next.click();
  await expect(page.getByRole("heading", { name: "When?" })).toBeFocused();
  await expect(page.getByText("Starter Support Package, 60 minutes").filter({ visible: true })).toBeVisible();
  await next.click();
  await expect(page.getByText("Choose a date and time.")).toBeInViewport();
  await expect(page.getByRole("group", { name: "When", exact: true })).toBeFocused();
  const slot = page.locator("input[name=slot]").first();
  const time = await slot.getAttribute("aria-label");
  await slot.check();
  await expect(page.getByText("Choose a date and time.")).toHaveCount(0);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "How?" })).toBeFocused();
  await expect(page.locator(".booking-choices").filter({ visible: true })).toContainText("$175");
  await page.getByRole("button", { name: "Schedule Appointment" }).click();
  await expect(page.getByText("Error: Please select a payment method to continue")).toBeInViewport();
  await expect(page.getByRole("radio", { name: "Pay online" })).toBeFocused();
  await page.getByRole("radio", { name: "Pay in person" }).check();
  await expect(page.getByText("Error: Please select a payment method to continue")).toHaveCount(0);
  await page.getByRole("button", { name: "Back" }).click();
  await expect(page.getByRole("radio", { name: time ?? "" })).toBeChecked();
  await page.getByRole("button", { name: "Back" }).click();
  await expect(serviceRadio(page, "Starter Support Package")).toBeChecked();
});

test("the browser's Back goes back one step; choices survive Back, Close and a reload until discarded", async ({
  page,
}) => {
  const note = page.getByLabel(/^Note/);
  await chooseService(page, "Hourly Consulting");
  await typeTime(page, "2027-06-14T10:00");
  await choosePayment(page, "Pay online", "He reads at night.");
  await page.goBack();
  await expect(page.getByRole("heading", { name: "When?" })).toBeFocused();
  await expect(page.getByLabel("Date & Time")).toHaveValue("2027-06-14T10:00");
  await page.goBack();
  await expect(page.getByRole("heading", { name: "What do you need?" })).toBeVisible();
  await page.goForward();
  await page.goForward();
  await expect(page.getByRole("heading", { name: "How?" })).toBeVisible();
  await expect(note).toHaveValue("He reads at night.");
  const savedNote = page.waitForResponse((response) => response.request().postData()?.includes("and+sleeps") ?? false);
  await note.fill("He reads at night, and sleeps.");
  await savedNote;
  await page.reload();
  await expect(page.locator("dialog:modal")).toBeVisible();
  await expect(page.getByRole("heading", { name: "How?" })).toBeVisible();
  await expect(page.getByRole("radio", { name: "Pay online" })).toBeChecked();
  await expect(note).toHaveValue("He reads at night, and sleeps.");
  await note.fill("He sleeps.");
  const saved = page.waitForResponse(/\/appointments\/new\/draft/);
  await page.getByRole("link", { name: "Close", exact: true }).click();
  expect(await (await saved).json()).toMatchObject({ state: "held" });
  const card = page.getByRole("region", { name: "Pick up where you left off" });
  await expect(card).toContainText(/Mon, Jun 14, 10:00 AM ET, held for you until \d/);
  await card.getByRole("link", { name: "Continue booking" }).click();
  await showInDialog(page, note);
  await expect(note).toHaveValue("He sleeps.");
  await page.getByRole("link", { name: "Close", exact: true }).click();
  await page.getByRole("link", { name: "Discard this booking" }).click();
  await expect(page.getByRole("link", { name: "Keep it" })).toBeFocused();
  await page.getByRole("button", { name: "Discard booking" }).click();
  await expect(card).toHaveCount(0);
});

test("Back after booking shows that the visit is already booked", async ({ page }) => {
  await chooseService(page, "Hourly Consulting");
  await typeTime(page, "2027-06-14T12:00");
  await choosePayment(page, "Pay in person");
  await page.getByRole("button", { name: "Schedule Appointment" }).click();
  await expect(page.getByRole("heading", { name: "You are booked" })).toBeVisible();
  await page.goBack();
  await expect(page.getByText("You have just booked Hourly Consulting")).toBeVisible();
  await expect(page.getByRole("heading", { name: "What do you need?" })).toBeVisible();
  await page.getByRole("link", { name: "See your visit" }).click();
  await expect(page.getByRole("heading", { name: "You are booked" })).toBeVisible();
});

test("choosing a service sets its length and updates the open times; a typed length is kept", async ({ page }) => {
  await page.goto("/appointments/new?date=2027-06-09");
  const lastTime = page.getByRole("radio", { name: /^Wednesday, June 9, 2027, 12:30 PM Eastern/ });
  await chooseService(page, "Hourly Consulting");
  await showInDialog(page, lastTime);
  await page.getByRole("button", { name: "Back" }).click();
  await chooseService(page, "Initial Consultation");
  await showInDialog(page, page.getByRole("radio", { name: /^Wednesday, June 9, 2027, 12:00 PM/ }));
  await expect(lastTime).toHaveCount(0);
  await page.getByRole("radio", { name: /^Wednesday, June 9, 2027, 9:00 AM/ }).check();
  await showInDialog(page, page.getByText("More options"));
  await expect(page.getByText("Initial Consultation, 90 minutes").filter({ visible: true })).toBeVisible();
  await page.getByText("More options").click();
  await page.getByLabel("Duration").fill("180");
  await expect(page.getByRole("status").filter({ hasText: "will confirm this length" })).toBeVisible();
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Back" }).click();
  await chooseService(page, "Monthly Retainer");
  await expect(page.locator("[name=duration]")).toHaveValue("180");
});

test("the free-text service field appears once it is chosen, and the visit is booked with its text", async ({
  page,
}) => {
  const words = page.getByLabel("What would you like help with?");
  await expect(words).toBeHidden();
  await page.getByRole("radio", { name: /^In my own words/ }).check();
  await words.fill("The bus in the morning");
  await typeTime(page, "2027-06-26T10:00");
  await choosePayment(page, "Pay in person");
  await page.getByRole("button", { name: "Schedule Appointment" }).click();
  await page.getByRole("link", { name: "All your appointments" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "The bus in the morning" })).toContainText("10:00 AM ET");
});

test("a time that couldn't be held and was booked meanwhile is refused, the note kept; Escape closes the dialog", async ({
  page,
  site,
}) => {
  const rival = await site.family({ intake: true });
  await preventHold(page);
  await chooseService(page, "Hourly Consulting");
  await typeTime(page, "2027-06-12T14:00");
  await choosePayment(page, "Pay in person", "Please keep this.");
  const taken = await rival.post("/api/appointments", {
    title: "Hourly Consulting",
    appointmentDate: "2027-06-12T18:00:00Z",
  });
  expect(taken.status).toBe(201);
  await expect(page.getByText("This time isn't held for you.")).toBeVisible();
  await page.getByRole("button", { name: "Schedule Appointment" }).click();
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("Time Slot Unavailable");
  await expect(alert).toContainText("This time slot is already taken.");
  await expect(alert).toBeFocused();
  await expect(page.getByRole("heading", { name: "When?" })).toBeVisible();
  await expect(page.locator("[name=notes]")).toHaveValue("Please keep this.");
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/appointments$/);
});

test("moving a visit to less than 24 hours away shows the cancellation fee and that it can't be moved again", async ({
  page,
  site,
  login,
}) => {
  const person = await site.family({ intake: true });
  const visit = { title: "Hourly Consulting", appointmentDate: "2027-06-26T15:00:00Z" };
  const { json } = await person.post("/api/appointments/in-person", visit);
  await login(person);
  await page.setViewportSize({ width: 375, height: 700 });
  await page.goto(`/appointments/${json.id}/move`);
  await expect(page.getByRole("link", { name: /^Saturday, June 26, 2027/ })).toHaveAttribute("aria-current", "date");
  const note = page.getByRole("status").filter({ hasText: "Less than 24 hours away" });
  await page.getByText("Type a date and time", { exact: true }).click();
  const typed = page.getByLabel("Date & Time");
  await typed.fill(wallTimeInHours(12));
  await expect(note).toHaveText(
    "Less than 24 hours away: you can't move it again here, and canceling has a 50% fee ($37.50).",
  );
  await expect(note).toBeInViewport({ ratio: 1 });
  await typed.fill(wallTimeInHours(48));
  await expect(note).toHaveCount(0);
});

/** As the practice's clocks will show it, for a date-time field. */
function wallTimeInHours(hours: number): string {
  const at = new Date(Date.now() + hours * 3_600_000);
  return at.toLocaleString("sv-SE", { timeZone: "America/New_York" }).slice(0, 16).replace(" ", "T");
}

test("on a small phone, the open times for moving a visit are visible without scrolling", async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 667 });
  await chooseService(page, "Hourly Consulting");
  await typeTime(page, "2027-06-12T12:30");
  await choosePayment(page, "Pay in person");
  await page.getByRole("button", { name: "Schedule Appointment" }).click();
  await page.getByRole("link", { name: "Move this visit" }).click();
  const dialog = page.getByRole("dialog", { name: "Move this visit Hourly Consulting" });
  const confirm = await dialog.locator(".move-confirm").boundingBox();
  const times = dialog.locator(".choice-time");
  for (const time of [times.first(), times.nth(3)]) {
    const { y, height } = (await time.boundingBox()) ?? { y: Infinity, height: 0 };
    expect(y + height).toBeLessThan(confirm?.y ?? 0);
  }
});

test("a service chosen before the dialog opens is preselected, and its step is skipped", async ({ page }) => {
  await page.goto("/appointments?service=Hourly%20Consulting");
  await expect(page.getByRole("heading", { name: "When?" })).toBeVisible();
  await expect(page.locator(".booking-choices:visible")).toContainText("Hourly Consulting");
  await page.getByRole("button", { name: "Back" }).click();
  await expect(serviceRadio(page, "Hourly Consulting")).toBeChecked();
  const addOns = page.getByRole("combobox", { name: "Service Type" });
  await expect(addOns).toHaveCount(0);
  await page.goto("/appointments?service=Add-On%20Services");
  await expect(addOns.getByRole("option")).toHaveText([
    "Choose an add-on",
    "Document Preparation, $75",
    "School Meeting Attendance, $75",
    "Follow-up Consultation, $40",
    "Resource Research and Compilation, $40",
  ]);
});
