// Proves who can read the audit log: a family only the entries about itself, in plain words; the consultant all of them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, origin, setTestClock, visitor } from "../support/site.ts";
import { textFile, uploadFile } from "../support/uploads.ts";

let admin: TestClient;
let maria: Family;
let devon: Family;
let consultantName: string;

beforeAll(async () => {
  setTestClock(() => new Date("2026-11-20T15:00:30Z"));
  admin = await consultant();
  const { firstName, lastName } = await db.user.findFirstOrThrow({ where: { isAdmin: true } });
  consultantName = `${firstName} ${lastName}`;
  [maria, devon] = await Promise.all([
    family({ firstName: "Maria", lastName: "Zybert", intake: true }),
    family({ firstName: "Devon", lastName: "Brooks", intake: true }),
  ]);
  const { json } = await uploadFile(maria, { bytes: textFile(100), fields: { customFileName: "Leo's report" } });
  await admin.get(`/api/documents/${json.id}/download`);
  await admin.form(`/families/${maria.id}`, { text: "Leo's mother is tired" });
  await devon.get(`/api/documents/${json.id}`);
  await admin.get(`/families/${devon.id}`);
  await visitor().post("/api/auth/login", { email: maria.email, password: "not the password" });
});

afterAll(() => setTestClock(null));

describe("a family", () => {
  test("sees who did what with its data, newest first, in plain words", async () => {
    const { status, json } = await maria.get("/api/me/access-log");
    expect(status).toBe(200);
    expect(json[0]).toEqual({
      at: "2026-11-20T15:00:30.000Z",
      who: "Somebody",
      what: "tried to sign in with a wrong password",
    });
    const lines = json.map(({ who, what }: { who: string; what: string }) => `${who} ${what}`);
    expect(lines).toContain(`${consultantName} downloaded a document`);
    expect(lines.indexOf("You added a document")).toBeGreaterThan(
      lines.indexOf(`${consultantName} downloaded a document`),
    );
  });

  test("sees no entries about other families, the consultant's notes or refused access", async () => {
    const page = await maria.get("/access-log");
    const entries = (await maria.get("/api/me/access-log")).text + page.cardText("Newest first");
    for (const word of ["note", "refused"]) expect(entries).not.toContain(word);
    for (const word of ["Devon", "Brooks", "tired", "Leo"]) expect(entries + page.text).not.toContain(word);
    // What the list leaves out is said above it.
    expect(page.visibleText).toContain("that is listed once a day. Not listed: lists that show names");
    const devons = (await devon.get("/api/me/access-log")).json;
    expect(devons.map(({ who }: { who: string }) => who)).toContain(consultantName);
    expect(JSON.stringify(devons)).not.toContain("downloaded");
  });

  test("reaches the access log page from its settings and can read it without JavaScript", async () => {
    const settings = (await maria.get("/dashboard/settings")).document;
    const row = [...settings.querySelectorAll(".setting")].find((each) =>
      each.textContent.includes("Who opened your child's file"),
    );
    const link = row?.querySelector("a");
    const { document: page, headers } = await maria.get(link?.getAttribute("href") ?? "");
    expect(headers["cache-control"]).toContain("no-store");
    expect(page.querySelector("h1")?.textContent).toBe("Who opened your child's file, and when");
    const rows = [...page.querySelectorAll("main li")].map((row) => row.textContent);
    expect(rows[0]).toMatch(/^Somebody tried to sign in with a wrong password.*Nov 20, 2026 at 10:00 AM ET/);
  });

  test("sees the latest access by somebody else at the top, and can list only the entries of others", async () => {
    const alone = await family();
    const all = await alone.get("/access-log");
    expect(all.document.querySelector("main .notice")?.textContent).toBe("Nobody but you has opened anything so far.");
    expect(all.document.querySelectorAll("main li").length).toBeGreaterThan(0);
    const none = await alone.get("/access-log?who=others");
    expect(none.document.querySelectorAll("main li").length).toBe(0);
    expect(none.visibleText).toContain("Nobody but you has opened anything so far.");
    const page = await devon.get("/access-log");
    expect(page.document.querySelector("main .notice")?.textContent).toContain(`Latest besides you: ${consultantName}`);
    const tried = await maria.get("/access-log");
    expect(tried.document.querySelector("main li")?.textContent).toMatch(/^Somebody tried/);
    expect(tried.document.querySelector("main .notice")?.textContent).toMatch(
      new RegExp(`^Latest besides you: ${consultantName} downloaded`),
    );
    await visitor().post("/api/auth/login", { email: alone.email, password: "not the password" });
    expect((await alone.get("/access-log")).document.querySelector("main .notice")?.textContent).toContain("Nobody");
    const byNobodyKnown = await alone.get("/access-log?who=others");
    expect(byNobodyKnown.document.querySelector("main li")?.textContent).toMatch(/^Somebody tried/);
    const others = await devon.get("/access-log?who=others");
    const rows = [...others.document.querySelectorAll("main li")].map(({ textContent }) => textContent);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter((text) => text.startsWith("You"))).toEqual([]);
  });

  test("sees when its intake form was opened first in each session, but not each time within an hour", async () => {
    const own = await family({ intake: true });
    const other = visitor();
    await other.post("/api/auth/login", { email: own.email, password: own.password });
    const opened = async () => {
      const entries = (await own.get("/api/me/access-log")).json as { who: string; what: string }[];
      return entries.filter(({ who, what }) => who === "You" && what === "opened the intake form").length;
    };
    for (const [session, count] of [
      [own, 1],
      [own, 1],
      [other, 2],
      [other, 2],
      [own, 2],
    ] as const) {
      expect((await session.get("/api/intake-forms")).status).toBe(200);
      expect(await opened()).toBe(count);
    }
  });

  test("pages through the log with ?page=; an invalid number shows the first page, a too large one the last", async () => {
    const own = await family();
    const head = await db.auditHead.findFirstOrThrow();
    for (let index = 0; index < 30; index += 1) await own.form("/comfort", { comfort: "large" });
    expect((await db.auditHead.findFirstOrThrow()).lastSequence).toBe(head.lastSequence + 30);
    const rowsOf = async (query: string) => (await own.get(`/access-log${query}`)).document.querySelectorAll("main li");
    expect((await rowsOf("")).length).toBe(25);
    for (const page of ["2", "99", "999999"]) expect((await rowsOf(`?page=${page}`)).length).toBeLessThan(25);
    for (const page of ["0", "-1", "1e3", "x", "%00"]) expect((await rowsOf(`?page=${page}`)).length).toBe(25);
  });
});

describe("the access log", () => {
  test.each([
    ["a visitor through the API", () => visitor().get("/api/me/access-log"), 401],
    ["a visitor on the page", () => visitor().get("/access-log"), 302],
    ["a visitor on the consultant's list", () => visitor().get("/activity"), 302],
    ["a family on the consultant's list", () => maria.get("/activity"), 403],
    ["a family on the consultant's list, filtered by itself", () => maria.get(`/activity?family=${maria.id}`), 403],
    ["a family with another family's id", () => maria.get(`/api/me/access-log?userId=${devon.id}`), 200],
    ["the consultant on the family page", () => admin.get("/access-log"), 302],
    ["the consultant on the family API", () => admin.get("/api/me/access-log"), 403],
  ])("never shows another family's entries: %s", async (_, send, status) => {
    const response = await send();
    expect(response.status).toBe(status);
    expect(response.text).not.toContain("Devon");
  });

  test.each(["POST", "PUT", "PATCH", "DELETE"])("can't be changed: %s gets 405", async (method) => {
    const headers = { Origin: origin, "Content-Type": "application/json" };
    const { status } = await maria.request(method, "/api/me/access-log", { headers, body: "{}" });
    expect(status).toBe(405);
  });
});

describe("the consultant", () => {
  const rowsOf = async (query: string) => {
    const { status, document: page } = await admin.get(`/activity${query}`);
    expect(status).toBe(200);
    return [...page.querySelectorAll("main .rows > li")].map((row) => row.textContent ?? "");
  };

  test("finds entries by a family's name, email address or id, or with the link on the family's page", async () => {
    const page = (await admin.get(`/families/${maria.id}`)).document;
    const link = page.querySelector("main a[href^='/activity?']");
    for (const query of ["?q=zybert", `?q=${maria.email}`, `?q=${maria.id}`, link?.getAttribute("href")?.slice(9)]) {
      const rows = await rowsOf(query ?? "");
      expect(rows.length).toBeGreaterThan(5);
      expect(rows.filter((row) => !row.includes("Maria Zybert"))).toEqual([]);
    }
  });

  test("finds a family's entries by its name without accents or with a different apostrophe", async () => {
    const zoe = await family({ firstName: "Zoë", lastName: "O\u2019Hara" });
    for (const query of ["?q=zoe%20o'hara", "?q=ZO%C3%8B"])
      expect([query, (await rowsOf(query)).join("\n").includes(zoe.name)]).toEqual([query, true]);
  });

  test("filters entries by kind; a refused access names the requested record", async () => {
    const refused = (await rowsOf("?kind=refused")).join("\n");
    expect(refused).toMatch(/^Devon Brooks was refused a recorddocument \d+/m);
    expect((await rowsOf("?kind=read")).every((row) => /opened|downloaded/.test(row))).toBe(true);
    expect((await rowsOf("?kind=money&q=zybert")).length).toBe(0);
  });

  test("filters entries by day", async () => {
    const all = await rowsOf("?q=zybert&day=2026-11-20");
    expect(all.length).toBeGreaterThan(5);
    expect(await rowsOf("?q=zybert&day=2026-11-19")).toEqual([]);
    expect(await rowsOf("?q=zybert&day=2026-11-21")).toEqual([]);
  });

  test.each([
    "?day=2026-02-31",
    "?day=x",
    "?kind=everything",
    "?family=-1",
    "?page=-4",
    "?q=%25%00%27",
    "?day=9999-12-31",
    "?day=0000-01-01",
  ])("gets a page with status 200 for invalid query parameters: %s", async (query) => {
    expect((await admin.get(`/activity${query}`)).status).toBe(200);
  });

  test("adds one audit log entry by opening the same family's entries three times in an hour", async () => {
    const count = () => db.auditEntry.count({ where: { action: "audit-opened", familyId: devon.id } });
    expect(await count()).toBe(0);
    for (let times = 0; times < 3; times += 1) await rowsOf(`?family=${devon.id}`);
    expect(await count()).toBe(1);
  });

  test("pages through a family's entries of one kind in order and without gaps", async () => {
    const ana = await family();
    const sequence = (await db.auditEntry.findFirstOrThrow({ orderBy: { sequence: "desc" } })).sequence;
    const entry = { at: new Date("2026-11-20T15:00:00Z"), actorId: ana.id, objectType: "document", hash: "" };
    const actions = ["document-opened", "appointment-opened", "access-refused", "document-downloaded"];
    await db.auditEntry.createMany({
      data: Array.from({ length: 120 }, (_, index) => ({
        ...entry,
        sequence: sequence + 1_000 + index,
        objectId: index,
        familyId: ana.id,
        action: actions[index % 4] ?? "",
      })),
    });
    const pages = await Promise.all([1, 2, 3, 4].map((page) => rowsOf(`?family=${ana.id}&kind=read&page=${page}`)));
    const opened = pages.flat().filter((row) => /document \d/.test(row));
    const numbers = opened.map((row) => Number(/document (\d+)/.exec(row)?.[1]));
    const expected = Array.from({ length: 120 }, (_, index) => 119 - index).filter((index) => index % 4 !== 2);
    expect(numbers.slice(0, expected.length)).toEqual(expected);
    expect(await rowsOf(`?q=${ana.id}&kind=read`)).toEqual(pages[0]);
    const older = await rowsOf(`?family=${ana.id}&kind=read&before=${sequence + 1_000 + 10}`);
    expect(older.slice(0, 3).map((row) => Number(/document (\d+)/.exec(row)?.[1]))).toEqual([9, 8, 7]);
    expect(await rowsOf(`?family=${ana.id}&kind=money`)).toEqual([]);
  });
});
