// Proves the calendar's time grid, with and without script: booking an empty time for a family or a request, and moving a
// visit in three actions.
import { expect, test } from "../support/browser/playwright-fixtures.ts";

// Each browser has a week of its own on the same site, far from other tests' visits.
const WEEKS = {
  "with script": { monday: "2028-03-06", monthDay: "March 6, 2028", next: "March 7, 2028" },
  "without script": { monday: "2028-04-03", monthDay: "April 3, 2028", next: "April 4, 2028" },
};

test("the consultant books an empty time for a family found by search", async ({
  page,
  site,
  login,
  expectAccessible,
}, info) => {
  const { monday, monthDay } = WEEKS[info.project.name as keyof typeof WEEKS];
  const family = await site.family({ intake: true, firstName: "Wilhelmina", lastName: `Ostrander-${monday}` });
  await login(await site.consultant());
  await page.goto(`/calendar?view=week&day=${monday}`);
  await expectAccessible(page);
  await page.getByRole("link", { name: `New appointment: Monday, ${monthDay}, 2pm` }).click();
  await expect(page.getByRole("heading", { name: "New appointment" })).toBeVisible();
  await expect(page.getByText("at 2:00 PM ET").first()).toBeVisible();
  await page.getByLabel("Find a family").fill(`ostrander-${monday}`);
  await page.getByRole("main").getByRole("button", { name: "Search" }).click();
  await expect(page.getByText(/^1 found/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: family.name }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("radio", { name: `Monday, ${monthDay}, 2:00 PM Eastern` })).toBeChecked();
  await dialog.getByLabel("Service Type").fill("Hourly Consulting");
  await dialog.getByRole("button", { name: "Book the visit" }).click();
  await expect(page).toHaveURL(new RegExp(`/calendar\\?view=week&day=${monday}$`));
  const visit = page.getByRole("link", { name: new RegExp(`^ ?${family.name}.*2:00–3:00 PM.*${monthDay}`) });
  await expect(visit).toBeVisible();
  await expect(page.getByRole("link", { name: `New appointment: Monday, ${monthDay}, 2pm` })).toHaveCount(0);
});

test("the consultant schedules a request at an empty time and returns to the calendar", async ({
  page,
  site,
  login,
}, info) => {
  const { monday, monthDay } = WEEKS[info.project.name as keyof typeof WEEKS];
  const family = await site.family({ firstName: "Renata", lastName: `Asks-${monday}` });
  const request = { firstName: "Renata", lastName: `Asks-${monday}`, email: family.email, consent: true };
  const texts = { serviceNeeds: "Help with the IEP", urgency: "urgent" };
  expect((await family.post("/api/consultation-requests", { ...request, ...texts })).status).toBe(201);
  await login(await site.consultant());
  await page.goto(`/calendar?view=week&day=${monday}`);
  // Half past the hour, although the full hour is free.
  await expect(
    page.getByRole("link", { name: `New appointment: Monday, ${monthDay}, 9am`, exact: true }),
  ).toBeVisible();
  const slot = page.getByRole("link", { name: `New appointment: Monday, ${monthDay}, 9:30am`, exact: true });
  expect((await slot.boundingBox())?.height).toBeGreaterThanOrEqual(24);
  await slot.click();
  await page.getByRole("link", { name: `Schedule the request of ${family.name}` }).click();
  const dialog = page.getByRole("dialog", { name: "Schedule Consultation" });
  await expect(dialog.getByRole("radio", { name: `Monday, ${monthDay}, 9:30 AM Eastern` })).toBeChecked();
  await dialog.getByRole("button", { name: "Schedule Consultation" }).click();
  await expect(page.getByText("Consultation Scheduled Successfully!").first()).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/calendar\\?view=week&day=${monday}$`));
  await expect(page.getByRole("link", { name: new RegExp(`^ ?${family.name}.*9:30.*${monthDay}`) })).toBeVisible();
});

test("the consultant moves a visit in the calendar: Move, an empty time, confirmation", async ({
  page,
  site,
  login,
  expectAccessible,
}, info) => {
  const { monday, monthDay, next } = WEEKS[info.project.name as keyof typeof WEEKS];
  const family = await site.family({ intake: true });
  const fields = { title: "Hourly Consulting", appointmentDate: `${monday}T16:00:00Z` };
  expect((await family.post("/api/appointments/in-person", fields)).status).toBe(201);
  await login(await site.consultant());
  await page.goto(`/calendar?view=day&day=${monday}`);
  await expectAccessible(page);
  await page.getByRole("link", { name: `Move ${family.name}, Monday, ${monthDay}` }).click();
  await expect(page.getByText(`Moving ${family.name}`)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: new RegExp(`Move ${family.name} here: Monday, ${monthDay}, 5pm`) }).click();
  const dialog = page.getByRole("dialog", { name: `Move ${family.name}?` });
  await expect(dialog).toContainText(" → 5:00 PM ET");
  // The calendar stays behind the question.
  await expect(page.locator("main > div h1")).toHaveText(new RegExp(monthDay.replace(" ", "\\s")));
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Move visit" }).click();
  await expect(page).toHaveURL(new RegExp(`/calendar\\?view=day&day=${monday}$`));
  await expect(
    page.getByRole("link", { name: `Move ${family.name}, Monday, ${monthDay}, 5:00–6:00 PM` }),
  ).toBeVisible();

  // To another day, which is closed at that hour: one more question.
  await page.getByRole("link", { name: `Move ${family.name}, Monday, ${monthDay}` }).click();
  await expect(page.getByText(`Moving ${family.name}`)).toBeVisible();
  await page.getByRole("link", { name: "Next day" }).click();
  await page.getByRole("link", { name: new RegExp(`Move ${family.name} here: Tuesday, ${next}, 6:30pm`) }).click();
  await dialog.getByRole("button", { name: "Move visit" }).click();
  await expect(page.getByRole("link", { name: `Move ${family.name}, Tuesday, ${next}, 6:30–7:30 PM` })).toBeVisible();
});
