// Proves that pages which list many rows stay under 1.5 MB when every text in them has its maximum length.
import { beforeAll, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock } from "../support/site.ts";

const MAX_PAGE_BYTES = 1_500_000;
const NOW = Date.parse("2026-11-20T15:00:00Z");
const HOUR_MS = 3_600_000;
const text = (length: number) => `<"&'`.repeat(length / 4 + 1).slice(0, length);

setTestClock(() => new Date(NOW));

let admin: TestClient;
let maria: Family;

beforeAll(async () => {
  admin = await consultant();
  maria = await family({ intake: true });
});

test("the appointments page of a family with 280 visits of maximum text length stays under 1.5 MB", async () => {
  const visits = Array.from({ length: 280 }, (_, index) => ({
    userId: maria.id,
    type: "consultation",
    title: text(255),
    description: text(5000),
    notes: text(5000),
    appointmentDate: new Date(NOW + (60 - index) * 3 * HOUR_MS),
    ...(index % 2 ? { status: "cancelled", cancelledBy: "practice", cancelReason: text(500) } : {}),
  }));
  await db.appointment.createMany({ data: visits });
  const page = await maria.get("/appointments");
  expect(page.status).toBe(200);
  expect(page.document.querySelectorAll("li.row").length).toBeGreaterThan(150);
  expect(Buffer.byteLength(page.text)).toBeLessThan(MAX_PAGE_BYTES);
  await db.appointment.deleteMany({ where: { userId: maria.id } });
});

test("the consultant's pages stay under 1.5 MB with 200 visits whose notes have a 4,900-character client name", async () => {
  const visits = Array.from({ length: 200 }, (_, index) => ({
    userId: maria.id,
    type: "consultation",
    title: "Hourly Consulting",
    notes: `Client: ${text(4900)}`,
    appointmentDate: new Date(NOW + (100 - index) * 2 * HOUR_MS),
  }));
  await db.appointment.createMany({ data: visits });
  for (const path of ["/dashboard", `/families/${maria.id}`, "/calendar?view=month", "/calendar?view=week"]) {
    const page = await admin.get(path);
    expect([path, page.status]).toEqual([path, 200]);
    expect(Buffer.byteLength(page.text)).toBeLessThan(MAX_PAGE_BYTES);
  }
  await db.appointment.deleteMany({ where: { userId: maria.id } });
});

test("a family's page lists 25 long notes at a time in under 1.5 MB; the edit form has a note in full", async () => {
  const { id: userId } = maria;
  const note = (index: number) => ({
    userId,
    text: `Note ${index} ${text(4900)} end`,
    createdAt: new Date(NOW + index),
  });
  await db.familyNote.createMany({ data: Array.from({ length: 60 }, (_, index) => note(index)) });
  const followUp = { userId, text: text(300), dueDay: "2026-12-07", createdAt: new Date(NOW) };
  await db.followUp.createMany({ data: Array.from({ length: 60 }, () => followUp) });
  const pages = [];
  for (const number of [1, 2, 3]) pages.push(await admin.get(`/families/${userId}?page=${number}`));
  const shown = pages.map(({ document }) => document.querySelector("#notes")?.textContent?.match(/Note \d+/g));
  expect(shown.map((each) => each?.length)).toEqual([25, 25, 10]);
  expect(shown.map((each) => each?.[0])).toEqual(["Note 59", "Note 34", "Note 9"]);
  for (const page of pages) expect(Buffer.byteLength(page.text)).toBeLessThan(MAX_PAGE_BYTES);
  const first = pages[0]?.document.querySelector("#notes .rows a[href$='/edit']")?.getAttribute("href") ?? "";
  expect((await admin.get(first)).document.querySelector("dialog textarea")?.textContent).toContain("end");
});
