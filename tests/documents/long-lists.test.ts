// Proves that lists of documents have a limited size: the API's are paged, and pages say where the rest is.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family } from "../support/site.ts";

const PATH = "/api/documents";
const NOW = new Date("2026-11-20T15:00:00Z");
const MAX_BYTES = 512_000;
const SHORT = 250;
const LONG = 60;

type Listed = { id: number; description: string | null; fileName: string };

let admin: TestClient;
let maria: Family;
let devon: Family;
let devonsFirst: number;

const document = (userId: number, index: number, fields: object = {}) => ({
  userId,
  uploadedById: userId,
  fileName: `${index}.pdf`,
  fileType: "application/pdf",
  fileSize: 10,
  filePath: `nowhere-${userId}-${index}`,
  // Two at a time, so that the order within one instant counts too.
  uploadedAt: new Date(NOW.getTime() + Math.floor(index / 2) * 1000),
  ...fields,
});

async function listPart(who: TestClient, query = ""): Promise<Listed[]> {
  const response = await who.get(PATH + query);
  expect([query, response.status]).toEqual([query, 200]);
  expect(Buffer.byteLength(response.text)).toBeLessThan(MAX_BYTES);
  return response.json;
}

/** The lists that follow each other until one is empty. */
async function listAll(who: TestClient): Promise<Listed[][]> {
  const parts = [await listPart(who)];
  while (parts.at(-1)!.length > 0) parts.push(await listPart(who, `?before=${parts.at(-1)!.at(-1)!.id}`));
  return parts.slice(0, -1);
}

beforeAll(async () => {
  [admin, maria, devon] = [await consultant(), await family({ intake: true }), await family()];
  const each = (count: number) => Array.from({ length: count }, (_, index) => index);
  await db.document.createMany({ data: each(SHORT).map((index) => document(maria.id, index)) });
  const description = `${"😀".repeat(4_999)}.`;
  const fileName = `${"😀".repeat(490)}.pdf`;
  const long = each(LONG).map((index) => document(devon.id, index, { description, fileName }));
  for (const data of long) await db.document.create({ data });
  devonsFirst = (await db.document.findFirstOrThrow({ where: { userId: devon.id } })).id;
});

describe("the document list in the API", () => {
  test("has the intake form and the newest 200 documents, and the rest with ?before= the last id", async () => {
    const parts = await listAll(maria);
    expect(parts.map(({ length }) => length)).toEqual([201, 50]);
    expect(parts.flat().map(({ id }) => id)[0]).toBe(-1);
    const names = parts
      .flat()
      .slice(1)
      .map(({ fileName }) => fileName);
    expect(names).toEqual(Array.from({ length: SHORT }, (_, index) => `${SHORT - 1 - index}.pdf`));
  });

  test("has fewer documents per response if their texts are long, and truncates none", async () => {
    const parts = await listAll(devon);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.flat()).toHaveLength(LONG);
    expect(new Set(parts.flat().map(({ description }) => description?.length))).toEqual(new Set([9_999]));
  });

  test("has the same size limit for the consultant, who can page through all families' documents", async () => {
    const ids = (await listAll(admin)).flat().map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([SHORT + LONG, SHORT + LONG]);
  });

  test("is the same for 20 concurrent requests, of which some may get 503 with Retry-After", async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => devon.get(PATH)));
    const listed = responses.filter(({ status }) => status === 200);
    // One person's lists are made one after another; on a slow machine the last ones are told to come back.
    const refused = responses.filter(({ status }) => status === 503);
    expect(listed.length + refused.length).toBe(20);
    expect(new Set(listed.map(({ text }) => text)).size).toBe(1);
    expect(refused.filter(({ headers }) => !headers["retry-after"])).toEqual([]);
  });

  test.each(["?before=", "?before=0", "?before=-1", "?before=x", "?before=1&before=2", "?before=1e3"])(
    "can't be requested with %s (400)",
    async (query) => {
      const refused = await maria.get(PATH + query);
      expect([refused.status, refused.json.message]).toEqual([400, "before must be the id of a document, given once."]);
    },
  );

  test("can't be continued after another family's or an unknown document (404)", async () => {
    for (const id of [devonsFirst, 2_000_000_000]) {
      const refused = await maria.get(`${PATH}?before=${id}`);
      expect([refused.status, refused.json.message]).toEqual([404, "There is no such document."]);
    }
  });
});

describe("a visit with more documents than its page shows", () => {
  const MAX_SHOWN = 100;
  let path: string;

  beforeAll(async () => {
    const visit = { title: "Visit", type: "consultation", appointmentDate: NOW };
    const { id: appointmentId } = await db.appointment.create({ data: { ...visit, userId: maria.id } });
    path = `/appointments/${appointmentId}/documents`;
    const rows = Array.from({ length: MAX_SHOWN }, (_, index) => document(maria.id, SHORT + index, { appointmentId }));
    await db.document.createMany({ data: rows });
  });

  const read = async () => {
    const { status, document: page, visibleText } = await maria.get(path);
    const list = [...page.querySelectorAll("[role=dialog] .rows strong, dialog .rows strong")];
    return { status, count: list.length, visibleText };
  };

  test("shows all of 100 documents; of 101 it shows the newest 100 and says so", async () => {
    const note = "Only the newest 100 are shown here.";
    const all = await read();
    expect([all.status, all.count, all.visibleText.includes(note)]).toEqual([200, MAX_SHOWN, false]);
    const { id: appointmentId } = await db.appointment.findFirstOrThrow({ where: { userId: maria.id } });
    const [fileName, uploadedAt] = ["oldest.pdf", new Date(NOW.getTime() - 1000)];
    await db.document.create({ data: document(maria.id, SHORT + MAX_SHOWN, { appointmentId, fileName, uploadedAt }) });
    const cut = await read();
    expect([cut.count, cut.visibleText.includes(note), cut.visibleText.includes(fileName)]).toEqual([
      MAX_SHOWN,
      true,
      false,
    ]);
  });
});

test("the consultant's upload form offers 200 families, including one with a new visit, and any other by ?userId=", async () => {
  const person = { password: "-", lastName: "Later", isClient: true };
  const users = Array.from({ length: 201 }, (_, index) => ({
    ...person,
    firstName: `Number ${index}`,
    email: `later-${index}@example.org`,
  }));
  await db.user.createMany({ data: users });
  const late = await db.user.findFirstOrThrow({ orderBy: { id: "desc" } });
  const visit = { title: "Visit", type: "consultation", appointmentDate: new Date(NOW.getTime() + 86_400_000) };
  const { userId: visited } = await db.appointment.create({ data: { ...visit, userId: late.id } });
  const offered = async (query = "") =>
    [...(await admin.get(`/documents/new${query}`)).document.querySelectorAll("select[name=userId] option")]
      .map((option) => Number(option.getAttribute("value")))
      .filter(Boolean);
  const all = await offered();
  expect(all).toHaveLength(200);
  for (const id of [maria.id, devon.id, visited]) expect(all).toContain(id);
  const { id: left } = await db.user.findFirstOrThrow({ where: { isAdmin: false, id: { notIn: all } } });
  expect(await offered(`?userId=${left}`)).toEqual([left]);
});
