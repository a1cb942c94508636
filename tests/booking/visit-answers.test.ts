// Proves the three questions before a visit: who answers and reads them, until when, and that they are stored encrypted.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dumpDatabase } from "../support/database/database-dump.ts";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock, testing, visitor } from "../support/site.ts";

const NOW = new Date("2026-11-20T15:00:30Z");
const HOUR_MS = 3_600_000;
const ANSWERS = { important: "That Leo keeps his aide.", change: "", pages: "Pages 3 to 5" };

let admin: TestClient;
let maria: Family;
let visits = 0;

beforeAll(async () => {
  setTestClock(() => NOW);
  admin = await consultant();
  maria = await family({ intake: true, firstName: "Maria" });
});

beforeEach(() => setTestClock(() => NOW));

async function visit(changes: Record<string, unknown> = {}) {
  const appointmentDate = new Date(Date.parse("2026-11-22T14:00Z") + (visits += 1) * HOUR_MS);
  const row = { title: "Hourly Consulting", type: "consultation", userId: maria.id, appointmentDate };
  return db.appointment.create({ data: { ...row, createdAt: new Date(NOW.getTime() - 96 * HOUR_MS), ...changes } });
}

const page = (id: number) => `/appointments/${id}/questions`;

describe("the questions before a visit", () => {
  test("are linked from the 24-hour reminder; the family can answer them and change its answers", async () => {
    const { id, appointmentDate } = await visit();
    setTestClock(() => new Date(appointmentDate.getTime() - 24 * HOUR_MS));
    await testing.writeVisitReminders();
    const message = await db.message.findFirstOrThrow({ where: { appointmentId: id, event: "visit-reminder-24h" } });
    expect(JSON.parse(message.content).moreLink).toMatchObject({
      path: page(id),
      label: expect.stringMatching(/^Tell us what matters most/) as string,
    });
    setTestClock(() => NOW);
    expect((await maria.get(`/appointments/${id}/booked`)).visibleText).toContain("Answer three questions");
    const shown = await maria.get(page(id));
    expect([shown.status, shown.visibleText]).toEqual([200, expect.stringContaining("What matters most to you")]);
    expect((await maria.form(page(id), ANSWERS)).headers.location).toBe(`/appointments/${id}/booked`);
    expect((await maria.get(page(id))).document.querySelector("[name=pages]")?.textContent).toBe("Pages 3 to 5");
    expect((await maria.form(page(id), { important: "", change: "More calm", pages: "" })).status).toBe(302);
    expect(await db.visitAnswer.findUnique({ where: { appointmentId: id } })).toMatchObject({
      important: null,
      change: "More calm",
      pages: null,
    });
    const written = await db.auditEntry.findMany({ where: { action: "questions-answered", objectId: id } });
    expect(written.map(({ actorId, familyId }) => [actorId, familyId])).toEqual([
      [maria.id, maria.id],
      [maria.id, maria.id],
    ]);
  });

  test("are marked as answered on the visit's page and in the reminder", async () => {
    const { id, appointmentDate } = await visit();
    expect((await maria.form(page(id), ANSWERS)).status).toBe(302);
    const { visibleText, document } = await maria.get(`/appointments/${id}/booked`);
    expect(visibleText).toContain("You have answered the three questions.");
    expect(visibleText).not.toContain("Answer three questions");
    expect(document.querySelector(`a[href="${page(id)}"]`)?.textContent).toBe("Change your answers");
    setTestClock(() => new Date(appointmentDate.getTime() - 24 * HOUR_MS));
    await testing.writeVisitReminders();
    const message = await db.message.findFirstOrThrow({ where: { appointmentId: id, event: "visit-reminder-24h" } });
    expect(JSON.parse(message.content).moreLink.label).toBe(
      "You have answered the three questions. Change your answers",
    );
  });

  test("get 422 if every answer is empty or one is too long, and typed answers stay in the form", async () => {
    const { id } = await visit();
    const before = await dumpDatabase(db);
    const empty = await maria.form(page(id), { important: " ", change: "", pages: "" });
    expect([empty.status, empty.visibleText]).toEqual([422, expect.stringContaining("Answer at least one")]);
    const long = await maria.form(page(id), { important: "fine", change: "x".repeat(2_001), pages: "" });
    expect([long.status, long.visibleText]).toEqual([422, expect.stringContaining("at most 2,000 characters")]);
    expect(long.document.querySelector("[name=important]")?.textContent).toBe("fine");
    expect(await dumpDatabase(db)).toBe(before);
  });

  test("get 409 once the visit is over or canceled, 404 for another family and 403 for the consultant", async () => {
    const devon = await family();
    const over = await visit({ appointmentDate: new Date("2026-11-20T13:00Z") });
    const canceled = await visit({ status: "cancelled" });
    const other = await visit();
    const before = await dumpDatabase(db);
    for (const { id } of [over, canceled]) {
      expect((await maria.get(page(id))).status).toBe(409);
      expect((await maria.form(page(id), ANSWERS)).status).toBe(409);
    }
    for (const id of [other.id, 987_654]) {
      expect((await devon.get(page(id))).status).toBe(404);
      expect((await devon.form(page(id), ANSWERS)).status).toBe(404);
    }
    expect((await visitor().form(page(other.id), ANSWERS)).headers.location).toMatch(/^\/login/);
    expect((await admin.form(page(other.id), ANSWERS)).status).toBe(403);
    expect(await dumpDatabase(db)).toBe(before);
  });
});

test("the consultant sees the answers on the visit, and those of the latest three visits with the intake form", async () => {
  const noor = await family({ intake: true });
  const ids: number[] = [];
  for (const word of ["first", "second", "third", "fourth"]) {
    const { id } = await visit({ userId: noor.id });
    await noor.form(page(id), { important: `${word} <b>wish</b>`, change: "", pages: "" });
    ids.push(id);
  }
  const details = await admin.get(`/dashboard/appointments/${ids[0]}`);
  expect(details.visibleText).toContain("What matters most to you in this visit?first <b>wish</b>");
  const form = (await admin.get(`/dashboard/intake-form?userId=${noor.id}`)).visibleText;
  expect(["first", "second", "third", "fourth"].map((word) => form.includes(`${word} <b>`))).toEqual([
    false,
    true,
    true,
    true,
  ]);
  expect(form.indexOf("fourth")).toBeLessThan(form.indexOf("third"));
  expect((await noor.get("/dashboard/intake-form")).visibleText).not.toContain("fourth");
});

test("answers are encrypted in the database and deleted with their visit", async () => {
  const { id } = await visit();
  await maria.form(page(id), ANSWERS);
  const [raw] = await db.$queryRawUnsafe<{ important: string }[]>(
    `SELECT "important" FROM "visit_answers" WHERE "appointmentId" = ${id}`,
  );
  expect(raw?.important).toMatch(/^\S{40,}$/);
  expect(raw?.important).not.toContain("Leo");
  expect((await admin.delete(`/api/appointments/${id}`)).status).toBe(200);
  expect(await db.visitAnswer.count({ where: { appointmentId: id } })).toBe(0);
});
