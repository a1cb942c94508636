// Proves that the consultant books a next visit like the last one, one, two or four weeks later, in one step.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock, visitor } from "../support/site.ts";

/** Saturday, 2:00 PM in the practice. */
const NOW = new Date("2026-11-21T19:00:30Z");
/** That day at 10:00 AM. */
const TEN = "2026-11-21T15:00:00.000Z";

let admin: TestClient;
let maria: Family;
let noor: Family;

beforeAll(async () => {
  maria = await family({ firstName: "Maria", lastName: "Alvarez" });
  noor = await family({ firstName: "Noor", lastName: "Haddad" });
});

beforeEach(async () => {
  setTestClock(() => NOW);
  admin = await consultant();
  await db.appointment.deleteMany();
});

function visit(start = TEN, more: Record<string, unknown> = {}) {
  const fields = {
    userId: maria.id,
    title: "Hourly Consulting",
    type: "follow-up",
    duration: 45,
    isLiveVideoCall: true,
  };
  return db.appointment.create({ data: { ...fields, appointmentDate: new Date(start), ...more } });
}
const sheet = (id: number) => `/dashboard/appointments/${id}/after`;
const page = () => `/families/${maria.id}`;
const choices = async (id: number) => {
  const { document } = await admin.get(sheet(id));
  return [...document.querySelectorAll('input[name="nextStart"]')].map((input) => ({
    value: input.getAttribute("value") ?? "",
    text: input.closest("label")?.textContent,
  }));
};
const buttons = async () =>
  [...(await admin.get(page())).document.querySelectorAll('button[name="start"]')].map((button) => button.textContent);
const later = (id: number) => db.appointment.findMany({ where: { id: { not: id } }, orderBy: { id: "asc" } });

describe("the after-visit form", () => {
  test("books an ordinary consultation after an emergency", async () => {
    const { id } = await visit(TEN, { type: "emergency" });
    const [, first] = await choices(id);
    await admin.form(sheet(id), { status: "completed", nextStart: first?.value ?? "" });
    expect(await later(id)).toMatchObject([{ type: "consultation", duration: 45 }]);
  });

  test("offers the same local time in one, two and four weeks, and books the chosen one with the same details", async () => {
    const { id } = await visit();
    const offered = await choices(id);
    expect(offered.map(({ text }) => text)).toEqual([
      "Not now",
      "In one weekSat, Nov 28, 10:00 AM",
      "In two weeksSat, Dec 5, 10:00 AM",
      "In four weeksSat, Dec 19, 10:00 AM",
    ]);
    const answer = await admin.form(sheet(id), { status: "completed", nextStart: offered[2]?.value ?? "" });
    const shown = await admin.follow(answer);
    expect(shown.visibleText).toContain("The next one is booked: Sat, Dec 5, 2026 at 10:00 AM ET.");
    expect(await later(id)).toMatchObject([
      {
        title: "Hourly Consulting",
        type: "follow-up",
        duration: 45,
        isLiveVideoCall: true,
        userId: maria.id,
        appointmentDate: new Date("2026-12-05T15:00Z"),
        paymentAmountCents: 7500,
        status: "scheduled",
      },
    ]);
    expect((await db.appointment.findUniqueOrThrow({ where: { id } })).status).toBe("completed");
  });

  test("books nothing if the consultant chooses Not now, or if the form gets 422", async () => {
    const { id } = await visit();
    await admin.form(sheet(id), { status: "completed", nextStart: "no" });
    const [, first] = await choices(id);
    const refused = await admin.form(sheet(id), { status: "", nextStart: first?.value ?? "" });
    expect(refused.status).toBe(422);
    expect(refused.document.querySelector(`input[value="${first?.value}"]`)?.hasAttribute("checked")).toBe(true);
    for (const nextStart of ["tomorrow", "2026-02-30T10:00:00.000Z"])
      expect((await admin.form(sheet(id), { status: "completed", nextStart })).status).toBe(422);
    expect(await later(id)).toEqual([]);
  });

  test("stores the visit's status and opens that day's free times if the chosen time was taken meanwhile", async () => {
    const { id } = await visit();
    const [, first] = await choices(id);
    const other = await visit(first?.value, { userId: noor.id });
    const response = await admin.form(sheet(id), {
      status: "no-show",
      nextStart: first?.value ?? "",
      note: "No call.",
    });
    expect(response.headers.location).toBe(
      `/families/${maria.id}/appointments/new?after=${id}&date=2026-11-28&time=10%3A00`,
    );
    const shown = await admin.follow(response);
    expect(shown.visibleText).toContain("The next visit is not booked yet: This time slot is already taken.");
    const field = (name: string) => shown.document.querySelector(`dialog [name=${name}]`);
    expect(field("title")?.getAttribute("value")).toBe("Hourly Consulting");
    expect(field("duration")?.getAttribute("value")).toBe("45");
    expect(field("isLiveVideoCall")?.hasAttribute("checked")).toBe(true);
    expect(shown.visibleText).toContain("Open times on Saturday, November 28, 2026");
    expect((await db.appointment.findUniqueOrThrow({ where: { id } })).status).toBe("no-show");
    expect(await later(id)).toMatchObject([{ id: other.id }]);
  });

  test("offers the nearest free time if the same time is not free, and says so", async () => {
    const { id } = await visit();
    await visit("2026-11-28T15:30:00Z", { userId: noor.id });
    await admin.form("/calendar/hours", { kind: "closed", from: "2026-12-05" });
    expect((await choices(id)).map(({ text }) => text)).toEqual([
      "Not now",
      "In one weekSat, Nov 28, 9:30 AM (10:00 AM is not free)",
      "In two weeksFri, Dec 4, 6:00 PM (10:00 AM is not free)",
      "In four weeksSat, Dec 19, 10:00 AM",
    ]);
    await admin.form("/calendar/hours", { clear: "2026-12-05" });
  });

  test("keeps a start time that is not on the half hour", async () => {
    const { id } = await visit("2026-11-21T15:20:00Z");
    expect((await choices(id))[1]).toEqual({
      value: "2026-11-28T15:20:00.000Z",
      text: "In one weekSat, Nov 28, 10:20 AM",
    });
  });

  test.each([
    ["spring", "2027-03-07T15:00:00.000Z", "2027-03-14T14:00:00.000Z"],
    ["autumn", "2027-10-31T14:00:00.000Z", "2027-11-07T15:00:00.000Z"],
  ])("keeps the wall time when clocks change in %s", async (_, start, next) => {
    setTestClock(() => new Date(Date.parse(start) + 7_200_000));
    admin = await consultant();
    const { id } = await visit(start);
    expect((await choices(id))[1]).toMatchObject({ value: next, text: expect.stringContaining("10:00 AM") });
  });

  test("offers no next visit for a visit without an account, and books none", async () => {
    const { id } = await visit(TEN, { userId: null });
    expect(await choices(id)).toEqual([]);
    const response = await admin.form(sheet(id), { status: "completed", nextStart: "2026-11-28T15:00:00.000Z" });
    expect(response.status).toBe(302);
    expect(await later(id)).toEqual([]);
  });
});

describe("a family's page", () => {
  const press = (fields: Record<string, string>, path = page()) => admin.form(path, { intent: "book-next", ...fields });

  test("books a visit after the last upcoming one in one step, and then offers the weeks after the new one", async () => {
    const { id } = await visit("2026-11-28T15:00:00Z");
    expect(await buttons()).toEqual([
      "One week later: Sat, Dec 5, 10:00 AM",
      "Two weeks later: Sat, Dec 12, 10:00 AM",
      "Four weeks later: Sat, Dec 26, 10:00 AM",
    ]);
    const response = await press({ id: String(id), start: "2026-12-05T15:00:00.000Z" });
    expect(response.headers.location).toBe(page());
    const { visibleText, document } = await admin.follow(response);
    expect(visibleText).toContain("Sat, Dec 5, 2026 at 10:00 AM ET.");
    const [undo] = [...document.querySelectorAll("a")].filter((each) => each.textContent === "Move or cancel it");
    expect((await admin.get(undo?.getAttribute("href") ?? "")).text).toMatch(/\/cancel\?from=/);
    expect(await later(id)).toMatchObject([
      { duration: 45, type: "follow-up", appointmentDate: new Date("2026-12-05T15:00Z") },
    ]);
    expect((await buttons())[0]).toBe("One week later: Sat, Dec 12, 10:00 AM");
    expect(await db.message.count({ where: { userId: maria.id } })).toBeGreaterThan(0);
  });

  test("counts the weeks after an old visit from the latest past date on the same weekday", async () => {
    await visit("2026-10-10T14:00:00Z");
    expect((await buttons())[0]).toBe("In one week: Sat, Nov 28, 10:00 AM");
  });

  test("opens the free times if the requested time is taken, outside office hours or in the past", async () => {
    const { id } = await visit();
    await visit("2026-11-28T15:00:00Z", { userId: noor.id });
    for (const start of ["2026-11-28T15:00:00.000Z", "2026-11-28T03:00:00.000Z", "2026-11-14T15:00:00.000Z"]) {
      const response = await press({ id: String(id), start });
      expect([start, response.headers.location]).toEqual([
        start,
        expect.stringContaining(`appointments/new?after=${id}&date=`),
      ]);
    }
    expect(await db.appointment.count()).toBe(2);
  });

  test("books the same time again after the family's visit then was canceled", async () => {
    const { id } = await visit();
    const fields = { id: String(id), start: "2026-11-28T15:00:00.000Z" };
    expect((await press(fields)).headers.location).toBe(page());
    await db.appointment.updateMany({ where: { id: { not: id } }, data: { status: "cancelled" } });
    expect((await press(fields)).headers.location).toBe(page());
    expect((await later(id)).map(({ status }) => status)).toEqual(["cancelled", "scheduled"]);
  });

  test("refuses another family's visit (404), invalid fields (422), and families or visitors as callers", async () => {
    const { id } = await visit();
    const { id: hers } = await visit("2026-11-21T17:00:00Z", { userId: noor.id });
    const start = "2026-11-28T15:00:00.000Z";
    expect((await press({ id: String(hers), start })).status).toBe(404);
    expect((await press({ id: "2000000000", start })).status).toBe(404);
    for (const fields of [{ id: "x", start }, { id: String(id), start: "soon" }, { id: String(id) }])
      expect((await press(fields as Record<string, string>)).status).toBe(422);
    for (const client of [maria, visitor()])
      expect((await client.form(page(), { intent: "book-next", id: String(id), start })).status).not.toBe(200);
    expect(await db.appointment.count()).toBe(2);
  });

  test("offers no next visit before a first visit, after only a canceled one, or while the account is closed", async () => {
    expect(await buttons()).toEqual([]);
    await visit(TEN, { status: "cancelled" });
    expect(await buttons()).toEqual([]);
    await visit("2026-11-21T17:00:00Z");
    expect(await buttons()).toHaveLength(3);
    await db.user.update({ where: { id: maria.id }, data: { closedAt: NOW } });
    expect(await buttons()).toEqual([]);
    await db.user.update({ where: { id: maria.id }, data: { closedAt: null } });
  });

  test("doesn't fill in the booking form from another family's visit or an invalid id", async () => {
    const { id } = await visit(TEN, { userId: noor.id, title: "A title of Noor's" });
    for (const after of [String(id), "0", "x", "2000000000"]) {
      const { status, text } = await admin.get(`${page()}/appointments/new?after=${after}`);
      expect([after, status, text.includes("A title of Noor")]).toEqual([after, 200, false]);
    }
  });
});
