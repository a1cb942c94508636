// Proves the day and week views as a grid of hours: the current-time line, closed hours, and each visit's block.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock } from "../support/site.ts";

/** Monday, 2:52 PM in the practice; its office is open from 9 AM to 7 PM. */
const NOW = new Date("2026-11-23T19:52:30Z");
const VIEWS = ["day", "week"];
/** The longest visit has 48 units of five minutes, and 60 across the hour that clocks skip in spring. */
const MAX_UNITS = 60;

let admin: TestClient;
let maria: Family;

beforeAll(async () => {
  maria = await family({ firstName: "Maria", lastName: "Alvarez" });
});
beforeEach(async () => {
  await setTime(NOW);
  await db.appointment.deleteMany();
  await db.hoursOverride.deleteMany();
});

/** Sets the clock and signs the consultant in again, whose session ends after 15 idle minutes. */
async function setTime(time: Date) {
  setTestClock(() => time);
  admin = await consultant();
}

/** Saves a visit of Maria's; `start` is the time of day in the practice on Monday, November 23. */
function bookVisit(title: string, start: string, changes: Record<string, unknown> = {}) {
  const appointmentDate = new Date(`2026-11-23T${start}:00-05:00`);
  return db.appointment.create({
    data: { userId: maria.id, title, type: "consultation", appointmentDate, duration: 30, ...changes },
  });
}

/** The hours of each day of a page, each with the label of its row. */
async function readGrid(view: string, day: string) {
  const { document } = await admin.get(`/calendar?view=${view}&day=${day}`);
  const labels = [...document.querySelectorAll(".time-axis span")].map(({ textContent }) => textContent);
  const days = [...document.querySelectorAll(".time-days > li")].map((column) => ({
    id: column.getAttribute("id"),
    name: column.querySelector("h2")?.textContent ?? "",
    hours: [...column.querySelectorAll(".time-hour")].map((hour, row) => ({ hour, label: labels[row] })),
  }));
  return { document, labels, days };
}

/** Where the line of the present minute stands: the day, the hour and its class. */
async function readNowLines(view: string, day: string) {
  const { days } = await readGrid(view, day);
  return days.flatMap(({ id, hours }) =>
    hours.flatMap(({ hour, label }) =>
      [...hour.querySelectorAll(".time-now")].map(({ className }) => `${id}, ${label}, ${className}`),
    ),
  );
}

const CLOSED_MARKS: Record<string, string> = { none: "-", both: "#", first: "^", second: "_" };

/** A character for each hour of each day: open, closed, or closed in its first or second half. */
async function readClosedHours(view: string, day: string) {
  const { days } = await readGrid(view, day);
  return days.map(({ hours }) =>
    hours.map(({ hour }) => CLOSED_MARKS[/closed-(\w+)/.exec(hour.className)?.[1] ?? ""] ?? "?").join(""),
  );
}

/** The style sheets that a page loads. */
async function readStyles({ document }: { document: Document }) {
  const hrefs = [...document.querySelectorAll('link[rel="stylesheet"]')].map((link) => link.getAttribute("href") ?? "");
  return (await Promise.all(hrefs.map(async (href) => (await admin.get(href)).text))).join("\n");
}

describe("the current-time line", () => {
  test.each(VIEWS)("is in the current hour of today in the %s view, and moves with the clock", async (view) => {
    expect(await readNowLines(view, "2026-11-23")).toEqual(["today, 2 PM, time-now at-10"]);
    await setTime(new Date("2026-11-23T20:00:00Z"));
    expect(await readNowLines(view, "2026-11-23")).toEqual(["today, 3 PM, time-now at-0"]);
  });

  test("is absent on other days, and today before the first hour of the grid", async () => {
    for (const day of ["2026-11-22", "2026-11-24"]) expect(await readNowLines("day", day)).toEqual([]);
    for (const day of ["2026-11-16", "2026-11-30"]) expect(await readNowLines("week", day)).toEqual([]);
    await setTime(new Date("2026-11-23T13:59:00Z"));
    expect(await readNowLines("day", "2026-11-23")).toEqual([]);
  });
});

describe("closed hours", () => {
  test("are hatched on each day of the week by that day's office hours, to the half hour", async () => {
    const { document, labels } = await readGrid("week", "2026-11-23");
    expect([labels.length, labels[0], labels.at(-1)]).toEqual([12, "9 AM", "8 PM"]);
    const whole = "----------##";
    const evening = "#########^--";
    expect(await readClosedHours("week", "2026-11-23")).toEqual([
      whole,
      whole,
      evening,
      "----_#######",
      evening,
      "######----##",
      whole,
    ]);
    const styles = await readStyles({ document });
    expect(styles).toMatch(/\.time-hour:not\(\.closed-none\):+before\{[^}]*repeating-linear-gradient/);
    expect(styles).toMatch(/\.closed-first:+before\{bottom:50%\}/);
    expect(styles).toMatch(/\.closed-second:+before\{top:50%\}/);
  });

  test("are all hours of a closed day, and the hours before and after a day's one-off hours", async () => {
    await bookVisit("Before that", "10:00");
    const setHours = (fields: Record<string, string>) =>
      admin.form("/calendar/hours", { from: "2026-11-23", kind: "closed", ...fields });
    expect((await setHours({})).status).toBe(302);
    const [closed] = await readClosedHours("day", "2026-11-23");
    expect(closed).toMatch(/^#+$/);
    expect((await readGrid("day", "2026-11-23")).document.querySelector(".time-heading .badge")?.textContent).toBe(
      "closed",
    );
    expect((await setHours({ kind: "open", opens: "10:30", closes: "13:30" })).status).toBe(302);
    expect(await readClosedHours("day", "2026-11-23")).toEqual(["^--_"]);
  });
});

describe("a visit's block", () => {
  test.each(VIEWS)("is placed at its start minute with a height for its duration, in the %s view", async (view) => {
    await bookVisit("Short", "09:40", { duration: 15 });
    await bookVisit("Usual", "10:00", { duration: 60 });
    await bookVisit("Odd", "11:05", { duration: 50 });
    await bookVisit("Longest", "12:30", { duration: 240 });
    const { document, days } = await readGrid(view, "2026-11-23");
    const blocks = days.flatMap(({ id, hours }) =>
      hours.flatMap(({ hour, label }) =>
        [...hour.querySelectorAll(".time-visit")].map(
          ({ className }) => `${id}, ${label}, ${/at-\d+ tall-\d+/.exec(className)?.[0]}`,
        ),
      ),
    );
    expect(blocks).toEqual([
      "today, 9 AM, at-8 tall-3",
      "today, 10 AM, at-0 tall-12",
      "today, 11 AM, at-1 tall-10",
      "today, 12 PM, at-6 tall-48",
    ]);
    const styles = (await readStyles({ document })).replaceAll(" ", "");
    const share = (units: number) => `calc(var(--hour-height)*${units}/12)`;
    for (let units = 0; units < 12; units += 1) expect(styles).toContain(`.at-${units}{top:${share(units)}}`);
    for (let units = 3; units <= MAX_UNITS; units += 1)
      expect(styles).toContain(`.tall-${units}{--visit-height:${share(units)}}`);
    expect(styles).toMatch(/\.time-visit\{[^}]*height:var\(--visit-height\)/);
  });

  test.each(VIEWS)(
    "shows in the %s view what is due after the start of an unpaid visit, and to pay before it",
    async (view) => {
      const price = { paymentAmountCents: 7500 };
      await bookVisit("Over", "09:00", { ...price, status: "completed" });
      const paid = await bookVisit("Paid", "10:00", { ...price, status: "completed" });
      await admin.form(`/dashboard/appointments/${paid.id}/payment`, { intent: "taken", method: "cash" });
      await bookVisit("Free", "11:00");
      await bookVisit("To come", "17:00", price);
      const { document } = await readGrid(view, "2026-11-23");
      const money = [...document.querySelectorAll(".time-visit")].map((block) => [
        /Over|Paid|Free|To come/.exec(block.textContent)?.[0],
        /\$[\d.]+ (?:due|to pay)/.exec(block.textContent)?.[0],
        block.querySelector(".text-warn:not(.time-visit-status)") !== null,
      ]);
      expect(money).toEqual([
        ["Over", "$75 due", true],
        ["Paid", undefined, false],
        ["Free", undefined, false],
        ["To come", "$75 to pay", false],
      ]);
    },
  );

  test("has the icon for video, link or in person from the legend of the month view", async () => {
    await bookVisit("One", "15:00", { isLiveVideoCall: true });
    await bookVisit("Two", "16:00", { meetingLink: "https://meet.example/x" });
    await bookVisit("Three", "17:00");
    const kinds = ["Video", "By link", "In person"];
    const marksOf = (blocks: Iterable<Element>) =>
      [...blocks].map((block) => [
        kinds.find((kind) => block.textContent.includes(kind)),
        block.querySelector("svg")?.innerHTML,
      ]);
    const { document: month } = await admin.get("/calendar?view=month&day=2026-11-23");
    const legend = marksOf(month.querySelectorAll(".month-legend > span")).filter(([kind]) => kind !== undefined);
    expect(legend.map(([kind]) => kind)).toEqual(kinds);
    expect(new Set(legend.map(([, mark]) => mark)).size).toBe(3);
    expect(marksOf(month.querySelectorAll("li.month-visit"))).toEqual(legend);
    for (const view of VIEWS) {
      const { document } = await readGrid(view, "2026-11-23");
      expect(marksOf(document.querySelectorAll(".time-visit"))).toEqual(legend);
    }
  });
});

test.each(["/calendar", "/calendar?view=year", "/calendar?view=&day=x"])("%s shows the week of today", async (path) => {
  const { document } = await admin.get(path);
  expect(document.querySelector("h1")?.textContent).toMatch(/^Week of November\s22, 2026$/);
  expect(document.querySelector('nav[aria-label="Calendar"] [aria-current]')?.textContent).toBe("Week");
});

test("the links of a week that shows its earlier days return to them", async () => {
  const { id } = await bookVisit("To come", "17:00");
  const canceled = await bookVisit("Canceled", "11:00", { status: "cancelled" });
  const week = "/calendar?view=week&day=2026-11-23&earlier";
  const from = `?${new URLSearchParams({ from: week })}`;
  const { document } = await admin.get(week);
  const hrefsOf = (page: Document, selector: string) =>
    [...page.querySelectorAll(selector)].map((link) => link.getAttribute("href") ?? "");
  expect(hrefsOf(document, ".time-visit a")).toEqual([`/dashboard/appointments/${id}${from}`, `${week}&move=${id}`]);
  expect(hrefsOf(document, ".calendar-more .rows a")).toEqual([`/dashboard/appointments/${canceled.id}${from}`]);
  expect(hrefsOf(document, `a[href^="/dashboard/calendar"]`)).toContain(`/dashboard/calendar${from}`);
  const { document: moving } = await admin.get(`${week}&move=${id}`);
  expect(hrefsOf(moving, ".moving-notice a")).toEqual([week]);
  expect(hrefsOf(moving, ".time-slot")[0]).toContain(from);
  const [slot = ""] = hrefsOf(document, ".time-slot");
  const { document: choice } = await admin.get(slot);
  expect(hrefsOf(choice, "main .button")[0]).toBe("/calendar?view=week&day=2026-11-23&earlier");
  expect(choice.querySelector("form[role=search] input[name=earlier]")).not.toBeNull();
});
