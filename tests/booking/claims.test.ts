// Proves the one-time claim link that adds an appointment without an account to a family's account.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { type Family, signInAs } from "../support/people.ts";
import { dumpDatabase } from "../support/database/database-dump.ts";
import { startServer } from "../support/servers/server-process.ts";
import { adminEmail, adminPassword, consultant, db, family, setTestClock, template, visitor } from "../support/site.ts";

const NOW = new Date("2026-11-20T15:00:30Z");
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const GONE = "This link does not work";

let admin: TestClient;
let maria: Family;
let days = 0;

beforeAll(async () => {
  setTestClock(() => NOW);
  admin = await consultant();
  maria = await family({ firstName: "Maria", lastName: "Alvarez" });
});

/** An appointment that belongs to no account, made from a request. */
async function unclaimed(changes: Record<string, unknown> = {}) {
  const asked = {
    firstName: "Jane",
    lastName: "Doe",
    email: "jane@example.org",
    serviceNeeds: "IEP",
    urgency: "urgent",
  };
  const request = await db.consultationRequest.create({ data: { ...asked, consent: true, status: "scheduled" } });
  const appointmentDate = new Date(Date.parse("2027-01-05T15:00Z") + (days += 1) * DAY_MS);
  const visit = { title: "Initial Consultation - Jane Doe", notes: "Client: Jane Doe", type: "consultation" };
  return db.appointment.create({ data: { ...visit, appointmentDate, consultationRequestId: request.id, ...changes } });
}

async function linkTo(id: number): Promise<string> {
  const response = await admin.form(`/dashboard/appointments/${id}/claim-link`, {});
  expect(response.status).toBe(200);
  return new URL(response.document.querySelector("output.secret")?.textContent ?? "").pathname;
}

const ownerOf = async (id: number) => (await db.appointment.findUniqueOrThrow({ where: { id } })).userId;

async function later<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  setTestClock(() => new Date(NOW.getTime() + milliseconds));
  await db.session.updateMany({
    data: {
      expire: new Date(NOW.getTime() + milliseconds + DAY_MS),
      sess: JSON.stringify({ signedInAt: NOW.getTime() + milliseconds, activeAt: NOW.getTime() + milliseconds }),
    },
  });
  try {
    return await work();
  } finally {
    setTestClock(() => NOW);
  }
}

describe("a claim link for a visit without an account", () => {
  test("adds the visit, its payment and its request to the family that confirms, and works only once", async () => {
    const visit = await unclaimed();
    const payment = { method: "cash", booking: "{}", amountCents: 7500, state: "paid", leaseEndsAt: NOW };
    await db.payment.create({ data: { ...payment, key: `claim ${visit.id}`, appointmentId: visit.id } });
    const path = await linkTo(visit.id);
    const page = await maria.get(path);
    expect([page.status, page.visibleText]).toEqual([200, expect.stringContaining("This is my visit")]);
    expect(await ownerOf(visit.id)).toBe(null);
    const done = await maria.follow(await maria.form(path, {}));
    expect(done.visibleText).toContain("Visit Added");
    expect(done.visibleText).toContain("Initial Consultation - Jane Doe");
    const row = await db.appointment.findUnique({
      where: { id: visit.id },
      include: { payments: true, consultationRequest: true, claim: true },
    });
    expect(row).toMatchObject({
      userId: maria.id,
      payments: [{ userId: maria.id }],
      consultationRequest: { userId: maria.id },
      claim: null,
    });
    expect((await maria.get(path)).visibleText).toContain(GONE);
    expect((await (await family()).form(path, {})).status).toBe(404);
    expect(await ownerOf(visit.id)).toBe(maria.id);
  });

  test("asks a visitor to sign in or register, and reveals nothing about the visit before it is claimed", async () => {
    const visit = await unclaimed();
    const path = await linkTo(visit.id);
    const response = await visitor().get(path);
    expect(response.status).toBe(200);
    const back = `?redirectTo=${encodeURIComponent(path)}`;
    const links = [...response.document.querySelectorAll("main a")].map((link) => link.getAttribute("href"));
    expect(links).toEqual([`/login${back}`, `/register${back}`]);
    for (const page of [response, await maria.get(path)]) {
      expect(page.visibleText).toContain("Harbor Family Advocacy");
      for (const secret of ["Jane", "Doe", "Initial Consultation", "2027", "January"])
        expect(page.visibleText).not.toContain(secret);
      expect(page.headers["referrer-policy"]).toBe("same-origin");
    }
    const sent = await visitor().form(path, {});
    expect([sent.status, sent.headers.location]).toEqual([302, `/login${back}`]);
    const registered = await visitor().form(`/register${back}`, {
      firstName: "Jane",
      lastName: "Doe",
      email: "jane@example.org",
      password: "rain on the tin roof",
      confirmPassword: "rain on the tin roof",
    });
    expect(registered.headers.location).toBe(path);
    expect(await ownerOf(visit.id)).toBe(null);
  });

  test("works for exactly 7 days; wrong, used and expired links get the same 404 page and change nothing", async () => {
    const [last, first] = [await unclaimed(), await unclaimed()];
    const used = await linkTo((await unclaimed()).id);
    await maria.form(used, {});
    const [inTime, tooLate] = [await linkTo(last.id), await linkTo(first.id)];
    await later(WEEK_MS - 1, async () => expect((await maria.form(inTime, {})).status).toBe(302));
    expect(await ownerOf(last.id)).toBe(maria.id);
    await later(WEEK_MS, async () => {
      const before = await dumpDatabase(db);
      const wrong = "/claim-visit/a-token-that-nobody-was-given";
      const responses = [await maria.get(wrong), await maria.get(used), await maria.get(tooLate)];
      const posted = [await maria.form(wrong, {}), await maria.form(used, {}), await maria.form(tooLate, {})];
      expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
      expect(posted.map(({ status }) => status)).toEqual([404, 404, 404]);
      expect(new Set(responses.map(({ visibleText: words }) => words)).size).toBe(1);
      expect(new Set(posted.map(({ visibleText: words }) => words)).size).toBe(1);
      expect(await dumpDatabase(db)).toBe(before);
    });
    expect(await ownerOf(first.id)).toBe(null);
  });

  test("is stored only as a hash, and shown only once", async () => {
    const visit = await unclaimed();
    const path = await linkTo(visit.id);
    const token = path.split("/").at(-1) ?? "";
    expect(token.length).toBeGreaterThan(40);
    expect(JSON.stringify(await db.appointmentClaim.findMany())).not.toContain(token);
    const again = await admin.get(`/dashboard/appointments/${visit.id}/claim-link`);
    expect(again.text).not.toContain(token);
    expect(again.visibleText).toContain(
      "A link made earlier works until Fri, Nov 27, 2026 at 10:00 AM ET. A new one ends it.",
    );
  });

  test.each([
    ["a new link is made", async (id: number) => void (await linkTo(id))],
    ["the visit is canceled", (id: number) => db.appointment.update({ where: { id }, data: { status: "cancelled" } })],
    ["the visit is deleted", (id: number) => admin.delete(`/api/appointments/${id}`)],
    ["the visit gets an owner", (id: number) => db.appointment.update({ where: { id }, data: { userId: maria.id } })],
  ])("gets 404 once %s", async (_, end) => {
    const { id } = await unclaimed();
    const path = await linkTo(id);
    await end(id);
    const other = await family();
    expect([(await other.get(path)).status, (await other.form(path, {})).status]).toEqual([404, 404]);
    expect((await other.get("/api/appointments")).json).toEqual([]);
  });

  test("gives the visit to exactly one of ten families that confirm concurrently; nine get 404", async () => {
    const visit = await unclaimed();
    const path = await linkTo(visit.id);
    const families = await Promise.all(Array.from({ length: 10 }, () => family()));
    const responses = await Promise.all(families.map((each) => each.form(path, {})));
    const winners = families.filter((_, index) => responses[index]?.status === 302);
    expect(winners.map(({ id }) => id)).toEqual([await ownerOf(visit.id)]);
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(9);
  });

  test("can't be used by the consultant (403), and still works for a family afterward", async () => {
    const visit = await unclaimed();
    const path = await linkTo(visit.id);
    expect((await admin.form(path, {})).status).toBe(403);
    expect(await ownerOf(visit.id)).toBe(null);
    expect((await maria.form(path, {})).status).toBe(302);
  });
});

describe("making a claim link", () => {
  test("is possible only for an open appointment without an account; for others it gets 409", async () => {
    const [open, owned, canceled] = [
      await unclaimed(),
      await unclaimed({ userId: maria.id }),
      await unclaimed({ status: "cancelled" }),
    ];
    const offers = async (id: number) =>
      (await admin.get(`/dashboard/appointments/${id}`)).document.querySelector('a[href$="/claim-link"]') !== null;
    expect([await offers(open.id), await offers(owned.id), await offers(canceled.id)]).toEqual([true, false, false]);
    for (const { id } of [owned, canceled]) {
      const path = `/dashboard/appointments/${id}/claim-link`;
      expect([(await admin.get(path)).status, (await admin.form(path, {})).status]).toEqual([409, 409]);
      expect(await db.appointmentClaim.count({ where: { appointmentId: id } })).toBe(0);
    }
  });

  test("is allowed only to the consultant: a family gets 403, a visitor is redirected to sign in", async () => {
    const { id } = await unclaimed();
    const path = `/dashboard/appointments/${id}/claim-link`;
    expect([(await maria.get(path)).status, (await maria.form(path, {})).status]).toEqual([403, 403]);
    expect((await visitor().form(path, {})).headers.location).toMatch(/^\/login/);
    expect(await db.appointmentClaim.count({ where: { appointmentId: id } })).toBe(0);
  });
});

test("after 20 wrong claim links from one IP address, visitors get 429 even for a valid link; a signed-in family doesn't", async () => {
  const site = await startServer({ template, overrides: { RATE_LIMITS: "on" } });
  const her = await signInAs(site.origin, adminEmail, adminPassword);
  const request = await site.visitor().post("/api/consultation-requests", {
    firstName: "Jane",
    lastName: "Doe",
    email: "jane@example.org",
    serviceNeeds: "IEP",
    consent: true,
  });
  const appointmentDate = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + 30 * DAY_MS).toISOString();
  const visit = { consultationRequestId: request.json.id, title: "Initial Consultation", appointmentDate };
  const made = await her.post("/api/appointments/from-consultation", visit);
  const page = (await her.form(`/dashboard/appointments/${made.json.id}/claim-link`, {})).document;
  const path = new URL(page.querySelector("output.secret")?.textContent ?? "").pathname;
  const statuses = [];
  for (let tries = 0; tries < 21; tries++)
    statuses.push((await site.visitor().get(`/claim-visit/guess-${tries}`)).status);
  expect(statuses).toEqual([...Array<number>(20).fill(404), 429]);
  const stopped = await site.visitor().get(path);
  expect([stopped.status, Number(stopped.headers["retry-after"]) > 0]).toEqual([429, true]);
  const elsewhere = site.visitor();
  elsewhere.ip = "127.0.0.9";
  expect((await elsewhere.get(path)).status).toBe(200);
  expect((await (await site.family()).form(path, {})).status).toBe(302);
  site.kill("SIGKILL");
  await site.ended;
});
