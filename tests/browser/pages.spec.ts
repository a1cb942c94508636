import type { Page } from "playwright/test";
import { intakeForm } from "../support/people.ts";
import { expect, type Site, test } from "../support/browser.ts";

const PUBLIC = [
  "/",
  "/login",
  "/register",
  "/register?from=booking",
  "/request-consultation",
  "/hipaa-compliance",
  "/privacy-policy",
  "/terms-of-service",
  "/accessibility",
  "/comfort",
  "/nothing-here",
  "/reset-password/a-link-nobody-was-given",
];
const FAMILY = [
  "/",
  "/dashboard",
  "/dashboard/settings",
  "/dashboard/intake-form",
  "/appointments",
  "/appointments/new",
  "/appointments/intake-form",
  "/appointments?service=Initial%20Consultation",
  "/appointments?service=Add-On%20Services",
  "/documents",
  "/nothing-here",
];
const CONSULTANT = [
  "/",
  "/dashboard",
  "/dashboard/settings",
  "/dashboard/reset-link",
  "/documents",
  "/nothing-here",
  "/dashboard/calendar",
  "/calendar",
  "/calendar?view=week",
  "/calendar?view=day",
  "/calendar/hours",
  "/families",
  "/requests",
];

const PHONE = { width: 320, height: 700 };

type Look = { page: Page; isPhone: boolean; expectAccessible: (page: Page) => Promise<void> };

/**
 * A page is for everybody: it has a title and one heading, keeps the rules of accessibility (on a desk with scripts, on
 * a phone without) and never scrolls sideways on a small phone.
 */
async function expectGoodPage({ page, isPhone, expectAccessible }: Look, path: string) {
  if (isPhone) await page.setViewportSize(PHONE);
  await page.goto(path);
  await expect(page).toHaveTitle(/\S.* · \S/);
  await expect(page.locator("title")).toHaveCount(1);
  await expect(page.locator("h1")).toHaveCount(1);
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, `${path} on a small phone`).toBeLessThanOrEqual(PHONE.width);
}

for (const path of PUBLIC) {
  test(`a visitor reads ${path}`, async ({ page, javaScriptEnabled, expectAccessible }) => {
    await expectGoodPage({ page, isPhone: !javaScriptEnabled, expectAccessible }, path);
  });
}

for (const path of FAMILY) {
  test(`a family that is new reads ${path}`, async ({ page, site, login, javaScriptEnabled, expectAccessible }) => {
    await login(await site.family());
    await expectGoodPage({ page, isPhone: !javaScriptEnabled, expectAccessible }, path);
  });

  test(`a family with a story and visits reads ${path}`, async ({
    page,
    site,
    login,
    javaScriptEnabled,
    expectAccessible,
  }) => {
    await login(await busyFamily(site));
    await expectGoodPage({ page, isPhone: !javaScriptEnabled, expectAccessible }, path);
  });
}

for (const path of CONSULTANT) {
  test(`the consultant reads ${path}`, async ({ page, site, login, javaScriptEnabled, expectAccessible }) => {
    await busyFamily(site);
    await login(await site.consultant());
    await expectGoodPage({ page, isPhone: !javaScriptEnabled, expectAccessible }, path);
  });
}

test("a family reads how to cancel a visit", async ({ page, site, login, javaScriptEnabled, expectAccessible }) => {
  const family = await busyFamily(site);
  const [first] = (await family.get("/api/appointments")).json;
  await login(family);
  await expectGoodPage({ page, isPhone: !javaScriptEnabled, expectAccessible }, `/appointments/${first.id}/cancel`);
});

for (const step of ["client", "child", "concerns", "additional", "check", "sections"]) {
  test(`a family reads the step ${step} of the intake form`, async ({
    page,
    site,
    login,
    javaScriptEnabled,
    expectAccessible,
  }) => {
    await login(await busyFamily(site));
    await expectGoodPage(
      { page, isPhone: !javaScriptEnabled, expectAccessible },
      `/dashboard/intake-form?step=${step}`,
    );
  });
}

let weeks = 0;

/** A family that told its story and has two visits ahead, at times nobody else on this site has taken. */
async function busyFamily(site: Site) {
  const family = await site.family({ intake: true });
  expect((await family.post("/api/intake-forms", intakeForm(family))).status).toBe(200);
  for (const isLiveVideoCall of [true, false]) {
    weeks += 1;
    const answer = await family.post("/api/appointments/in-person", {
      title: "Initial Consultation",
      description: "Our first talk, about the meeting at school.",
      appointmentDate: sundayMorning(weeks),
      duration: 90,
      type: "consultation",
      isLiveVideoCall,
    });
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  }
  return family;
}

/** Ten o'clock in the practice's zone, give or take daylight saving, on a Sunday so many weeks ahead. */
function sundayMorning(ahead: number): string {
  const day = new Date(Date.now() + ahead * 7 * 86_400_000);
  day.setUTCDate(day.getUTCDate() + ((7 - day.getUTCDay()) % 7));
  return `${day.toISOString().slice(0, 10)}T15:00:00.000Z`;
}
