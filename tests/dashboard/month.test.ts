// Proves the month view: a line for each visit, marks of days, and links to a day, a visit and a new appointment.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock } from "../support/site.ts";

/** Friday, 10:00 AM in the practice. */
const NOW = new Date("2026-11-20T15:00:30Z");
const HOUR_MS = 3_600_000;
const MONTH = "/calendar?view=month&day=2026-11-20";

let admin: TestClient;
let maria: Family;

beforeAll(async () => {
  setTestClock(() => NOW);
  admin = await consultant();
  maria = await family({ firstName: "Maria", lastName: "Alvarez" });
});

beforeEach(async () => {
  await db.appointment.deleteMany();
  await db.hoursOverride.deleteMany();
});

const visit = (start: string, more: Record<string, unknown> = {}) => {
  const fields = { userId: maria.id, title: "Hourly Consulting", type: "consultation", paymentAmountCents: 7500 };
  return db.appointment.create({ data: { ...fields, appointmentDate: new Date(start), duration: 45, ...more } });
};
const cellOf = async (day: string, path = MONTH) => {
  const { document } = await admin.get(path);
  const cell = document.querySelector(`[data-day="${day}"]`);
  return {
    cell,
    text: cell?.textContent ?? "",
    hrefs: [...(cell?.querySelectorAll("a") ?? [])].map((a) => a.getAttribute("href")),
  };
};

describe("a day in the month view", () => {
  test("has a line for each visit that is not canceled: time, family and kind of meeting", async () => {
    const { id } = await visit("2026-11-24T23:30:00Z", { isLiveVideoCall: true });
    await visit("2026-11-24T20:00:00Z", { status: "cancelled" });
    const { text, hrefs, cell } = await cellOf("2026-11-24");
    expect(text).toContain("6:30pm  $ Maria Alvarez, Video, $75 to pay, scheduled, Tuesday, November 24, 2026");
    expect(text).not.toContain("3pm");
    expect(text).toContain("1 visit");
    const from = `?${new URLSearchParams({ from: MONTH })}`;
    expect(hrefs).toEqual([
      "/calendar?view=day&day=2026-11-24",
      `/dashboard/appointments/${id}${from}`,
      `/dashboard/appointments/${id}/reschedule${from}`,
      "/calendar/new?view=month&day=2026-11-24",
    ]);
    expect(cell?.querySelectorAll("li.month-visit")).toHaveLength(1);
  });

  test("lists upcoming visits first if it is today, so that only past ones are cut off", async () => {
    for (const hour of [12, 13, 14, 19, 20]) await visit(`2026-11-20T${hour}:00:00Z`);
    const times = async (day: string) =>
      [...((await cellOf(day)).cell?.querySelectorAll(".month-visit-time") ?? [])].map(
        ({ textContent }) => textContent,
      );
    expect(await times("2026-11-20")).toEqual(["2pm", "3pm", "7am"]);
    for (const hour of [12, 13, 14, 19]) await visit(`2026-11-19T${hour}:00:00Z`);
    expect(await times("2026-11-19")).toEqual(["7am", "8am", "9am", "2pm"]);
  });

  test("shows money as due once the visit has started, and as to pay before it, on a phone's list too", async () => {
    await visit("2026-11-24T23:30:00Z");
    await visit("2026-11-18T15:00:00Z");
    const future = await cellOf("2026-11-24");
    expect(future.text).not.toContain("money due");
    expect(future.text).toContain("6:30pm  $ Maria Alvarez, In person, $75 to pay,");
    expect(future.cell?.querySelector(".text-warn")).toBeNull();
    const { document } = await admin.get(MONTH);
    expect(document.querySelector(".month-agenda-row")?.textContent).toContain("6:30 PM$75 to pay");
    const past = await cellOf("2026-11-18");
    expect(past.text).toContain("1 visit, money due");
    expect(past.text).toContain("10am  $ Maria Alvarez, In person, $75 due,");
  });

  test("shows three of five visits with a link to the day for the rest, but all of four", async () => {
    for (let hour = 0; hour < 5; hour += 1)
      await visit(new Date(Date.parse("2026-11-23T14:00Z") + hour * HOUR_MS).toISOString());
    const { cell, text } = await cellOf("2026-11-23");
    expect(cell?.querySelectorAll("li.month-visit")).toHaveLength(3);
    expect(cell?.querySelector(".month-more")?.textContent).toBe("+2 more on Monday, November 23, 2026");
    expect(cell?.querySelector(".month-more")?.getAttribute("href")).toBe("/calendar?view=day&day=2026-11-23");
    expect(text).toContain("5 visits");
    await db.appointment.deleteMany();
    for (let hour = 0; hour < 4; hour += 1)
      await visit(new Date(Date.parse("2026-11-23T14:00Z") + hour * HOUR_MS).toISOString());
    const four = await cellOf("2026-11-23");
    expect([four.cell?.querySelectorAll("li.month-visit").length, four.text.includes("more")]).toEqual([4, false]);
  });

  test("is marked as today, past, of another month, closed, or with one-off hours", async () => {
    const at = { note: null, createdAt: NOW };
    await db.hoursOverride.createMany({
      data: [
        { day: "2026-11-26", opens: null, closes: null, ...at },
        { day: "2026-11-27", opens: 600, closes: 720, ...at },
      ],
    });
    // Overrides are read once a second.
    await admin.form("/calendar/hours", { kind: "closed", from: "2026-11-28" });
    const { document } = await admin.get(MONTH);
    const classOf = (day: string) => document.querySelector(`[data-day="${day}"]`)?.className;
    expect(["2026-11-20", "2026-11-19", "2026-12-01", "2026-11-26", "2026-11-24"].map(classOf)).toEqual([
      "month-day is-today",
      "month-day is-past",
      "month-day is-other",
      "month-day is-closed",
      "month-day",
    ]);
    const hoursOf = (day: string) => document.querySelector(`[data-day="${day}"] .month-hours`)?.textContent;
    expect(["2026-11-26", "2026-11-27", "2026-11-28", "2026-11-24"].map(hoursOf)).toEqual([
      "closed",
      "10am-12pm",
      "closed",
      undefined,
    ]);
  });

  test("in the past or more than two years ahead offers no new appointment", async () => {
    const isOffered = async (day: string, path?: string) =>
      (await cellOf(day, path)).hrefs.some((href) => href?.startsWith("/calendar/new"));
    expect(await isOffered("2026-11-19")).toBe(false);
    expect(await isOffered("2026-11-20")).toBe(true);
    expect(await isOffered("2028-11-20", "/calendar?view=month&day=2028-11-20")).toBe(true);
    expect(await isOffered("2028-11-21", "/calendar?view=month&day=2028-11-20")).toBe(false);
  });

  test("offers to move a visit there at its time of day; links to other views stay in move mode", async () => {
    const { id } = await visit("2026-11-24T23:30:00Z");
    const { hrefs } = await cellOf("2026-12-01", `${MONTH}&move=${id}`);
    expect(hrefs[0]).toBe(`/calendar?view=day&day=2026-12-01&move=${id}`);
    const [path = "", query = ""] = (hrefs.at(-1) ?? "").split("?");
    expect(path).toBe(`/dashboard/appointments/${id}/reschedule`);
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual({ date: "2026-12-01", time: "18:30", from: MONTH });
    const { document, visibleText } = await admin.get(`${MONTH}&move=${id}`);
    expect(visibleText).toContain("Moving Maria Alvarez, Hourly Consulting, now Tue, Nov 24, 2026 at 6:30 PM ET.");
    const nav = [...document.querySelectorAll('nav[aria-label="Calendar"] a')].map((link) => link.getAttribute("href"));
    expect(nav.every((href) => href?.endsWith(`&move=${id}`))).toBe(true);
  });
});

test("previous, today and next stay in the month view across the end of a year", async () => {
  const { document } = await admin.get("/calendar?view=month&day=2026-12-31");
  const links = [...document.querySelectorAll('nav[aria-label="Calendar"] > a')];
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    "/calendar?view=month&day=2026-11-01",
    "/calendar?view=month&day=2026-11-20",
    "/calendar?view=month&day=2027-01-01",
  ]);
});

test("a month with a DST change has each day once, with its visits", async () => {
  await visit("2027-03-14T06:30:00Z");
  await visit("2027-03-14T07:30:00Z");
  const { document } = await admin.get("/calendar?view=month&day=2027-03-14");
  const days = [...document.querySelectorAll("[data-day]")].map((cell) => cell.getAttribute("data-day"));
  expect([days.length, new Set(days).size, days[0]]).toEqual([35, 35, "2027-02-28"]);
  expect((await cellOf("2027-03-14", "/calendar?view=month&day=2027-03-14")).text).toMatch(/1:30am.*3:30am/);
});
