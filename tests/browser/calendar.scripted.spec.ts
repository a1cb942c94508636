// Proves keyboard navigation in the calendar's time grid (one tab stop, arrow keys between empty times), and dragging a
// visit to another time.
import type { Locator, Page } from "playwright/test";
import { expect, type Site, test } from "../support/browser/playwright-fixtures.ts";
import { keyboardUser } from "../support/browser/keyboard-user.ts";
import { waitForHydration } from "../support/browser/wait-for-hydration.ts";
import type { TestClient } from "../support/http-client.ts";
import { bookVideoAppointment } from "../support/video-appointment.ts";

test("Tab reaches the empty times, arrow keys move between them past booked ones, and Enter starts a booking", async ({
  page,
  site,
  login,
}) => {
  const family = await site.family({ intake: true });
  const fields = { title: "Hourly Consulting", appointmentDate: "2028-05-02T22:30:00Z" };
  expect((await family.post("/api/appointments/in-person", fields)).status).toBe(201);
  const nextDay = { ...fields, type: "emergency", appointmentDate: "2028-05-03T23:30:00Z", duration: 30 };
  expect((await family.post("/api/appointments/in-person", nextDay)).status).toBe(201);
  await login(await site.consultant());
  await page.goto("/calendar?view=week&day=2028-05-01");
  const slot = (name: string) => page.getByRole("link", { name: `New appointment: ${name}`, exact: true });
  await expect(page.locator("[data-slot]:not([tabindex='-1'])")).toHaveCount(1);
  const keys = keyboardUser(page);
  await keys.reach(slot("Sunday, April 30, 2028, 9am"));
  await keys.press("ArrowRight");
  await expect(slot("Monday, May 1, 2028, 9am")).toBeFocused();
  await keys.press("ArrowDown");
  await expect(slot("Monday, May 1, 2028, 9:30am")).toBeFocused();
  await keys.press("ArrowRight");
  await expect(slot("Tuesday, May 2, 2028, 9:30am")).toBeFocused();
  for (let halfHour = 19; halfHour < 36; halfHour += 1) await keys.press("ArrowDown");
  await expect(slot("Tuesday, May 2, 2028, 6pm")).toBeFocused();
  await keys.press("ArrowDown");
  await expect(slot("Tuesday, May 2, 2028, 7:30pm")).toBeFocused();
  // The next day has no free time at 7:30, but at another minute of the hour.
  await keys.press("ArrowRight");
  await expect(slot("Wednesday, May 3, 2028, 7pm")).toBeFocused();
  await keys.press("ArrowLeft");
  await expect(slot("Tuesday, May 2, 2028, 7:30pm")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main").getByText("Tue, May 2, 2028 at 7:30 PM ET")).toBeVisible();
});

const WEEK = "/calendar?view=week&day=2028-06-05";

/** On Monday, June 5, 2028 at 10:00 AM, an hour long, in the consultant's week; the other one an hour later. */
async function openWeek({ page, site, login }: { page: Page; site: Site; login: (as: TestClient) => Promise<void> }) {
  const [family, other] = [await site.family({ intake: true }), await site.family({ intake: true })];
  const ids: number[] = [];
  for (const [each, appointmentDate] of [
    [family, "2028-06-05T14:00:00Z"],
    [other, "2028-06-05T16:00:00Z"],
  ] as const) {
    const response = await each.post("/api/appointments/in-person", { title: "Hourly Consulting", appointmentDate });
    expect(response.status).toBe(201);
    ids.push((response.json as { id: number }).id);
  }
  const consultant = await site.consultant();
  await login(consultant);
  await page.goto(WEEK);
  await waitForHydration(page);
  const visit = page.getByRole("link", { name: new RegExp(`^ ?${family.name}.*10:00–11:00 AM.*June 5`) });
  const remove = async () => {
    for (const id of ids) await consultant.delete(`/api/appointments/${id}`);
  };
  return { family, other, visit, remove };
}

async function boxOf(element: Locator) {
  return (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
}

/** Presses on the visit and takes it so far that its top is on that of an element of the grid, and so many pixels lower. */
async function drag(page: Page, visit: Locator, target: Locator, lower = 0) {
  await visit.hover();
  await page.locator(".time-grid[data-can-drag]").waitFor();
  const [from, to] = [await boxOf(visit), await boxOf(target)];
  await page.mouse.move(from.x + 20, from.y + 12);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + 12 + lower, { steps: 5 });
}

const QUARTER_HOUR_PX = 15;
const emptyTime = (page: Page, name: string) =>
  page.getByRole("link", { name: `New appointment: ${name}`, exact: true });

test("a visit dragged to another day and hour moves after confirmation; times outside office hours show a warning", async ({
  page,
  site,
  login,
}) => {
  const { family, visit, remove } = await openWeek({ page, site, login });
  const shown = page.locator(".is-dragged");
  const dialog = page.getByRole("dialog", { name: `Move ${family.name}?` });
  // Tuesday's hours begin in the evening: she can go there all the same, and is told.
  await drag(page, visit, emptyTime(page, "Tuesday, June 6, 2028, 10am"));
  await expect(shown).toHaveText(`10–11 AM outside your hours ${family.name}`);
  await page.mouse.up();
  await expect(dialog.getByRole("note")).toContainText("outside office hours");
  await dialog.getByRole("link", { name: "Keep 10:00 AM" }).click();
  await expect(page).toHaveURL(new RegExp(`${WEEK.replace("?", "\\?")}$`));

  await drag(page, visit, emptyTime(page, "Wednesday, June 7, 2028, 9am"), QUARTER_HOUR_PX);
  await expect(shown).toHaveText(`9:15–10:15 AM ${family.name}`);
  await page.mouse.up();
  await expect(dialog).toContainText("Mon, Jun 5, 10:00 AM → Wed, Jun 7, 9:15 AM ET");
  await expect(page).toHaveURL(/reschedule\?from=.*&date=2028-06-07&time=09%3A15$/);
  await dialog.getByRole("button", { name: "Move visit" }).click();
  await expect(
    page.getByRole("link", { name: `Move ${family.name}, Wednesday, June 7, 2028, 9:15–10:15 AM` }),
  ).toBeVisible();
  await remove();
});

test("a visit dropped on a booked time, outside the grid or after Escape doesn't move; a click opens it", async ({
  page,
  site,
  login,
}) => {
  const { family, other, visit, remove } = await openWeek({ page, site, login });
  const shown = page.locator(".is-dragged");
  const expectNothingMoved = async () => {
    await page.mouse.up();
    await expect(shown).toHaveCount(0);
    await expect(visit).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`${WEEK.replace("?", "\\?")}$`));
  };
  const taken = page.getByRole("link", { name: new RegExp(`^ ?${other.name}.*12:00–1:00 PM`) });
  await drag(page, visit, taken, -2 * QUARTER_HOUR_PX);
  await expect(shown).toHaveText(`11:30 AM–12:30 PM taken ${family.name}`);
  await expectNothingMoved();
  const refusal = `${family.name} can't move to Monday, June 5, 2028, 11:30 AM: taken.`;
  await expect(page.getByText(refusal)).toBeVisible();
  // It moves the hours when it goes.
  await page.getByRole("button", { name: "Close message" }).click();
  await expect(page.getByText(refusal)).toBeHidden();

  await drag(page, visit, emptyTime(page, "Wednesday, June 7, 2028, 9am"));
  await expect(shown).toHaveText(`9–10 AM ${family.name}`);
  await page.keyboard.press("Escape");
  await expect(shown).toHaveCount(0);
  const start = await boxOf(visit);
  await page.mouse.move(start.x + 20, start.y + 12, { steps: 3 });
  await expectNothingMoved();

  await drag(page, visit, emptyTime(page, "Wednesday, June 7, 2028, 9am"));
  await expect(shown).toBeVisible();
  await page.mouse.move(2, 400);
  await expectNothingMoved();

  // Taken away and back again, it is let go on its own link.
  await drag(page, visit, emptyTime(page, "Monday, June 5, 2028, 9am"));
  await expect(shown).toHaveText(`9–10 AM ${family.name}`);
  await page.mouse.move(start.x + 20, start.y + 12, { steps: 3 });
  await expect(shown).toHaveText(`10–11 AM as it is now ${family.name}`);
  await expectNothingMoved();

  // A finger scrolls.
  const finger = { pointerType: "touch", pointerId: 7, isPrimary: true, clientX: start.x, clientY: start.y };
  await visit.dispatchEvent("pointerdown", finger);
  await visit.dispatchEvent("pointermove", { ...finger, clientY: start.y + 60 });
  await expect(page.locator("[data-dragging], [data-dragged]")).toHaveCount(0);
  await visit.dispatchEvent("pointerup", finger);

  await visit.click();
  await expect(page.getByRole("dialog")).toContainText(family.name);
  await expect(page).toHaveURL(/\/dashboard\/appointments\/\d+\?from=/);
  await remove();
});

test("a family that arrives in the waiting room does not interrupt the drag of a visit", async ({
  page,
  site,
  login,
  openAs,
}) => {
  await page.clock.install();
  const { family, visit, remove } = await openWeek({ page, site, login });
  const arriving = await bookVideoAppointment(site);
  const shown = page.locator(".is-dragged");
  await drag(page, visit, emptyTime(page, "Wednesday, June 7, 2028, 11am"));
  await expect(shown).toHaveText(`11 AM–12 PM ${family.name}`);
  const waitingRoom = await openAs(arriving.family);
  await waitingRoom.goto(arriving.path);
  await expect(waitingRoom.getByText("can see that you are waiting")).toBeVisible();
  await page.clock.runFor(20_000);
  await expect(page.getByText(`${arriving.family.name} is waiting for you.`)).toBeVisible();
  await expect(shown).toHaveText(`11 AM–12 PM ${family.name}`);
  // The line above has pushed the hours down below the pointer: what is shown counts.
  const box = await boxOf(emptyTime(page, "Wednesday, June 7, 2028, 11am"));
  await page.mouse.move(box.x + 40, box.y + 12 + QUARTER_HOUR_PX, { steps: 3 });
  await expect(shown).toHaveText(`11:15 AM–12:15 PM ${family.name}`);
  await page.mouse.up();
  await expect(page.getByRole("dialog", { name: `Move ${family.name}?` })).toContainText("Wed, Jun 7, 11:15 AM ET");
  await remove();
  await arriving.remove();
});

test("in the month view, a dragged visit moves to another day at its time; Escape or its own day changes nothing", async ({
  page,
  site,
  login,
}) => {
  const { family, remove } = await openWeek({ page, site, login });
  const month = "/calendar?view=month&day=2028-06-05";
  await page.goto(month);
  await waitForHydration(page);
  const visit = page.getByRole("link", { name: new RegExp(`^10am .*${family.name}`) });
  const day = (date: string) => page.locator(`[data-day="${date}"]`);
  const dragTo = async (date: string) => {
    await visit.hover();
    await page.locator(".month-days[data-can-drag]").waitFor();
    const [from, to] = [await boxOf(visit), await boxOf(day(date))];
    await page.mouse.move(from.x + 20, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 });
  };
  await dragTo("2028-06-07");
  await expect(day("2028-06-07")).toHaveAttribute("data-drop", "Move here");
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await expect(page.locator("[data-drop], [data-dragged]")).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`${month.replace("?", "\\?")}$`));
  // Let go on its own day, it stays.
  await dragTo("2028-06-05");
  await page.mouse.up();
  await expect(page.locator("[data-drop], [data-dragged]")).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`${month.replace("?", "\\?")}$`));

  await dragTo("2028-06-07");
  await page.mouse.up();
  const dialog = page.getByRole("dialog", { name: `Move ${family.name}?` });
  await expect(dialog).toContainText("Mon, Jun 5, 10:00 AM → Wed, Jun 7, 10:00 AM ET");
  await dialog.getByRole("button", { name: "Move visit" }).click();
  await expect(
    day("2028-06-07")
      .getByRole("link", { name: new RegExp(family.name) })
      .first(),
  ).toBeVisible();
  await expect(
    page.getByText(`Visit of ${family.name} moved to Wed, Jun 7, 2028 at 10:00 AM ET.`).first(),
  ).toBeVisible();
  await remove();
});
