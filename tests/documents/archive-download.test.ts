// Proves the ZIP archive of several documents, and who can see the documents of a visit.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { SAMPLES, textFile, uploadFile } from "../support/uploads.ts";
import type { Family } from "../support/people.ts";
import { zipEntries } from "../support/zip-entries.ts";
import { consultant, db, family, origin, setTestClock, visitor } from "../support/site.ts";

let admin: TestClient;
let maria: Family;
let devon: Family;
/** One of Maria's own, one of hers that only the consultant sees, one of Devon's. */
let own: number;
let unshared: number;
let foreign: number;

beforeAll(async () => {
  admin = await consultant();
  maria = await family({ intake: true, firstName: "Maria", lastName: "Alvarez" });
  devon = await family({ firstName: "../..", lastName: "x\\y" });
  own = await sent(maria, "Letter", SAMPLES.txt);
  foreign = await sent(devon, "Devon's secret report", textFile(1000));
  const { json } = await uploadFile(admin, {
    bytes: textFile(500),
    fields: { customFileName: "For me alone", userId: String(maria.id), isSharedWithClient: "false" },
  });
  unshared = json.id;
});

async function sent(who: TestClient, customFileName: string, bytes: Buffer | undefined, fields = {}): Promise<number> {
  const response = await uploadFile(who, { bytes, fields: { customFileName, ...fields } });
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json.id;
}

const archiveOf = (who: TestClient, ...ids: unknown[]) =>
  who.get(`/documents/archive.zip?${ids.map((id) => `id=${String(id)}`).join("&")}`);

describe("an archive of several documents", () => {
  test("contains the family's own documents and intake form, byte for byte", async () => {
    const second = await sent(maria, "Report", textFile(5000));
    const response = await archiveOf(maria, own, second, -1);
    expect([response.status, response.headers["content-type"]]).toEqual([200, "application/zip"]);
    const entries = zipEntries(response);
    expect(Object.keys(entries).toSorted()).toEqual(["Letter.txt", "Report.txt", "intake-form.txt"]);
    expect(entries["Letter.txt"]).toEqual(SAMPLES.txt);
    expect(entries["Report.txt"]).toEqual(textFile(5000));
    expect(Object.keys(zipEntries(await archiveOf(maria, own, own)))).toEqual(["Letter.txt"]);
  });

  test("with an unknown, unshared or another family's document is the same 404, even next to an own document", async () => {
    const unknown = await archiveOf(maria, 999_999_999);
    expect(unknown.status).toBe(404);
    const noForm = await archiveOf(devon, -1);
    const others = [
      await archiveOf(maria, foreign),
      await archiveOf(maria, unshared),
      await archiveOf(maria, own, foreign),
      await archiveOf(maria, unshared, own),
      await archiveOf(maria, 0),
      await archiveOf(maria, "1%20OR%201"),
      await archiveOf(maria, -2),
      await archiveOf(maria, `${own}.0`),
      await archiveOf(devon, own),
      await archiveOf(devon, unshared),
      await archiveOf(admin, own, 999_999_999),
      await archiveOf(admin, -1),
      noForm,
    ];
    for (const { status, bytes, headers } of others) {
      expect(status).toBe(404);
      expect([headers["content-type"], headers["content-disposition"]]).toEqual([
        unknown.headers["content-type"],
        unknown.headers["content-disposition"],
      ]);
      expect(bytes.equals(unknown.bytes)).toBe(true);
    }
    expect((await archiveOf(visitor(), own)).status).toBe(302);
  });

  test("downloaded by the consultant has one folder per family, with a sanitized name", async () => {
    const entries = zipEntries(await archiveOf(admin, own, unshared, foreign));
    expect(Object.keys(entries).toSorted()).toEqual(
      [
        `Maria Alvarez (${maria.id})/Letter.txt`,
        `Maria Alvarez (${maria.id})/For me alone.txt`,
        `_-. x-y (${devon.id})/Devon's secret report.txt`,
      ].toSorted(),
    );
  });

  test("of several families, or of more than 20 documents, asks the consultant for the password again", async () => {
    const many: number[] = [];
    for (let count = 0; count <= 20; count += 1) many.push(await sent(maria, `Page ${count}`, textFile(10)));
    setTestClock(() => new Date(Date.now() + 11 * 60_000));
    for (const ids of [[own, foreign], many]) {
      const { status, headers } = await archiveOf(admin, ...ids);
      expect([status, headers.location]).toEqual([302, expect.stringMatching(/^\/confirm-identity\?redirectTo=/)]);
    }
    const fromList = await admin.get(`/documents/archive.zip?id=${own}&id=${foreign}`, {
      referer: new URL("/documents", origin).href,
    });
    const download = encodeURIComponent(`/documents/archive.zip?id=${own}&id=${foreign}`);
    expect(fromList.headers.location).toBe(`/confirm-identity?redirectTo=%2Fdocuments&download=${download}`);
    expect((await archiveOf(admin, own, ...many.slice(1, 20))).status).toBe(200);
    expect((await archiveOf(maria, ...many)).status).toBe(200);
    setTestClock(null);
    expect((await archiveOf(admin, ...many)).status).toBe(200);
  });

  test("has unique, sanitized file names: no folders, no hidden files, no duplicates", async () => {
    const names = ["..hidden", "a/b\\c", "../../up", "CON", "a\u202efdp", "Letter", "letter", " . "];
    const ids = await Promise.all(names.map((name) => sent(maria, name, SAMPLES.txt)));
    const entries = Object.keys(zipEntries(await archiveOf(maria, own, ...ids)));
    expect(entries.length).toBe(9);
    expect(entries).toEqual(
      expect.arrayContaining(["_hidden.txt", "a-b-c.txt", "_-.-up.txt", "_CON.txt", "a fdp.txt"]),
    );
    expect(new Set(entries.map((name) => name.toLowerCase())).size).toBe(9);
    for (const name of entries) expect(name).not.toMatch(/[/\\\u202e]|\.\.|^\./);
  });
});

describe("a family's visits and documents", () => {
  const start = new Date("2027-01-04T15:00:00Z");
  let visit: number;

  beforeAll(async () => {
    const row = { title: "Maria's visit", type: "consultation", appointmentDate: start };
    visit = (await db.appointment.create({ data: { ...row, userId: maria.id } })).id;
    await db.document.updateMany({ where: { id: { in: [own, unshared] } }, data: { appointmentId: visit } });
  });

  test("a visit's page shows the family only shared documents, and the consultant all of them", async () => {
    const path = `/appointments/${visit}/documents`;
    const [familyPage, consultantPage] = [await maria.get(path), await admin.get(`/dashboard/appointments/${visit}`)];
    expect([familyPage.status, familyPage.visibleText.includes("Letter")]).toEqual([200, true]);
    expect(familyPage.text).not.toContain("For me alone");
    expect((await maria.get(`${path}.data`)).text).not.toContain("For me alone");
    expect(consultantPage.visibleText).toContain("For me alone");
  });

  test("the upload form offers a visit only to its own family", async () => {
    const [ownForm, otherForm] = [await maria.get("/documents/new"), await devon.get("/documents/new")];
    expect([ownForm.status, otherForm.status]).toEqual([200, 200]);
    expect(ownForm.visibleText).toContain("Maria's visit");
    const data = await devon.get("/documents/new.data");
    for (const { text } of [otherForm, data]) expect(text).not.toMatch(/Maria|Alvarez/);
  });

  test("an unshared document is a 404 for the family and leaves its list; its own upload can't be unshared (409)", async () => {
    const own = await sent(maria, "Her own", SAMPLES.txt);
    expect((await admin.form(`/documents/${own}/sharing`, { isShared: "false" })).status).toBe(409);
    expect((await maria.get(`/api/documents/${own}`)).status).toBe(200);
    const fields = { customFileName: "Shared for now", userId: String(maria.id) };
    const { id } = (await uploadFile(admin, { bytes: SAMPLES.txt, fields })).json;
    const unknown = await maria.get("/api/documents/999999999");
    expect((await maria.get(`/api/documents/${id}`)).status).toBe(200);
    await admin.form(`/documents/${id}/sharing`, { isShared: "false" });
    expect(await db.document.findUnique({ where: { id } })).toMatchObject({ isSharedWithClient: false });
    const responses = [await maria.get(`/api/documents/${id}`), await maria.get(`/api/documents/${id}/download`)];
    for (const { status, text } of responses) expect([status, text]).toEqual([404, unknown.text]);
    expect((await archiveOf(maria, id)).status).toBe(404);
    expect((await maria.get("/documents")).visibleText).not.toContain("Shared for now");
  });
});
