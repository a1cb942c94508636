// Proves that new documents and messages are marked for a family until it opens them, whatever others open.
import { beforeAll, describe, expect, test } from "vitest";
import type { Family } from "../support/people.ts";
import type { TestClient, TestResponse } from "../support/http-client.ts";
import { bookOrFail, TEST_NOW } from "../support/bookings.ts";
import { uploadFile } from "../support/uploads.ts";
import { consultant, db, family, setTestClock } from "../support/site.ts";

setTestClock(() => TEST_NOW);

let admin: TestClient;

beforeAll(async () => {
  admin = await consultant();
});

/** What the navigation says of a page to whoever hears it. */
function linkText({ document }: TestResponse, path: string): string {
  return document.querySelector(`.portal-nav a[href="${path}"]`)?.textContent ?? "";
}

async function send({ id }: Family, customFileName: string, isSharedWithClient = "true"): Promise<number> {
  const fields = { userId: String(id), customFileName, isSharedWithClient };
  const response = await uploadFile(admin, { fields });
  expect(response.status).toBe(201);
  return response.json.id;
}

const newBadges = ({ document }: TestResponse) =>
  [...document.querySelectorAll(".row")]
    .filter((row) => [...row.querySelectorAll(".badge")].some(({ textContent }) => textContent === "New"))
    .map((row) => row.querySelector("bdi")?.textContent);

describe("documents", () => {
  test("from the consultant are marked new in navigation and lists until viewed or downloaded", async () => {
    const maria = await family();
    await uploadFile(maria);
    expect(linkText(await maria.get("/dashboard"), "/documents")).toBe("Documents");
    const [viewed, downloaded, zipped] = [
      await send(maria, "Plan"),
      await send(maria, "Letter"),
      await send(maria, "Notes"),
    ];
    await send(maria, "Not for the family", "false");
    for (const path of ["/dashboard", "/documents"]) {
      const page = await maria.get(path);
      expect(linkText(page, "/documents")).toContain("3, 3 new documents");
      expect(new Set(newBadges(page))).toEqual(new Set(["Letter.txt", "Notes.txt", "Plan.txt"]));
    }
    expect((await maria.request("HEAD", `/api/documents/${viewed}`)).status).toBe(200);
    expect(newBadges(await maria.get("/documents"))).toHaveLength(3);
    await maria.get(`/api/documents/${viewed}`);
    await maria.get(`/api/documents/${downloaded}/download`);
    const page = await maria.get("/documents");
    expect(linkText(page, "/documents")).toContain("1, 1 new document");
    expect(newBadges(page)).toEqual(["Notes.txt"]);
    await maria.get(`/documents/archive.zip?id=${zipped}`);
    const last = await maria.get("/documents");
    expect([linkText(last, "/documents"), newBadges(last)]).toEqual(["Documents", []]);
  });

  test("stay new when the consultant or another family requests them", async () => {
    const [maria, devon] = [await family(), await family()];
    const id = await send(maria, "Plan");
    expect((await admin.get(`/api/documents/${id}`)).status).toBe(200);
    expect((await devon.get(`/api/documents/${id}`)).status).toBe(404);
    expect(linkText(await maria.get("/more"), "/documents")).toContain("1 new document");
    expect(linkText(await devon.get("/more"), "/documents")).toBe("Documents");
    expect((await admin.get("/documents")).document.querySelector(".unread-count")).toBeNull();
  });
});

describe("messages", () => {
  const latest = (person: Family) =>
    db.message.findFirstOrThrow({ where: { userId: person.id }, orderBy: { id: "desc" } });

  test("are counted as new until each is opened by a link that works without JavaScript", async () => {
    const maria = await family({ intake: true });
    await bookOrFail(maria);
    const count = await db.message.count({ where: { userId: maria.id } });
    expect(count).toBeGreaterThan(0);
    const list = await maria.get("/messages");
    for (const path of ["/messages", "/more"]) expect(linkText(list, path)).toContain(`${count} new message`);
    const { id } = await latest(maria);
    const link = list.document.querySelector(`#message-${id} a`)?.getAttribute("href") ?? "";
    expect(link).toBe(`/messages?open=${id}#message-${id}`);
    const opened = await maria.get(link.replace(/#.*/, ""));
    expect(opened.document.querySelector(`#message-${id} details[open]`)?.textContent).toContain("Hello");
    const left = await maria.get("/more");
    expect(left.document.querySelectorAll("main .unread-count")).toHaveLength(count > 1 ? 1 : 0);
    expect(linkText(left, "/messages")).toBe(
      count > 1 ? `Messages${count - 1}, ${count - 1} new message${count > 2 ? "s" : ""}` : "Messages",
    );
    const readAt = (await latest(maria)).readAt;
    expect(readAt).toEqual(TEST_NOW);
  });

  test("on a later page of the list are opened on that page", async () => {
    const maria = await family();
    await db.message.deleteMany({ where: { userId: maria.id } });
    const content = JSON.stringify({
      subject: "News",
      preview: "",
      firstName: "Maria",
      paragraphs: ["Something is new."],
    });
    const row = {
      userId: maria.id,
      address: maria.email,
      event: "receipt",
      content,
      state: "sent",
      nextAttemptAt: TEST_NOW,
    };
    const at = (minutes: number) => new Date(TEST_NOW.getTime() - minutes * 60_000);
    const rows = Array.from({ length: 26 }, (_, index) => ({
      ...row,
      key: `${maria.id} ${index}`,
      createdAt: at(index),
    }));
    await db.message.createMany({ data: rows });
    const { id } = await db.message.findFirstOrThrow({ where: { userId: maria.id }, orderBy: { createdAt: "asc" } });
    const list = await maria.get("/messages?page=2");
    const links = [...list.document.querySelectorAll('main [id^="message-"] a')].map((link) =>
      link.getAttribute("href"),
    );
    expect(links).toEqual([`/messages?page=2&open=${id}#message-${id}`]);
    const opened = await maria.get((links[0] ?? "").replace(/#.*/, ""));
    expect(opened.document.querySelector(`#message-${id} details[open]`)?.textContent).toContain("Something is new.");
    expect((await db.message.findUniqueOrThrow({ where: { id } })).readAt).toEqual(TEST_NOW);
  });

  test("of a family are not marked as read by another family's requests, with valid or invalid ids", async () => {
    const [maria, devon] = [await family({ intake: true }), await family()];
    await bookOrFail(maria);
    const { id } = await latest(maria);
    for (const open of [`${id}`, "x", "-1", "9".repeat(30), `${id}&open=${id}`])
      expect((await devon.get(`/messages?open=${open}`)).status).toBe(200);
    expect((await latest(maria)).readAt).toBeNull();
  });
});

test("a family's pages link to a More page with messages, receipts, settings and logout", async () => {
  const maria = await family();
  for (const path of ["/dashboard", "/appointments", "/documents", "/dashboard/intake-form", "/access-log"])
    expect((await maria.get(path)).document.querySelector('.portal-nav a[href="/more"]')).not.toBeNull();
  const more = (await maria.get("/more")).document;
  const links = [...more.querySelectorAll("main a")].map((link) => link.getAttribute("href"));
  for (const path of ["/messages", "/receipts", "/dashboard/settings"]) expect(links).toContain(path);
  expect(more.querySelector('main form[action="/logout"] button')?.textContent).toContain("Logout");
});
