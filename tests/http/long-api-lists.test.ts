// Proves that the API lists appointments and consultation requests in pages of bounded size, and leaves none out.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock } from "../support/site.ts";

const APPOINTMENTS = "/api/appointments";
const REQUESTS = "/api/consultation-requests";
const NOW = new Date("2026-11-20T15:00:00Z");
const HOUR_MS = 3_600_000;
const MAX_BYTES = 512_000;
const TEXT = `${"😀".repeat(2_499)}.`;
const VISITS = 60;
const PENDING = 60;

setTestClock(() => NOW);
let admin: TestClient;
let maria: Family;
let devon: Family;
let devonsVisit: number;

type Listed = { id: number; appointmentDate: string; notes: string; message: string };

async function listPart(who: TestClient, path: string): Promise<Listed[]> {
  const response = await who.get(path);
  expect([path, response.status]).toEqual([path, 200]);
  expect(Buffer.byteLength(response.text)).toBeLessThan(MAX_BYTES);
  return response.json;
}

/** The lists that follow `first` in one direction, until one is empty. */
async function listRest(who: TestClient, path: string, name: "before" | "after", first: Listed[]): Promise<Listed[][]> {
  const parts = [first];
  for (;;) {
    const position = parts.at(-1)!.at(name === "before" ? 0 : -1)!;
    const part = await listPart(who, `${path}?${name}=${position.id}`);
    if (part.length === 0) return parts;
    parts.push(part);
  }
}

const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

beforeAll(async () => {
  [admin, maria, devon] = [await consultant(), await family(), await family()];
  const visit = { title: "Visit", type: "consultation", status: "cancelled", description: TEXT, notes: TEXT };
  for (let index = 0; index < VISITS; index += 1) {
    // Two at a time, so that the order within one instant counts too.
    const appointmentDate = new Date(NOW.getTime() + (Math.floor(index / 2) - VISITS / 4) * HOUR_MS);
    await db.appointment.create({ data: { ...visit, appointmentDate, userId: maria.id } });
  }
  const appointmentDate = new Date(NOW.getTime() + VISITS * HOUR_MS);
  devonsVisit = (await db.appointment.create({ data: { ...visit, appointmentDate, userId: devon.id } })).id;
  const request = { firstName: "A", lastName: "B", urgency: "routine", consent: true, serviceNeeds: TEXT };
  for (let index = 0; index < PENDING; index += 1)
    await db.consultationRequest.create({ data: { ...request, message: TEXT, email: `a${index}@example.org` } });
});

describe("the list of appointments in the API", () => {
  test("has a family's latest appointments in order; ?before= returns the rest", async () => {
    const parts = await listRest(maria, APPOINTMENTS, "before", await listPart(maria, APPOINTMENTS));
    expect(parts.length).toBeGreaterThan(1);
    const all = parts.toReversed().flat();
    expect(ids(all)).toEqual(
      ids(await db.appointment.findMany({ where: { userId: maria.id }, orderBy: { id: "asc" } })),
    );
    expect(new Set(all.map(({ notes }) => notes))).toEqual(new Set([TEXT]));
  });

  test("has the appointments nearest to now for the consultant; ?before= and ?after= return the rest", async () => {
    const first = await listPart(admin, APPOINTMENTS);
    const distances = first.map(({ appointmentDate }) => Math.abs(Date.parse(appointmentDate) - NOW.getTime()));
    expect(Math.max(...distances)).toBeLessThan((VISITS / 4) * HOUR_MS);
    const [earlier, later] = [
      await listRest(admin, APPOINTMENTS, "before", first),
      await listRest(admin, APPOINTMENTS, "after", first),
    ];
    const all = [...earlier.toReversed().flat(), ...later.slice(1).flat()];
    expect(ids(all)).toEqual(ids(await db.appointment.findMany({ orderBy: { id: "asc" } })));
  });

  test("refuses another family's appointment and an unknown id in ?before= and ?after= with 404", async () => {
    for (const [name, id] of [
      ["before", devonsVisit],
      ["after", devonsVisit],
      ["before", 2_000_000_000],
    ] as const) {
      const refused = await maria.get(`${APPOINTMENTS}?${name}=${id}`);
      expect([refused.status, refused.json.message]).toEqual([404, "There is no such appointment."]);
    }
  });

  test.each([
    ["?before=x", "before must be the id of an appointment, given once."],
    ["?after=1&after=1", "after must be the id of an appointment, given once."],
    ["?before=1&after=1", "Give before or after, not both."],
  ])("refuses the query %s with 400", async (query, message) => {
    const refused = await maria.get(APPOINTMENTS + query);
    expect([refused.status, refused.json.message]).toEqual([400, message]);
  });
});

describe("the list of consultation requests in the API", () => {
  test("is returned in parts when the texts are long, each text in full; ?after= returns the rest", async () => {
    const parts = await listRest(admin, REQUESTS, "after", await listPart(admin, REQUESTS));
    expect(parts.length).toBeGreaterThan(1);
    const pending = await db.consultationRequest.findMany({ orderBy: { id: "asc" } });
    expect(ids(parts.flat())).toEqual(ids(pending));
    expect(new Set(parts.flat().map(({ message }) => message))).toEqual(new Set([TEXT]));
  });

  test("refuses a closed request and an unknown id in ?after= with 404, and a malformed id with 400", async () => {
    const { id } = await db.consultationRequest.findFirstOrThrow();
    await db.consultationRequest.update({ where: { id }, data: { status: "scheduled" } });
    for (const other of [id, 2_000_000_000]) {
      const refused = await admin.get(`${REQUESTS}?after=${other}`);
      expect([refused.status, refused.json.message]).toEqual([404, "There is no such consultation request."]);
    }
    const malformed = await admin.get(`${REQUESTS}?after=0`);
    expect([malformed.status, malformed.json.message]).toEqual([
      400,
      "after must be the id of an open request, given once.",
    ]);
  });
});
