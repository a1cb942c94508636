// Proves that the consultant's pages run at most 4 more queries for 2,000 families and 10,000 visits than for three.
import { beforeAll, describe, expect, test } from "vitest";
import { recordReadQueries } from "../support/database/record-read-queries.ts";
import type { TestClient } from "../support/http-client.ts";
import { consultant, db, family, setTestClock, testing } from "../support/site.ts";

const NOW = new Date("2026-11-20T15:00:30Z");
const HOUR_MS = 3_600_000;

let admin: TestClient;
let familyId = 0;
let visitId = 0;
const few: Record<string, number> = {};

const PAGES = (): Record<string, string> => ({
  "/dashboard": "/dashboard",
  "/dashboard, by price": "/dashboard?sort=money",
  "/dashboard/latest": "/dashboard/latest?refresh",
  "/dashboard/calendar": "/dashboard/calendar",
  "a visit": `/dashboard/appointments/${visitId}`,
  month: "/calendar?view=month&day=2026-11-20",
  week: "/calendar?view=week&day=2026-11-20",
  day: "/calendar?view=day&day=2026-11-20",
  "/families": "/families",
  "/families, who owes": "/families?visits=owes",
  "/families, nothing booked": "/families?visits=nothing-booked",
  "a family": `/families/${familyId}`,
  "/money": "/money",
  "/money, a year": "/money?period=2026",
  "/requests": "/requests",
  "/documents": "/documents",
});

/** Queries that a page may run at most. A ceiling may only come down. */
const MAX_QUERIES: Record<string, number> = {
  "/dashboard": 48,
  "/dashboard, by price": 48,
  "/dashboard/latest": 48,
  "/dashboard/calendar": 51,
  "a visit": 59,
  month: 4,
  week: 4,
  day: 4,
  "/families": 6,
  "/families, who owes": 6,
  "/families, nothing booked": 6,
  "a family": 15,
  "/money": 10,
  "/money, a year": 10,
  "/requests": 3,
  "/documents": 4,
};
const MAX_ATTEMPTS = 5;
/** A list that is empty with few records runs the query of its rows with many. */
const MORE_WITH_ROWS = 4;

async function addFamilies(count: number, visitsOfEach: number) {
  const names = Array.from({ length: count }, (_, index) => ({ firstName: `Family${index}`, lastName: `Of${count}` }));
  const users = await db.user.createManyAndReturn({
    data: names.map((name, index) => ({ ...name, email: `of.${count}.${index}@example.com`, password: "-" })),
    select: { id: true },
  });
  const starts = (index: number) => new Date(NOW.getTime() - 30_000 + (index - (count * visitsOfEach) / 2) * HOUR_MS);
  const visits = users.flatMap(({ id: userId }, at) =>
    Array.from({ length: visitsOfEach }, (_, each) => ({
      title: "Hourly Consulting",
      type: "consultation",
      duration: 30,
      paymentAmountCents: 7500,
      userId,
      appointmentDate: starts(each * count + at),
      status: each === 0 ? "completed" : "scheduled",
    })),
  );
  for (let first = 0; first < visits.length; first += 2_000)
    await db.appointment.createMany({ data: visits.slice(first, first + 2_000) });
  const booking = JSON.stringify({ title: "Hourly Consulting", appointmentDate: NOW });
  await db.payment.createMany({
    data: users.slice(0, 500).map(({ id: userId }) => ({
      userId,
      method: "cash",
      key: `of ${userId}`,
      booking,
      amountCents: 7500,
      state: "paid",
      leaseEndsAt: NOW,
      paidAt: NOW,
      createdAt: NOW,
    })),
  });
}

/** Names that a query gives to what it has already read. */
const DERIVED = ["sub", "prioritized", "numbered", "grouped", "ranked"];

/** Whether a step of a plan reads a whole table without an index. */
function isTableScan(step: string): boolean {
  const [, name] = /^SCAN (?:main\.)?(\w+)$/.exec(step) ?? [];
  return name !== undefined && !DERIVED.includes(name);
}

/**
 * The queries of a page. A page above its limit is requested again: a periodic job, or a cache of one second that
 * expires on a slow machine, may query during a request.
 */
async function readsOfPage(name: string, path: string): Promise<string[]> {
  let reads = await recordReadQueries(() => admin.get(path));
  const most = Math.min(MAX_QUERIES[name] ?? 0, (few[name] ?? Infinity) + MORE_WITH_ROWS);
  for (let attempt = 1; attempt < MAX_ATTEMPTS && reads.length > most; attempt += 1) {
    const again = await recordReadQueries(() => admin.get(path));
    if (again.length < reads.length) reads = again;
  }
  return reads;
}

async function countQueries(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, path] of Object.entries(PAGES())) {
    // The first one may fill caches.
    expect([path, (await admin.get(path)).status]).toEqual([path, 200]);
    counts[name] = (await readsOfPage(name, path)).length;
  }
  return counts;
}

beforeAll(async () => {
  // Their queries would be counted.
  await testing.stopJobs();
  setTestClock(() => NOW);
  admin = await consultant();
  const maria = await family({ intake: true });
  familyId = maria.id;
  const visit = { title: "Hourly Consulting", type: "consultation", userId: maria.id, duration: 15 };
  visitId = (await db.appointment.create({ data: { ...visit, appointmentDate: new Date("2026-11-21T15:30Z") } })).id;
  await addFamilies(3, 5);
  Object.assign(few, await countQueries());
  await addFamilies(2_000, 5);
});

describe("with 2,000 families and 10,000 visits", () => {
  test("each page runs at most 4 more queries than with three families, and no more than its limit", async () => {
    const many = await countQueries();
    const grown = Object.entries(many).filter(([name, count]) => count > (few[name] ?? 0) + MORE_WITH_ROWS);
    expect(grown).toEqual([]);
    expect(Object.entries(many).filter(([name, count]) => count > (MAX_QUERIES[name] ?? 0))).toEqual([]);
  });

  test("no page does a full table scan, except the list by price and the documents' file types", async () => {
    const scans: Record<string, string[]> = {};
    for (const [name, path] of Object.entries(PAGES())) {
      for (const sql of await readsOfPage(name, path)) {
        const values = [...sql.matchAll(/\?/g)].map(() => null);
        const plan = await db.$queryRawUnsafe<{ detail: string }[]>(`EXPLAIN QUERY PLAN ${sql}`, ...values);
        const found = plan.filter(({ detail }) => isTableScan(detail)).map(({ detail }) => detail);
        if (found.length > 0) (scans[name] ??= []).push(`${found.join("; ")}: ${sql.slice(0, 300)}`);
      }
    }
    // A list that she sorts by price, and the number of documents of each kind, are of all rows.
    expect(scans).toEqual({
      "/dashboard, by price": [expect.stringMatching(/^SCAN main.appointments:/)],
      "/documents": [expect.stringContaining("fileType")],
    });
  });
});
