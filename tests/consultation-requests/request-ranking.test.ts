// Proves that one network can't push other people's requests off the dashboard.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { addPastVisit } from "../support/past-visit.ts";
import { consultant, db, testing, family, setTestClock, visitor } from "../support/site.ts";

const NOW = new Date("2026-11-20T15:00:30Z");
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let admin: TestClient;

beforeAll(async () => {
  setTestClock(() => NOW);
  admin = await consultant();
});
beforeEach(async () => {
  setTestClock(() => NOW);
  await db.consultationRequest.deleteMany();
});

/** Somebody at 127.0.40.`network` asks, so many milliseconds after NOW. */
async function submitRequest(
  lastName: string,
  urgency: string,
  network: number,
  after = 0,
  who: TestClient = visitor(),
) {
  setTestClock(() => new Date(NOW.getTime() + after));
  who.ip = `127.0.40.${network}`;
  const story = {
    firstName: "Ana",
    lastName,
    email: "ana@example.org",
    serviceNeeds: "An IEP",
    urgency,
    consent: true,
  };
  const response = await who.post("/api/consultation-requests", story);
  setTestClock(() => NOW);
  expect([response.status, response.json.network]).toEqual([201, undefined]);
  return response.json.id as number;
}

const dashboard = () => admin.get("/dashboard");
const shown = async () =>
  [...(await dashboard()).document.querySelectorAll("#requests h3")].map((name) =>
    name.textContent.replace("Ana ", ""),
  );

describe("the consultation requests on the dashboard", () => {
  test("stay visible despite thirty emergencies from one network, all of which are stored", async () => {
    await submitRequest("Routine", "routine", 1);
    for (let number = 1; number <= 30; number += 1)
      await submitRequest(`False${number}`, "emergency", 2, number * MINUTE_MS);
    await submitRequest("Emergency", "emergency", 3, 31 * MINUTE_MS);
    await submitRequest("Urgent", "urgent", 4, 32 * MINUTE_MS);
    const front = await shown();
    expect(front.slice(0, 5)).toEqual(["False1", "False2", "Emergency", "Urgent", "Routine"]);
    expect(front).toHaveLength(5);
    expect((await dashboard()).visibleText).toContain(
      "These are the first 5 of 33. Of the others, 28 are marked emergency or urgent.",
    );
    expect((await admin.get("/api/consultation-requests")).json).toHaveLength(33);
  });

  test("are ranked by urgency for two requests a day per network, to the millisecond", async () => {
    const earlier = [
      await submitRequest("First", "urgent", 1),
      await submitRequest("Second", "emergency", 1, MINUTE_MS),
    ];
    await db.consultationRequest.updateMany({ where: { id: { in: earlier } }, data: { status: "scheduled" } });
    await submitRequest("Third", "emergency", 1, DAY_MS - 1);
    await submitRequest("Elsewhere", "urgent", 2, DAY_MS);
    expect(await shown()).toEqual(["Elsewhere", "Third"]);
    await db.consultationRequest.deleteMany({ where: { lastName: "Third" } });
    await submitRequest("Third", "emergency", 1, DAY_MS);
    expect(await shown()).toEqual(["Third", "Elsewhere"]);
  });

  test("include two of one network while other networks wait, and five when no other network does", async () => {
    for (let number = 1; number <= 12; number += 1) await submitRequest(`Many${number}`, "routine", 1, number);
    expect(await shown()).toHaveLength(5);
    for (let number = 1; number <= 8; number += 1)
      await submitRequest(`Late${number}`, "routine", 1 + number, 100 + number);
    expect(await shown()).toEqual(["Many1", "Many2", "Late1", "Late2", "Late3"]);
  });

  test("keep three of five rows for the longest waiting, despite emergencies from twelve networks", async () => {
    for (let number = 1; number <= 4; number += 1) await submitRequest(`Waiting${number}`, "routine", number, number);
    for (let number = 1; number <= 12; number += 1)
      await submitRequest(`Pressing${number}`, "emergency", 10 + number, 100 + number);
    expect(await shown()).toEqual(["Pressing1", "Pressing2", "Waiting1", "Waiting2", "Waiting3"]);
    await db.consultationRequest.deleteMany({ where: { lastName: { startsWith: "Waiting" } } });
    expect((await shown()).at(-1)).toBe("Pressing5");
  });

  test("include a known family's request from a network that sent many, but not a new account's", async () => {
    const [known, fresh] = [await family(), await family()];
    await addPastVisit(db, known, NOW);
    for (let number = 1; number <= 4; number += 1) await submitRequest(`Crowd${number}`, "emergency", 1, number);
    await submitRequest("Fresh", "emergency", 1, 10, fresh);
    await submitRequest("Known", "emergency", 1, 11, known);
    await submitRequest("Urgent", "urgent", 2, 12);
    expect((await shown()).slice(0, 4)).toEqual(["Crowd1", "Crowd2", "Known", "Urgent"]);
  });

  test("are ranked by urgency in the API, too, which lists the first 500", async () => {
    const asked = { firstName: "Ana", email: "ana@example.org", serviceNeeds: "An IEP", consent: true, createdAt: NOW };
    const many = Array.from({ length: 600 }, (_, index) => ({
      ...asked,
      lastName: `Many${index}`,
      urgency: "routine",
    }));
    await db.consultationRequest.createMany({ data: many });
    await submitRequest("Urgent", "urgent", 1, MINUTE_MS);
    const listed = (await admin.get("/api/consultation-requests")).json as { lastName: string }[];
    expect([listed.length, listed[0]?.lastName, listed[1]?.lastName]).toEqual([500, "Urgent", "Many0"]);
    expect((await admin.get("/requests")).visibleText).toContain("601");
  });

  test("are ranked separately when they were stored before networks were recorded", async () => {
    const asked = {
      firstName: "Ana",
      email: "ana@example.org",
      serviceNeeds: "An IEP",
      urgency: "emergency",
      consent: true,
    };
    for (let number = 1; number <= 4; number += 1)
      await db.consultationRequest.create({ data: { ...asked, lastName: `Old${number}` } });
    await submitRequest("Urgent", "urgent", 1);
    expect(await shown()).toEqual(["Old1", "Old2", "Old3", "Old4", "Urgent"]);
  });
});

test("a request's network is stored as a hash, never shown, and deleted after 30 days", async () => {
  await submitRequest("One", "routine", 7);
  await submitRequest("Two", "routine", 7, 1);
  await submitRequest("Three", "routine", 8, 2);
  const rows = await db.consultationRequest.findMany({ orderBy: { id: "asc" } });
  expect(rows[0]?.network).toMatch(/^[\w-]{43}$/);
  expect([rows[1]?.network === rows[0]?.network, rows[2]?.network === rows[0]?.network]).toEqual([true, false]);
  expect(JSON.stringify(rows)).not.toContain("127.0.40");
  for (const path of ["/api/consultation-requests", "/requests", "/dashboard"])
    expect((await admin.get(path)).text).not.toContain(rows[0]?.network);
  setTestClock(() => new Date(NOW.getTime() + 30 * DAY_MS + 1));
  await testing.deleteExpiredRows();
  const after = await db.consultationRequest.findMany({ orderBy: { id: "asc" } });
  expect(after.map(({ network }) => network !== null)).toEqual([false, true, true]);
});
