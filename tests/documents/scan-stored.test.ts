// Proves that a command scans the files stored before a scanner was set, reports infected ones, which nobody can download, and changes no file.
import { rmSync } from "node:fs";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { EICAR, startFakeClamd } from "../support/servers/fake-clamd.ts";
import { runCommand } from "../support/servers/server-process.ts";
import { zipEntries } from "../support/zip-entries.ts";
import { SAMPLES, textFile, uploadFile, uploadOrFail } from "../support/uploads.ts";

const clamd = await startFakeClamd();
Object.assign(environmentOverrides, { CLAMAV_URL: `tcp://127.0.0.1:${clamd.port}` });
const { consultant, db, environment, family, testing } = await import("../support/site.ts");
const { storedFiles, uploadAndLocate } = await import("../support/stored-files.ts");

let admin: TestClient;
let maria: Family;
let devon: Family;
const ids: Record<"clean" | "infected" | "large", number> = { clean: 0, infected: 0, large: 0 };

/** Stores a file as if no scanner had been set. */
async function storeUnscanned(person: Family, bytes: Buffer): Promise<number> {
  clamd.behavior = { kind: "answers", reply: "stream: OK\0" };
  const { json } = await uploadFile(person, { bytes });
  clamd.behavior = { kind: "scans" };
  return json.id;
}

beforeAll(async () => {
  [admin, maria, devon] = await Promise.all([consultant(), family(), family({ lastName: "Quillfeather" })]);
  ids.clean = await uploadOrFail(maria, textFile(200_000));
  ids.infected = await storeUnscanned(maria, EICAR);
  ids.large = await storeUnscanned(devon, Buffer.concat([textFile(3_000_000), EICAR]));
});
beforeEach(() => {
  clamd.behavior = { kind: "scans" };
  clamd.files.length = 0;
});

function scan(changes: Record<string, string> = {}) {
  return runCommand(["bin/documents.js", "scan"], { ...environment, ...changes, ON_PINNED_NODE: "1" });
}

async function warnings() {
  await testing.refreshWarnings();
  return (await admin.get("/system-status")).visibleText;
}

test("the command exits with 1 and says so if no scanner is set or the scanner fails", async () => {
  expect(await scan({ CLAMAV_URL: "" })).toMatchObject({
    code: 1,
    output: expect.stringContaining("CLAMAV_URL is not set"),
  });
  clamd.behavior = { kind: "answers", reply: "INSTREAM: Can't allocate memory. ERROR\0" };
  const failed = await scan();
  expect(failed.code).toBe(1);
  expect(failed.output).toMatch(new RegExp(`The virus scanner failed at document ${ids.clean}: .*allocate memory`));
  expect(failed.output).not.toMatch(/\n\s+at /);
  expect(await db.auditEntry.count({ where: { action: "documents-scanned" } })).toBe(0);
});

test("infected documents of all families are reported by id only, and no file changes", async () => {
  const documents = () => db.document.findMany({ orderBy: { id: "asc" }, omit: { virusFoundAt: true } });
  const before = { rows: await documents(), files: storedFiles().toSorted() };
  const { code, output } = await scan();
  expect(code).toBe(1);
  expect(output).toContain(
    `1 documents are clean. May contain a virus: ${ids.infected} (Eicar-Test-Signature), ${ids.large} (Eicar-Test-Signature).`,
  );
  expect(output).not.toMatch(/Quillfeather|\.txt|example\.com/);
  expect({ rows: await documents(), files: storedFiles().toSorted() }).toEqual(before);
  // As it was sent, not as it is stored.
  expect(clamd.files.map(({ length }) => length)).toEqual([200_000, EICAR.length, 3_000_000 + EICAR.length]);
});

test("the consultant sees infected documents in the audit log and in a warning; families don't", async () => {
  const found = await db.auditEntry.findMany({ where: { action: "infected-document-found" } });
  expect(found.map(({ actorId, familyId, objectType, objectId }) => [actorId, familyId, objectType, objectId])).toEqual(
    [
      [null, maria.id, "document", ids.infected],
      [null, devon.id, "document", ids.large],
    ],
  );
  expect(await db.auditEntry.count({ where: { action: "documents-scanned" } })).toBe(1);
  expect(await warnings()).toContain("2 stored documents may contain a virus.");
  expect((await admin.get("/dashboard")).visibleText).toContain("2 stored documents may contain a virus.");
  const activity = await admin.get("/activity?kind=practice");
  expect(activity.visibleText).toContain("found what may be a virus in a document");
  for (const path of [`/families/${maria.id}`, `/documents/${ids.infected}/delete`, `/documents/${ids.large}/delete`])
    expect(activity.text).toContain(`href="${path}"`);
  expect((await maria.get("/api/me/access-log")).text).not.toContain("virus");
});

test("an infected document can't be viewed or downloaded, alone, in an archive or in an export; others can", async () => {
  const archive = (id: number) => `/documents/archive.zip?id=${ids.clean}&id=${id}`;
  const opened = { action: { in: ["document-opened", "document-downloaded"] }, objectId: ids.infected };
  for (const client of [maria, admin]) {
    for (const path of [`/api/documents/${ids.infected}`, `/api/documents/${ids.infected}/download`]) {
      const { status, json } = await client.get(path);
      expect([status, json.message]).toEqual([409, expect.stringContaining("may contain a virus, so nobody can open")]);
    }
    const zip = await client.get(archive(ids.infected));
    expect([zip.status, zip.text]).toEqual([409, expect.stringContaining("may contain a virus")]);
    const list = await client.get("/documents");
    expect(list.visibleText).toContain("It may contain a virus, so nobody can open it.");
    expect(list.text).not.toContain(`href="/api/documents/${ids.infected}"`);
  }
  expect(await db.auditEntry.count({ where: opened })).toBe(0);
  expect((await maria.get(archive(ids.clean))).status).toBe(200);
  const copy = zipEntries(await maria.get("/api/me/export"));
  expect(Object.keys(copy).filter((name) => name.startsWith("documents/"))).toHaveLength(1);
  expect(copy["index.html"]?.toString()).toContain("may contain a virus");
});

test("no page offers to view or download an infected document; each that lists it says why", async () => {
  const visit = { userId: maria.id, title: "Hourly Consulting", type: "consultation", duration: 60 };
  const appointmentDate = new Date(Math.ceil(Date.now() / 86_400_000 + 5) * 86_400_000);
  const { id } = await db.appointment.create({ data: { ...visit, appointmentDate } });
  await db.document.update({ where: { id: ids.infected }, data: { appointmentId: id } });
  const { fileName } = await db.document.findUniqueOrThrow({ where: { id: ids.infected } });
  const pages: [TestClient, string][] = [
    [maria, "/dashboard"],
    [maria, "/documents"],
    [maria, `/appointments/${id}/documents`],
    [admin, "/dashboard"],
    [admin, `/search?q=${encodeURIComponent(fileName)}`],
    [admin, `/dashboard/appointments/${id}`],
    [admin, `/families/${maria.id}`],
  ];
  for (const [client, path] of pages) {
    const { status, text, visibleText } = await client.get(path);
    const links = [...text.matchAll(/href="(\/api\/documents\/\d+)(\/download)?"/g)].map(([, document]) => document);
    const isSaid = visibleText.includes("It may contain a virus, so nobody can open it.");
    expect([path, status, isSaid, links.includes(`/api/documents/${ids.infected}`)]).toEqual([path, 200, true, false]);
  }
});

test("documents over the scanner's size limit are reported, and those after them are still scanned", async () => {
  clamd.behavior = { kind: "limits", bytes: 100_000 };
  const { code, output } = await scan();
  expect(code).toBe(1);
  expect(output).toContain(
    `0 documents are clean. May contain a virus: ${ids.infected} (Eicar-Test-Signature). Not scanned, because they are larger than clamd takes: ${ids.clean}, ${ids.large}. Raise StreamMaxLength`,
  );
});

test("a scan that fails once is retried, and the run continues", async () => {
  clamd.behavior = { kind: "closes once" };
  expect((await scan()).output).toContain("1 documents are clean. May contain a virus:");
});

test("the consultant's portrait is scanned too", async () => {
  const bytes = Buffer.concat([SAMPLES.jpg!, EICAR]);
  const data = { consultantName: "Ada", portraitName: "me.jpg", portraitBase64: bytes.toString("base64") };
  await db.practiceSettings.upsert({ where: { id: 1 }, create: { id: 1, ...data }, update: data });
  const { code, output } = await scan();
  expect([code, output]).toEqual([
    1,
    expect.stringContaining("The consultant’s portrait may contain a virus (Eicar-Test-Signature)"),
  ]);
  await db.practiceSettings.update({ where: { id: 1 }, data: { portraitName: null, portraitBase64: null } });
});

test("documents that the scanner can't look into are reported with exit code 0, missing ones with exit code 1", async () => {
  clamd.behavior = { kind: "answers", reply: "stream: Heuristics.Encrypted.Zip FOUND\0" };
  const unchecked = await scan();
  expect([unchecked.code, unchecked.output]).toEqual([
    0,
    expect.stringContaining(`0 documents are clean. Could not be looked into: ${ids.clean} (Heuristics.Encrypted.Zip)`),
  ]);
  clamd.behavior = { kind: "scans" };
  const lost = await uploadAndLocate(devon, textFile(10));
  rmSync(lost.file);
  const missing = await scan();
  expect([missing.code, missing.output]).toEqual([1, expect.stringContaining(`Missing or damaged: ${lost.id}.`)]);
  await devon.delete(`/api/documents/${lost.id}`);
});

test("the warning ends once each infected document is deleted or a complete scan finds it clean", async () => {
  await scan();
  expect(await warnings()).toContain("2 stored documents may contain a virus.");
  await maria.delete(`/api/documents/${ids.infected}`);
  expect(await warnings()).toContain("1 stored document may contain a virus.");
  clamd.behavior = { kind: "answers", reply: "stream: OK\0" };
  await scan();
  clamd.behavior = { kind: "answers", reply: "stream: OK\0" };
  expect(await scan()).toMatchObject({ code: 0 });
  expect(await warnings()).not.toContain("may contain a virus");
  expect((await devon.get(`/api/documents/${ids.large}`)).status).toBe(200);
});
