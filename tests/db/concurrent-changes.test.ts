// Proves that concurrent changes by several tabs or people succeed or are refused, and never cause a server error.
import { readdirSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { bookOrFail, sortedStatuses, TEST_NOW } from "../support/bookings.ts";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, folder, setTestClock } from "../support/site.ts";
import { uploadFile } from "../support/uploads.ts";

const ROUNDS = 8;

setTestClock(() => TEST_NOW);

let admin: TestClient;
let maria: Family;

beforeAll(async () => {
  admin = await consultant();
  maria = await family({ intake: true });
});

afterEach(() => setTestClock(() => TEST_NOW));

const storedFiles = () =>
  readdirSync(path.join(folder, "files"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".dat"),
  );

test("sharing three documents with a family at the same time shares all of them and creates one email", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    // Every ten minutes there is another message.
    setTestClock(() => new Date(TEST_NOW.getTime() + round * 600_000));
    const fields = { userId: String(maria.id), isSharedWithClient: "false" };
    const ids: number[] = [];
    for (let number = 0; number < 3; number += 1) ids.push((await uploadFile(admin, { fields })).json.id);
    const answers = await Promise.all(
      ids.map((id) => admin.clone().form(`/documents/${id}/sharing`, { isShared: "true" })),
    );
    expect(sortedStatuses(answers)).toEqual([302, 302, 302]);
    expect(await db.document.count({ where: { id: { in: ids }, isSharedWithClient: true } })).toBe(3);
    expect(await db.message.count({ where: { userId: maria.id, event: "document-added" } })).toBe(round + 1);
  }
});

test("setting a day's hours three times at the same time stores exactly one of the settings", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const day = `2027-03-0${round + 1}`;
    const set = (opens: string) =>
      admin.clone().form("/calendar/hours", { from: day, kind: "open", opens, closes: "20:00", note: opens });
    expect(sortedStatuses(await Promise.all(["08:00", "09:00", "10:00"].map(set)))).toEqual([302, 302, 302]);
    const row = await db.hoursOverride.findUniqueOrThrow({ where: { day } });
    expect(row.note).toBe(`0${row.opens! / 60}:00`.slice(-5));
  }
});

test("setting overlapping ranges of days at the same time succeeds without a deadlock", async () => {
  const set = (from: string, to: string) => admin.clone().form("/calendar/hours", { from, to, kind: "closed" });
  const answers = await Promise.all([
    set("2027-04-01", "2027-05-20"),
    set("2027-04-10", "2027-05-25"),
    set("2027-04-05", "2027-05-10"),
  ]);
  expect(sortedStatuses(answers)).toEqual([302, 302, 302]);
  expect(await db.hoursOverride.count({ where: { day: { gte: "2027-04-01", lte: "2027-05-25" } } })).toBe(55);
});

test("a document uploaded for a visit during its deletion is stored without it, or gets 404 and leaves no file", async () => {
  const before = storedFiles().length;
  let stored = 0;
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const visit = await bookOrFail(maria);
    const [sent, deleted] = await Promise.all([
      uploadFile(maria.clone(), { fields: { appointmentId: String(visit.id) } }),
      admin.delete(`/api/appointments/${visit.id}`),
    ]);
    expect(deleted.status).toBe(200);
    expect([[201], [404, "There is no such appointment."]]).toContainEqual(
      sent.status === 201 ? [201] : [sent.status, sent.json.message],
    );
    if (sent.status === 201) stored += 1;
  }
  expect(storedFiles().length).toBe(before + stored);
  expect(await db.document.count({ where: { userId: maria.id, appointmentId: { not: null } } })).toBe(0);
});
