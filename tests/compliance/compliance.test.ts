// Proves that legal requests are stored with a due date and listed for the consultant until she closes them.
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { TestClient } from "../support/http-client.ts";
import { beforeNextTransaction } from "../support/database/interleave.ts";
import { addPastVisit } from "../support/past-visit.ts";

environmentOverrides.RATE_LIMITS = "on";
const { consultant, db, family, setTestClock, testing, visitor } = await import("../support/site.ts");

const FORM = "/legal-request";
/** A Monday afternoon in the practice. */
const MONDAY = new Date("2026-11-30T20:00Z");
const DAY = 86_400_000;

let admin: TestClient;
let networks = 0;

beforeAll(async () => {
  // Their transactions would be interrupted in place of the tested ones.
  await testing.stopJobs();
  admin = await consultant();
});

afterEach(() => setTestClock(null));

/** From now on it is `moment`, and the consultant has just signed in. */
async function signedInAt(moment: Date) {
  setTestClock(() => moment);
  admin = await consultant();
}

const fields = (changes: Record<string, string> = {}) => ({
  kind: "privacy",
  name: "Ana Ruiz",
  email: "ana@example.org",
  text: "Please send me a copy of my son's file.",
  ...changes,
});
/** Somebody from a network of their own. */
function newVisitor(): TestClient {
  const client = visitor();
  client.ip = `127.0.7.${(networks += 1)}`;
  return client;
}
const latest = () => db.complianceCase.findFirstOrThrow({ orderBy: { id: "desc" } });
const add = (changes: Record<string, string>) => admin.form("/compliance/new", changes);

describe("the legal request form", () => {
  test("is linked from the privacy, HIPAA and accessibility pages, and needs no account", async () => {
    for (const [page, kind] of [
      ["/privacy-policy", "privacy"],
      ["/hipaa-compliance", "privacy"],
      ["/accessibility", "accessibility"],
    ])
      expect((await visitor().get(`${page}`)).document.querySelector(`a[href="${FORM}?kind=${kind}"]`)).not.toBeNull();
    const page = await visitor().get(`${FORM}?kind=accessibility`);
    expect(page.document.querySelector('input[value="accessibility"]')?.hasAttribute("checked")).toBe(true);
  });

  test("shows and stores the due date: 30 days for privacy, two business days for accessibility", async () => {
    setTestClock(() => MONDAY);
    for (const [kind, day, words] of [
      ["privacy", "2026-12-30", "Wednesday, December 30, 2026"],
      ["accessibility", "2026-12-02", "Wednesday, December 2, 2026"],
    ] as const) {
      const client = newVisitor();
      const sent = await client.form(FORM, fields({ kind }));
      expect([sent.status, sent.headers.location]).toEqual([302, `${FORM}?sent=${day}`]);
      expect((await client.follow(sent)).visibleText).toContain(`We answer by ${words}.`);
      expect(await latest()).toMatchObject({
        kind,
        dueDay: day,
        receivedDay: "2026-11-30",
        userId: null,
        name: "Ana Ruiz",
      });
    }
    expect((await visitor().get(`${FORM}?sent=<b>`)).visibleText).toContain("What is it about?");
  });

  test("stores the signed-in family, whatever email it enters, and no family for the consultant", async () => {
    const own = await family();
    const page = await own.get(FORM);
    expect(page.document.querySelector('input[name="email"]')?.getAttribute("value")).toBe(own.email);
    await own.form(FORM, fields({ email: "another@example.org", userId: "1" }));
    expect((await latest()).userId).toBe(own.id);
    await admin.form(FORM, fields());
    expect((await latest()).userId).toBeNull();
  });

  test("refuses missing, too long or invalid fields (422), and the sixth request in a row (429)", async () => {
    const before = await db.complianceCase.count();
    const client = newVisitor();
    const wrong: Record<string, string>[] = [
      { name: "" },
      { email: "ana" },
      { text: "" },
      { kind: "incident" },
      { text: "x".repeat(5001) },
    ];
    for (const change of wrong)
      expect([change, (await client.form(FORM, fields(change))).status]).toEqual([change, 422]);
    expect(await db.complianceCase.count()).toBe(before);
    const statuses: number[] = [];
    for (let sent = 0; sent < 6; sent += 1) statuses.push((await client.form(FORM, fields())).status);
    expect(statuses).toEqual([302, 302, 302, 302, 302, 429]);
    expect(await db.complianceCase.count()).toBe(before + 5);
  });

  test("gets 429 at ten open cases per network, except for known families and a new family's first two", async () => {
    setTestClock(() => MONDAY);
    await db.complianceCase.deleteMany();
    const client = newVisitor();
    const asked = async (who: TestClient) => (await who.form(FORM, fields())).status;
    await asked(client);
    const { id: _, ...row } = await latest();
    await db.complianceCase.createMany({ data: Array.from({ length: 9 }, () => row) });
    const refused = await client.form(FORM, fields());
    expect([refused.status, refused.headers["retry-after"], await db.complianceCase.count()]).toEqual([
      429,
      "86400",
      10,
    ]);
    expect(refused.visibleText).toContain(
      "Many requests from your network are waiting for an answer. Please call us at",
    );
    expect(await asked(newVisitor())).toBe(302);
    const newcomer = await family();
    const known = await family();
    await addPastVisit(db, known, MONDAY);
    newcomer.ip = known.ip = client.ip;
    const ofNewcomer = [await asked(newcomer), await asked(newcomer), await asked(newcomer)];
    expect([ofNewcomer, await asked(known)]).toEqual([[302, 302, 429], 302]);
    await db.complianceCase.updateMany({ data: { closedAt: MONDAY } });
    expect(await asked(client)).toBe(302);
  });

  test("stores the network as a hash that is on no page and is deleted after 30 days", async () => {
    setTestClock(() => MONDAY);
    const own = await family();
    await own.form(FORM, fields());
    const { id, network, wideNetwork } = await latest();
    expect([network, wideNetwork]).toEqual([expect.stringMatching(/^[\w-]{43}$/), expect.any(String)]);
    admin = await consultant();
    for (const path of ["/compliance", `/compliance/${id}`, "/dashboard"])
      expect((await admin.get(path)).text).not.toContain(network);
    setTestClock(() => new Date(MONDAY.getTime() + 30 * DAY + 1));
    await testing.deleteExpiredRows();
    expect(await latest()).toMatchObject({ id, network: null, wideNetwork: null });
  });

  test("stores encrypted text, emails the consultant without it, and adds an audit log entry", async () => {
    await newVisitor().form(FORM, fields({ text: "Zebra crossing" }));
    const { id } = await latest();
    const [row] = await db.$queryRaw<
      { text: string; name: string }[]
    >`SELECT "text", "name" FROM "compliance_cases" WHERE "id" = ${id}`;
    expect([row?.text, row?.name]).toEqual([expect.stringMatching(/^sealed:1:/), expect.stringMatching(/^sealed:1:/)]);
    const mail = await db.message.findFirstOrThrow({ where: { event: "new-legal-request" }, orderBy: { id: "desc" } });
    expect(mail.content).toContain(`/compliance/${id}`);
    expect(mail.content).not.toMatch(/Zebra|Ana|example\.org/);
    const entry = await db.auditEntry.findFirstOrThrow({ where: { objectType: "case", objectId: id } });
    expect([entry.action, entry.actorId, entry.familyId]).toEqual(["legal-request-added", null, null]);
  });
});

describe("the consultant", () => {
  test("sees open cases under Needs attention, most urgent first, until she closes them with an outcome", async () => {
    await signedInAt(MONDAY);
    await db.complianceCase.deleteMany();
    await newVisitor().form(FORM, fields());
    await add({ kind: "incident", receivedDay: "2026-10-02", text: "A letter went to the wrong family." });
    const { id } = await latest();
    const board = (await admin.get("/dashboard")).visibleText;
    expect(board).toMatch(/Incident.*1 day left.*Privacy request.*30 days left/);
    const list = (await admin.get("/compliance")).visibleText;
    expect(list).toContain("Incident");
    const page = await admin.get(`/compliance/${id}`);
    expect(page.visibleText).toContain("A letter went to the wrong family.");
    expect(page.visibleText).toContain("Notify by");
    const close = (resolution: string, outcome = "notified") =>
      admin.form(`/compliance/${id}`, { resolution, outcome });
    expect([(await close("")).status, (await close("-", "answered")).status, (await close("-", "")).status]).toEqual([
      422, 422, 422,
    ]);
    const closed = await close("Called both families on October 3.");
    expect([closed.status, closed.headers.location]).toEqual([302, "/compliance"]);
    expect((await close("Again")).status).toBe(409);
    expect((await admin.get("/dashboard")).visibleText).not.toContain("Incident");
    expect((await admin.get(`/compliance/${id}`)).visibleText).toMatch(
      /How it endedYou notified whoever had to beWhat was doneCalled both families on October 3\./,
    );
    const entries = await db.auditEntry.findMany({
      where: { objectType: "case", objectId: id },
      orderBy: { sequence: "asc" },
    });
    expect([...new Set(entries.map(({ action }) => action))]).toEqual([
      "incident-added",
      "incident-opened",
      "incident-closed",
    ]);
  });

  test("sees a family's request before 1,000 from visitors, and further visitors get 429", async () => {
    await signedInAt(MONDAY);
    await db.complianceCase.deleteMany();
    const receivedDay = "2026-11-30";
    const flood = { kind: "accessibility", name: "N", email: "n@example.org", text: "x", receivedDay };
    await db.complianceCase.createMany({
      data: Array.from({ length: 1000 }, () => ({ ...flood, dueDay: "2026-12-02", createdAt: MONDAY })),
    });
    const own = await family();
    expect((await own.form(FORM, fields({ name: "Real Family" }))).status).toBe(302);
    expect((await admin.get("/compliance")).visibleText).toMatch(
      /Privacy request.*Real Family.*Accessibility feedback/,
    );
    expect((await admin.get("/dashboard")).visibleText).toMatch(/Real Family.*997 more requests and incidents/);
    const refused = await newVisitor().form(FORM, fields());
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "86400"]);
    expect(await db.complianceCase.count()).toBe(1001);
    expect(refused.visibleText).toContain("Many messages are waiting for an answer. Please call us at");
    await db.complianceCase.deleteMany();
  });

  test("sees open and closed cases in pages, visitors' cases last", async () => {
    await signedInAt(MONDAY);
    await db.complianceCase.deleteMany();
    const row = { kind: "privacy", name: "-", text: "-", receivedDay: "2026-11-30", dueDay: "2026-12-30" };
    const add25 = (name: string, more: object) =>
      db.complianceCase.createMany({ data: Array.from({ length: 30 }, () => ({ ...row, name, ...more })) });
    await add25("Visitor", { dueDay: "2026-12-02" });
    await add25("Incident", { kind: "incident" });
    await add25("Done", { closedAt: MONDAY });
    const names = async (query: string) => {
      const text = (await admin.get(`/compliance${query}`)).visibleText;
      return ["Incident", "Visitor", "Done"].map((name) => text.split(`, ${name}`).length - 1);
    };
    expect(await names("")).toEqual([25, 0, 0]);
    expect(await names("?page=2")).toEqual([5, 20, 0]);
    expect(await names("?page=3")).toEqual([0, 10, 0]);
    expect(await names("?page=99")).toEqual([0, 10, 0]);
    expect(await names("?status=closed")).toEqual([0, 0, 25]);
    expect(await names("?status=closed&page=2")).toEqual([0, 0, 5]);
    const page = await admin.get("/compliance?status=closed&page=2");
    expect(page.visibleText).toContain("Page 2 of 2");
    expect(page.document.querySelector('a[href="/compliance?status=closed&page=1"]')).not.toBeNull();
    await db.complianceCase.deleteMany();
  });

  test("can enter a request with its day of receipt; a future or invalid day gets 422", async () => {
    await signedInAt(MONDAY);
    const entry = { kind: "privacy", name: "Ana Ruiz", text: "Asked by phone." };
    for (const receivedDay of ["2026-12-01", "2026-02-30", "yesterday", "", "0001-01-01"])
      expect([receivedDay, (await add({ ...entry, receivedDay })).status]).toEqual([receivedDay, 422]);
    expect((await add({ ...entry, receivedDay: "2026-11-01" })).status).toBe(302);
    expect((await latest()).dueDay).toBe("2026-12-01");
    await signedInAt(new Date(MONDAY.getTime() + 3 * DAY));
    expect((await admin.get("/compliance")).visibleText).toContain("2 days late");
  });

  test("can assign a case to a family when entering or closing it; her own id or an unknown one gets 422", async () => {
    const [own, other] = [await family(), await family()];
    const entry = { kind: "privacy", name: "Ana Ruiz", text: "Asked by phone.", receivedDay: "2026-11-01" };
    const administrator = await db.user.findFirstOrThrow({ where: { isAdmin: true } });
    for (const userId of [administrator.id, 999_999, "x"])
      expect([userId, (await add({ ...entry, userId: String(userId) })).status]).toEqual([userId, 422]);
    const page = await admin.get(`/compliance/new?userId=${own.id}`);
    expect(page.document.querySelector(`select[name=userId] option[value="${own.id}"][selected]`)).not.toBeNull();
    expect((await add({ ...entry, userId: String(own.id) })).status).toBe(302);
    const named = await latest();
    expect(named.userId).toBe(own.id);
    expect((await admin.get(`/compliance/${named.id}`)).document.querySelector("select[name=userId]")).toBeNull();

    await add(entry);
    const { id, userId: nobody } = await latest();
    expect(nobody).toBeNull();
    const close = (caseId: number, userId: string) =>
      admin.form(`/compliance/${caseId}`, { outcome: "answered", resolution: "Sent it.", userId });
    expect((await close(id, "999999")).status).toBe(422);
    expect([(await close(id, String(other.id))).status, (await latest()).userId]).toEqual([302, other.id]);
    await close(named.id, String(other.id));
    expect((await db.complianceCase.findUniqueOrThrow({ where: { id: named.id } })).userId).toBe(own.id);
  });

  test("gets 409 if a case was assigned to a family while she closed it for another", async () => {
    const [own, other] = [await family(), await family()];
    await add({ kind: "privacy", name: "Ana Ruiz", text: "Asked by phone.", receivedDay: "2026-11-01" });
    const { id } = await latest();
    beforeNextTransaction(db, () => db.complianceCase.update({ where: { id }, data: { userId: own.id } }));
    const fields = { outcome: "answered", resolution: "Sent it.", userId: String(other.id) };
    expect((await admin.form(`/compliance/${id}`, fields)).status).toBe(409);
    expect(await latest()).toMatchObject({ id, userId: own.id, closedAt: null });
    await add({
      kind: "privacy",
      name: "Ana Ruiz",
      text: "By letter.",
      receivedDay: "2026-11-01",
      userId: String(own.id),
    });
    expect((await admin.form(`/compliance/${id}`, fields)).status).toBe(302);
    expect(await latest()).toMatchObject({ closedAt: null });
  });

  test("is offered the family of a signed-out request's email if it is confirmed, else none", async () => {
    const own = await family();
    const offered = async () => {
      await newVisitor().form(FORM, fields({ email: own.email }));
      const { id, userId } = await latest();
      expect(userId).toBeNull();
      const { document } = await admin.get(`/compliance/${id}`);
      return document.querySelector("select[name=userId] option[selected]")?.getAttribute("value");
    };
    expect(await offered()).toBe("");
    await db.user.update({ where: { id: own.id }, data: { emailConfirmedAt: new Date() } });
    expect(await offered()).toBe(String(own.id));
  });

  test("alone can open cases; a family gets 403, and its access log says that its request was opened", async () => {
    admin = await consultant();
    const own = await family();
    await own.form(FORM, fields({ text: "What do you hold about us?" }));
    const { id } = await latest();
    for (const path of ["/compliance", "/compliance/new", `/compliance/${id}`]) {
      expect([path, (await own.get(path)).status]).toEqual([path, 403]);
      expect([path, (await own.form(path, { resolution: "done", outcome: "answered" })).status]).toEqual([path, 403]);
    }
    expect((await admin.get("/compliance/999999")).status).toBe(404);
    expect((await admin.form("/compliance/999999", { resolution: "done", outcome: "answered" })).status).toBe(404);
    await admin.get(`/compliance/${id}`);
    const log = (await own.get("/api/me/access-log")).text;
    expect(log).toContain("opened a request about privacy or accessibility");
    expect(log).not.toContain("incident");
  });
});
