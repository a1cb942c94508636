// Proves an hour of the consultant's day with the keyboard alone, and moving a visit in three actions from each view, by
// touch too.
import { WebSocket } from "ws";
import type { Locator, Page } from "playwright/test";
import { practiceTime, startScreenshotSite, type ScreenshotSite } from "../screenshots/screenshot-site.ts";
import { keyboardUser } from "../support/browser/keyboard-user.ts";
import type { Family } from "../support/people.ts";
import { expect, test as base } from "../support/browser/playwright-fixtures.ts";

const test = base.extend<object, { practice: ScreenshotSite }>({
  practice: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const site = await startScreenshotSite();
      await use(site);
      await site.stop();
    },
    { scope: "worker" },
  ],
});
test.describe.configure({ timeout: 120_000 });

async function signIn(page: Page, practice: ScreenshotSite) {
  const { cookies } = await practice.consultant();
  await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url: practice.origin })));
}

/** A visit of a new family so many minutes from ten o'clock in the morning of a Friday. */
async function visitOf(practice: ScreenshotSite, name: string, start: Date, more: object = {}) {
  const family = await practice.family({ firstName: name, lastName: "Hour" });
  const fields = { userId: family.id, title: "Hourly Consulting", type: "consultation", paymentAmountCents: 7500 };
  const data = { ...fields, appointmentDate: start, duration: 30, paymentMethod: "in-person", ...more };
  return { family, ...(await practice.db.appointment.create({ data })) };
}

/** The family's browser enters the waiting room. */
async function arrive({ family, id }: { family: Family; id: number }): Promise<WebSocket> {
  const Cookie = [...family.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const socket = new WebSocket(`${family.origin.replace("http", "ws")}/ws`, {
    headers: { Cookie, Origin: family.origin },
  });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  const joined = new Promise((resolve) => socket.once("message", resolve));
  socket.send(JSON.stringify({ appointmentId: id, type: "join-room", payload: { waiting: true } }));
  await joined;
  return socket;
}

type Hour = { cora: { id: number }; dana: { id: number; userId: number | null }; requestId: number };

async function expectHourDone({ db }: ScreenshotSite, { cora, dana, requestId }: Hour) {
  const row = (id: number) => db.appointment.findUniqueOrThrow({ where: { id } });
  expect(await row(cora.id)).toMatchObject({ status: "no-show", paymentStatus: "pending" });
  expect(await row(dana.id)).toMatchObject({ status: "completed", paymentStatus: "paid" });
  expect(await db.followUp.findMany({ where: { userId: dana.userId ?? 0 } })).toMatchObject([
    { text: "Call the school", dueDay: "2026-11-24", appointmentId: dana.id },
  ]);
  expect(await db.appointment.count({ where: { userId: dana.userId, status: "scheduled", duration: 30 } })).toBe(1);
  expect(await db.appointment.count({ where: { consultationRequestId: requestId } })).toBe(1);
}

test("by keyboard: two families arrive, a no-show, a visit paid in cash with a follow-up, and a request scheduled", async ({
  page,
  practice,
  javaScriptEnabled,
}) => {
  const amara = await visitOf(practice, "Amara", practiceTime(0, 9, 40), { isLiveVideoCall: true });
  const bea = await visitOf(practice, "Bea", practiceTime(0, 10, 10), { isLiveVideoCall: true });
  const cora = await visitOf(practice, "Cora", practiceTime(0, 8));
  const dana = await visitOf(practice, "Dana", practiceTime(0, 9));
  const asked = { firstName: "Jane", lastName: "Asks", email: "jane@example.org", serviceNeeds: "IEP", consent: true };
  const { id: requestId } = await practice.db.consultationRequest.create({ data: { ...asked, urgency: "urgent" } });
  const sockets = [await arrive(amara)];
  await signIn(page, practice);
  const keys = keyboardUser(page);
  const link = (name: string | RegExp) => page.getByRole("link", { name }).first();
  const dialog = page.locator("dialog[open]");
  await page.goto(`${practice.origin}/dashboard`);

  // Two families arrive: the second one while she reads.
  await expect(page.getByText("Amara Hour is waiting for you.")).toBeVisible();
  sockets.push(await arrive(bea));
  if (!javaScriptEnabled) await keys.use(page.getByRole("navigation").getByRole("link", { name: "Dashboard" }).first());
  await expect(page.getByText("Bea Hour is waiting for you.")).toBeVisible();
  await keys.reach(link("Join call now with Bea Hour"), "Shift+Tab");

  // Nobody came to the first visit of the morning.
  await keys.use(link(/^Finish visit with Cora Hour/));
  await expect(page.getByRole("heading", { name: "After the visit" })).toBeFocused();
  await keys.choose(dialog.getByRole("radio", { name: "No-show" }));
  await keys.use(dialog.getByRole("button", { name: "Save", exact: true }));
  await expect(page.getByText(/^Visit of .+ is marked no-show\./).first()).toBeVisible();
  await expect(dialog).toHaveCount(0);

  // The next one paid in cash, has something to be done by a day, and comes again in a week.
  await keys.use(link(/^Finish visit with Dana Hour/));
  await keys.choose(dialog.getByRole("radio", { name: "Yes, in cash" }));
  await keys.write(dialog.getByLabel("To do (optional)"), "Call the school");
  await keys.writeDate(dialog.getByLabel("By when", { exact: true }), "11242026");
  await keys.choose(dialog.getByRole("radio", { name: "In one week" }));
  await keys.use(dialog.getByRole("button", { name: "Save", exact: true }));
  await expect(page.getByText("The next one is booked").first()).toBeVisible();
  await expect(dialog).toHaveCount(0);

  // An urgent request gets the first free time.
  await keys.use(link(/^Jane Asks ?: schedule a consultation/));
  await expect(page.getByRole("heading", { name: "Schedule Consultation" })).toBeFocused();
  await keys.choose(dialog.locator("input[name=slot]").first());
  await keys.use(dialog.getByRole("button", { name: "Schedule Consultation" }));
  await expect(page.getByText("Consultation Scheduled Successfully!").first()).toBeVisible();
  await expect(dialog).toHaveCount(0);

  for (const socket of sockets) socket.close();
  await expectHourDone(practice, { cora, dana, requestId });
});

/** From each view: the page, the way to move, and the choice of the time. */
const VIEWS: [name: string, path: (visit: { id: number; userId: number }) => string, isGrid?: true][] = [
  ["the dashboard", () => "/dashboard"],
  ["the list of all visits", () => "/dashboard?q=Mover&when=upcoming"],
  ["the day view", () => "/calendar?view=day&day=2026-11-20", true],
  ["the week view", () => "/calendar?view=week&day=2026-11-20", true],
  ["the month view", () => "/calendar?view=month&day=2026-11-20"],
  ["the day view on a phone", () => "/calendar?view=day&day=2026-11-20", true],
  ["the week view on a phone", () => "/calendar?view=week&day=2026-11-20", true],
  ["the month view on a phone", () => "/calendar?view=month&day=2026-11-20"],
  ["the calendar's list", () => "/dashboard/calendar"],
  ["the search page", () => "/search?q=Mover"],
  ["the family's page", ({ userId }) => `/families/${userId}`],
  ["the visit's details", ({ id }) => `/dashboard/appointments/${id}`],
];

/** With script the first time after the visit has the focus, and an arrow goes on to the next one. */
async function chooseSixInGrid(page: Page, isScripted: boolean) {
  const keys = keyboardUser(page);
  const slot = (time: string) =>
    page.getByRole("link", { name: `Move Mover Hour here: Friday, November 20, 2026, ${time}`, exact: true });
  if (isScripted) {
    await expect(slot("5:30pm")).toBeFocused();
    await keys.press("ArrowDown");
  }
  await keys.use(slot("6pm"));
}

for (const [name, path, isGrid] of VIEWS) {
  test(`a visit is moved by keyboard in three actions from ${name}`, async ({ page, practice, javaScriptEnabled }) => {
    await practice.db.appointment.deleteMany();
    const visit = await visitOf(practice, "Mover", practiceTime(0, 17));
    if (name.endsWith("phone")) await page.setViewportSize({ width: 375, height: 800 });
    await signIn(page, practice);
    const keys = keyboardUser(page);
    await page.goto(practice.origin + path({ id: visit.id, userId: visit.family.id }));
    let actions = 0;
    const act = async (doing: Promise<void>) => {
      await doing;
      actions += 1;
    };
    const place =
      name === "the list of all visits" ? page.locator("#appointments") : page.locator("dialog[open], main").last();
    const move: Locator = place.getByRole("link", { name: /^Move\b/ }).first();
    await act(keys.use(move));
    if (isGrid) await act(chooseSixInGrid(page, javaScriptEnabled));
    const dialog = page.getByRole("dialog", { name: /^Move (this visit|Mover Hour\?)/ });
    await expect(dialog).toBeVisible();
    // Another day costs no action more: each day has its times.
    const nextDay = dialog.getByRole("group", { name: "Open times on Saturday, November 21, 2026" });
    if (!isGrid) await act(keys.choose(nextDay.locator("input[name=slot]").first()));
    await act(keys.use(dialog.getByRole("button", { name: "Move visit" })));
    await expect(page.getByText("Visit Moved").first()).toBeVisible();
    expect(actions).toBe(3);
    const { appointmentDate, status } = await practice.db.appointment.findUniqueOrThrow({ where: { id: visit.id } });
    expect([status, appointmentDate.getTime() === practiceTime(0, 17).getTime()]).toEqual(["rescheduled", false]);
  });
}

test.describe("on a wide touch screen", () => {
  test.use({ hasTouch: true, viewport: { width: 1180, height: 820 } });
  for (const view of ["week", "month"]) {
    test(`a visit of half an hour is moved in three taps from the ${view}`, async ({ page, practice }) => {
      await practice.db.appointment.deleteMany();
      const { id } = await visitOf(practice, "Mover", practiceTime(0, 17));
      await signIn(page, practice);
      await page.goto(`${practice.origin}/calendar?view=${view}&day=2026-11-20`);
      const move = page.getByRole("link", { name: /^Move Mover Hour, Friday, November 20/ });
      await expect(move).toHaveCSS("opacity", "1");
      await expectTextBeside(page.locator(".time-visit, .month-visit").getByRole("link").first(), move);
      await move.tap();
      const dialog = page.getByRole("dialog", { name: /^Move (this visit|Mover Hour\?)/ });
      if (view === "week") await page.getByRole("link", { name: /^Move Mover Hour here: .* 20, 2026, 6pm$/ }).tap();
      else await dialog.locator("label:has(input[name=slot])").last().tap();
      await dialog.getByRole("button", { name: "Move visit" }).tap();
      await expect(page.getByText("Visit Moved").first()).toBeVisible();
      const { status } = await practice.db.appointment.findUniqueOrThrow({ where: { id } });
      expect(status).toBe("rescheduled");
    });
  }
});

/** No text of a link is below the target beside it: a tap on the text does what it says. */
async function expectTextBeside(link: Locator, target: Locator) {
  const ends = await link.evaluate((element) =>
    [...element.querySelectorAll("span:not(.sr-only, .sr-only *)")]
      .filter((text) => text.checkVisibility())
      .map((text) => text.getBoundingClientRect().right - parseFloat(getComputedStyle(text).paddingInlineEnd)),
  );
  const box = (await target.boundingBox()) ?? { x: 0, width: 0, height: 0 };
  expect(ends.length).toBeGreaterThan(0);
  expect(Math.max(...ends)).toBeLessThanOrEqual(box.x + 1);
  expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(24);
}
