// Proves that the consultant's first screen shows the next visit, its format and amount due, and new families, and that
// on a phone her calendar opens at today and returns to the days that were shown.
import { type Page } from "playwright/test";
import { NOW, practiceTime, startScreenshotSite, type ScreenshotSite } from "../screenshots/screenshot-site.ts";
import { expect, test as base } from "../support/browser/playwright-fixtures.ts";
import { addSessionCookies } from "../support/browser/sign-in-as.ts";

const FAMILIES = 33;
/** The navigation covers the end of a phone's screen. */
const PHONE = { width: 375, height: 800, bar: 64 };
const SCREENS = [{ width: 1280, height: 800, bar: 0 }, PHONE];

/** A practice with 33 families, 100 visits and 12 requests; the next visit is a new family's, by video, not paid yet. */
const test = base.extend<object, { practice: ScreenshotSite }>({
  practice: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const site = await startScreenshotSite();
      await fillPractice(site);
      await use(site);
      await site.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

async function fillPractice({ db, family }: ScreenshotSite) {
  const noor = await family({ intake: true, firstName: "Noor", lastName: "Haddad", email: "noor@example.com" });
  const others = await db.user.createManyAndReturn({
    data: Array.from({ length: FAMILIES - 1 }, (_, index) => ({
      firstName: `Ana${index}`,
      lastName: "Ruiz",
      email: `ana.${index}@example.com`,
      password: "-",
    })),
    select: { id: true },
  });
  const visit = {
    title: "Hourly Consulting",
    type: "consultation",
    paymentAmountCents: 7500,
    paymentMethod: "in-person",
  };
  const data = Array.from({ length: 99 }, (_, index) => ({
    ...visit,
    userId: others[index % others.length]?.id ?? null,
    appointmentDate: practiceTime((index % 33) - 20, index < 33 ? 12 : index < 66 ? 14 : 16),
    status: index % 33 < 20 ? "completed" : "scheduled",
  }));
  await db.appointment.createMany({ data });
  await db.appointment.create({
    data: { ...visit, userId: noor.id, isLiveVideoCall: true, appointmentDate: practiceTime(0, 11) },
  });
  await db.consultationRequest.createMany({
    data: Array.from({ length: 12 }, (_, index) => ({
      firstName: "Jo",
      lastName: `Asks${index}`,
      email: `jo.${index}@example.org`,
      serviceNeeds: "Help with the IEP",
      urgency: "routine",
      consent: true,
    })),
  });
}

/** What she wants to know of the next visit: when, whose, whether it is the first one, how, and what is due. */
const ANSWERS = ["11:00", "Noor Haddad", "first visit", "Video", "$75 to pay"];

/** Expects that the row of the next visit, or the summary line, is on the first screen with all answers. */
async function expectAnswersOnFirstScreen(page: Page, { width, height, bar }: (typeof SCREENS)[number]) {
  const places = page.locator(".day-visit, .day-summary", { hasText: "Noor Haddad" });
  await expect(places.first()).toBeAttached();
  const missing = await Promise.all(
    (await places.all()).map(async (place) => {
      const boxes = ANSWERS.map(async (text) => {
        const answer = place.getByText(text).first();
        const box = (await answer.isVisible()) ? await answer.boundingBox() : null;
        return box !== null && box.y + box.height <= height - bar ? [] : [text];
      });
      return (await Promise.all(boxes)).flat();
    }),
  );
  expect([width, missing]).toEqual([width, expect.arrayContaining([[]])]);
}

test("the dashboard's first screen shows the next visit: time, family, first visit, video and amount due", async ({
  page,
  practice,
}) => {
  await addSessionCookies(page.context(), practice, await practice.consultant());
  for (const screen of SCREENS) {
    await page.setViewportSize(screen);
    await page.goto(`${practice.origin}/dashboard`);
    await expect(page.locator(".day-visit").first()).toContainText("Noor Haddad");
    await expectAnswersOnFirstScreen(page, screen);
  }
});

test("the first screen shows the same with five visits to finish, two system warnings and two emergencies", async ({
  page,
  practice,
}) => {
  const { db } = practice;
  const { id: userId } = await practice.family({ firstName: "Ada", lastName: "Over" });
  const visit = { title: "Hourly Consulting", type: "consultation", userId };
  for (const hour of [4, 5, 6, 7, 8])
    await db.appointment.create({ data: { ...visit, appointmentDate: practiceTime(0, hour) } });
  const asked = { lastName: "Asks", email: "jane@example.org", serviceNeeds: "IEP", consent: true };
  await db.consultationRequest.createMany({
    data: ["Jane", "June"].map((firstName) => ({ ...asked, firstName, urgency: "emergency" })),
  });
  const begun = { method: "card", provider: "nobody", key: "begun", booking: "{}", amountCents: 7500 };
  await db.payment.create({
    data: { ...begun, userId, state: "started", mismatch: "amount", leaseEndsAt: NOW, createdAt: practiceTime(0, 9) },
  });
  await practice.refreshWarnings();
  await addSessionCookies(page.context(), practice, await practice.consultant());
  for (const screen of SCREENS) {
    await page.setViewportSize(screen);
    await page.goto(`${practice.origin}/dashboard`);
    await expect(page.getByRole("region", { name: "System checks" }).getByRole("listitem")).toHaveCount(2);
    await expectAnswersOnFirstScreen(page, screen);
    const today = page.getByRole("region", { name: "Today" });
    await expect(today.getByRole("link", { name: /^Finish visit/ })).toHaveCount(2);
    await today.getByText("3 earlier visits").click();
    await expect(today.getByRole("link", { name: /^Finish visit/ })).toHaveCount(5);
  }
  await db.appointment.deleteMany({ where: { userId } });
  await db.consultationRequest.deleteMany({ where: { urgency: "emergency" } });
  for (const state of ["voiding", "voided"]) await db.payment.updateMany({ data: { state, mismatch: null } });
  await practice.refreshWarnings();
});

test("on a phone, a summary line shows emergencies and the next visit even if a visit is unfinished", async ({
  page,
  practice,
}) => {
  const { db } = practice;
  const { userId } = await db.appointment.findFirstOrThrow({ where: { isLiveVideoCall: true } });
  const visit = { title: "Hourly Consulting", type: "consultation", userId, appointmentDate: practiceTime(0, 8) };
  const { id } = await db.appointment.create({ data: visit });
  const asked = { firstName: "Jane", lastName: "Asks", email: "jane@example.org", serviceNeeds: "IEP", consent: true };
  const request = await db.consultationRequest.create({ data: { ...asked, urgency: "emergency" } });
  await addSessionCookies(page.context(), practice, await practice.consultant());
  await page.setViewportSize({ width: 375, height: 700 });
  await page.goto(`${practice.origin}/dashboard`);
  const line = page.locator(".day-summary");
  await expect(line).toHaveText(/^1 emergency\s*Next 11:00 AM Noor Haddad.*Video.*\$75 to pay$/);
  await expect(line).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(line).toBeHidden();
  await db.appointment.delete({ where: { id } });
  await db.consultationRequest.delete({ where: { id: request.id } });
});

const TODAY = "Friday, November 20, 2026";

test("on a phone, today is on the first screen of the calendar's month and week", async ({ page, practice }) => {
  await addSessionCookies(page.context(), practice, await practice.consultant());
  await page.setViewportSize({ width: PHONE.width, height: PHONE.height });
  for (const path of ["/calendar?view=month", "/calendar?view=week", "/calendar"]) {
    await page.goto(practice.origin + path);
    const today = page.locator("#today h2");
    await expect(today).toContainText(TODAY);
    await expect(today).toBeInViewport({ ratio: 1 });
    const box = await today.boundingBox();
    expect([path, box !== null && box.y + box.height <= PHONE.height - PHONE.bar]).toEqual([path, true]);
  }
});

test("on a phone, a visit of the week's earlier days returns to them", async ({
  page,
  practice,
  javaScriptEnabled,
}) => {
  await addSessionCookies(page.context(), practice, await practice.consultant());
  await page.setViewportSize({ width: PHONE.width, height: PHONE.height });
  await page.goto(`${practice.origin}/calendar`);
  const tuesday = page.locator(".time-day").filter({ hasText: "Tuesday, November 17, 2026" });
  await expect(tuesday).toBeHidden();
  await page.getByRole("link", { name: "Show the earlier days" }).click();
  await tuesday
    .getByRole("link", { name: /Ana\d+ Ruiz/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Tue, Nov 17, 2026");
  // Without script a phone shows the dialog alone.
  if (javaScriptEnabled) await expect(tuesday).toBeVisible();
  await dialog.getByRole("link", { name: "Close", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.locator("#today")).toBeVisible();
  await expect(tuesday).toBeVisible();
});
