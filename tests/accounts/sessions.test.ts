// Proves how sessions begin, are renewed, expire and are revoked.
import { createHmac } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import type { TestResponse, TestClient } from "../support/http-client.ts";
import { signInAs } from "../support/people.ts";
import { startServer } from "../support/servers/server-process.ts";
import {
  adminEmail,
  adminPassword,
  consultant,
  db,
  testing,
  family,
  origin,
  setTestClock,
  template,
  visitor,
} from "../support/site.ts";
import { PUBLIC_SITE } from "../support/test-environment.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The clock stands this long after now. */
const later = (ms: number) => setTestClock(() => new Date(Date.now() + ms));
const isSignedIn = async (client: TestClient) => (await client.get("/api/auth/me")).status === 200;
const cookieOf = (response: TestResponse) => response.headers["set-cookie"]?.[0] ?? "";

afterEach(() => setTestClock(null));

describe("the session cookie", () => {
  test("contains only a signed random id, and is HttpOnly, SameSite=Lax, and host-only", async () => {
    const client = await family();
    const response = await client.post("/api/auth/login", { email: client.email, password: client.password });
    const cookie = cookieOf(response);
    expect(response.headers["set-cookie"]).toHaveLength(2);
    expect(cookie).toMatch(/^session=[^;]{40,}; /);
    // A random number and its signature, and nothing else.
    const [text = "", signature] = decodeURIComponent(client.cookies.get("session") ?? "").split(".");
    expect(Buffer.from(text, "base64").toString()).toMatch(/^"[\w-]{43}"$/);
    expect(signature).toMatch(/^[\w+/]{43}$/);
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; SameSite=Lax/i);
    expect(cookie).toMatch(/; Path=\/(;|$)/i);
    expect(cookie).not.toMatch(/domain=/i);
    expect(cookie.length).toBeLessThan(4096);
  });

  test("is a Secure __Host- cookie on a public site, which sends HSTS and refuses plain HTTP origins", async () => {
    const site = await startServer({ template, overrides: PUBLIC_SITE });
    const client = site.visitor();
    const headers = { "X-Forwarded-Proto": "https" };
    const response = await client.post("/api/auth/login", { email: adminEmail, password: adminPassword }, headers);
    expect(response.status).toBe(200);
    expect(cookieOf(response)).toMatch(/^__Host-session=/);
    expect(cookieOf(response)).toMatch(/; Secure/i);
    expect(cookieOf(response)).not.toMatch(/domain=/i);
    expect(response.headers["strict-transport-security"]).toMatch(
      /max-age=(3153[6-9]|31[6-9]|3[2-9]|[4-9])\d*; includeSubDomains/,
    );
    const plain = await client.post("/api/auth/login", {}, { ...headers, Origin: "http://practice.example" });
    expect(plain.status).toBe(403);
    site.kill("SIGTERM");
    expect(await site.ended).toBe(0);
  });

  test("gets a new id at every sign-in, and the earlier session ends", async () => {
    const client = await family();
    const before = client.clone();
    await client.post("/api/auth/login", { email: client.email, password: client.password });
    expect(client.cookies.get("session")).not.toBe(before.cookies.get("session"));
    expect([await isSignedIn(client), await isSignedIn(before)]).toEqual([true, false]);
  });

  test("comes with a known-device cookie for a year that contains only random ids and hashes", async () => {
    const client = await family();
    const { headers } = await client.post("/api/auth/login", { email: client.email, password: client.password });
    const line = headers["set-cookie"]?.[1] ?? "";
    expect(line).toMatch(/^known-device=[^;]+; Max-Age=31536000; Path=\/; .*HttpOnly; SameSite=Lax$/);
    const [text = ""] = decodeURIComponent(line.slice("known-device=".length)).split(".");
    expect(Buffer.from(text, "base64").toString()).toMatch(/^"[\w-]{12}(\.[\w-]{33}){1,3}"$/);
    await client.post("/api/auth/logout", {});
    expect(client.cookies.has("known-device")).toBe(true);
  });

  test("a session id that was set before the sign-in is not adopted", async () => {
    const client = visitor();
    client.cookies.set("session", "chosen-by-somebody-else");
    const { email, password } = await family();
    await client.post("/api/auth/login", { email, password });
    expect(client.cookies.get("session")).not.toContain("chosen-by-somebody-else");
    expect(await isSignedIn(client)).toBe(true);
  });

  test("a tampered, truncated, oversized, or wrongly signed cookie is treated as no session", async () => {
    const client = await family();
    const value = decodeURIComponent(client.cookies.get("session") ?? "");
    const [sid = "", signature = ""] = value.split(".");
    const sign = (secret: string) => createHmac("sha256", secret).update(sid).digest("base64").replace(/=+$/, "");
    expect(sign("a-secret-for-tests-that-is-long-enough")).toBe(signature);
    const forged = [
      `${sid}.${sign("another-secret-that-is-long-enough")}`,
      sid,
      `${sid}.`,
      `${sid}.${signature.slice(0, -2)}`,
      `${sid.slice(1)}.${signature}`,
      `${sid}.${"A".repeat(signature.length)}`,
      value.toLowerCase(),
      "x".repeat(8000),
      "%",
      "%ff%fe",
      "null",
      '{"sid":1}',
      "",
    ];
    for (const cookie of forged.flatMap((each) => [each, encodeURIComponent(each)])) {
      for (const path of ["/api/auth/me", "/dashboard", "/"]) {
        const response = await visitor().get(path, { Cookie: `session=${cookie}` });
        expect([cookie.slice(0, 60), path, response.status]).toEqual([
          cookie.slice(0, 60),
          path,
          STATUS_WITHOUT_SESSION[path],
        ]);
      }
    }
    expect(await isSignedIn(client)).toBe(true);
  });

  const STATUS_WITHOUT_SESSION: Record<string, number> = { "/api/auth/me": 401, "/dashboard": 302, "/": 200 };
});

describe("concurrent sessions of one user", () => {
  const rows = (userId: number, count: number) =>
    db.session.createMany({
      data: Array.from({ length: count }, (_, at) => ({
        sid: `${userId}-${at}`,
        sess: "{}",
        userId,
        expire: new Date(Date.now() + HOUR + at * MINUTE),
      })),
    });
  const sids = async (userId: number) => (await db.session.findMany({ where: { userId } })).map(({ sid }) => sid);

  test("are limited to 20; one more ends the least recently used one, and no other user's", async () => {
    const [client, other] = [await family(), await family()];
    await rows(client.id, 18);
    const again = await signInAs(origin, client.email, client.password);
    expect(await sids(client.id)).toHaveLength(20);
    await signInAs(origin, client.email, client.password);
    const left = await sids(client.id);
    expect(left).toHaveLength(20);
    expect(left).not.toContain(`${client.id}-0`);
    expect(await Promise.all([client, again, other].map(isSignedIn))).toEqual([true, true, true]);
  });

  test("stay at 20 after four concurrent sign-ins", async () => {
    const client = await family();
    await rows(client.id, 19);
    await Promise.all(Array.from({ length: 4 }, () => signInAs(origin, client.email, client.password)));
    expect(await sids(client.id)).toHaveLength(20);
  });
});

describe("signing out", () => {
  test("through the API deletes the session, so that a copied cookie gets 401", async () => {
    const client = await family();
    const copiedSession = client.clone();
    const response = await client.post("/api/auth/logout", {});
    expect([response.status, response.json.message]).toEqual([200, expect.any(String)]);
    expect(response.headers["clear-site-data"]).toContain('"cache"');
    expect(await db.session.count({ where: { userId: client.id } })).toBe(0);
    expect(client.cookies.has("session")).toBe(false);
    expect((await copiedSession.get("/api/auth/me")).status).toBe(401);
    expect((await copiedSession.get("/dashboard")).headers.location).toBe("/login?redirectTo=%2Fdashboard");
  });

  test("with the form redirects to the home page and clears the browser's cache", async () => {
    const client = await family();
    expect((await client.get("/dashboard")).headers["cache-control"]).toContain("no-store");
    const response = await client.form("/logout", {});
    expect([response.status, response.headers.location]).toEqual([302, "/"]);
    expect(response.headers["clear-site-data"]).toContain('"cache"');
    expect(await db.session.count({ where: { userId: client.id } })).toBe(0);
    expect((await client.get("/api/auth/me")).status).toBe(401);
  });

  test("without a session returns 200", async () => {
    expect((await visitor().post("/api/auth/logout", {})).status).toBe(200);
  });

  test("after the session has ended redirects to the home page, not to sign-in", async () => {
    const client = await family();
    await db.session.deleteMany({ where: { userId: client.id } });
    const response = await client.form("/logout", {}, { Referer: `${origin}/dashboard` });
    expect([response.status, response.headers.location]).toEqual([302, "/"]);
    expect(response.headers["clear-site-data"]).toContain('"cache"');
  });

  test("does not happen with a GET request", async () => {
    const client = await family();
    await client.get("/logout");
    await client.get("/api/auth/logout");
    expect(await isSignedIn(client)).toBe(true);
  });
});

describe("a session expires", () => {
  test("for a family after a day without a request", async () => {
    const client = await family();
    later(DAY - MINUTE);
    expect((await client.get("/dashboard")).status).toBe(200);
    later(2 * DAY - 3 * MINUTE);
    expect(await isSignedIn(client)).toBe(true);
    later(3 * DAY);
    expect(await isSignedIn(client)).toBe(false);
    expect((await client.get("/dashboard")).status).toBe(302);
  });

  test.each([
    ["a family after 24 hours without a request", () => family(), DAY],
    ["the consultant after 15 minutes without a request", () => consultant(), 15 * MINUTE],
  ])("for %s, to the millisecond", async (_, person, idleMs) => {
    const start = Date.now();
    const at = (ms: number) => setTestClock(() => new Date(start + ms));
    at(0);
    const [early, late] = [await person(), await person()];
    at(idleMs - 1);
    expect(await isSignedIn(early)).toBe(true);
    at(idleMs);
    expect([await isSignedIn(late), (await late.get("/dashboard")).status]).toEqual([false, 302]);
    expect(await isSignedIn(early)).toBe(true);
    at(2 * idleMs - 1);
    expect(await isSignedIn(early)).toBe(false);
  });

  test.each([
    ["15 minutes", () => consultant(), 15 * MINUTE],
    ["24 hours", () => family(), DAY],
  ])("and the sign-in page says that the user was signed out after %s without use", async (length, person, idleMs) => {
    const start = Date.now();
    setTestClock(() => new Date(start));
    const client = await person();
    setTestClock(() => new Date(start + idleMs));
    const page = await client.follow(await client.get("/dashboard"));
    expect(page.visibleText).toContain(`You were signed out after ${length} without use. Nothing you sent is lost.`);
    expect((await visitor().get("/login")).visibleText).not.toContain("You were signed out");
  });

  test("and the sign-in page names the 12-hour limit; after signing out it shows no such message", async () => {
    const start = Date.now();
    setTestClock(() => new Date(start));
    const client = await consultant();
    for (let visit = 1; visit < 60; visit += 1) {
      setTestClock(() => new Date(start + visit * 12 * MINUTE));
      await isSignedIn(client);
    }
    setTestClock(() => new Date(start + 12 * HOUR));
    expect((await client.get("/login")).visibleText).toContain(
      "You were signed out because a sign-in expires after 12 hours. Nothing you sent is lost.",
    );
    const leaving = await family();
    await leaving.form("/logout", {});
    expect((await leaving.get("/login")).visibleText).not.toContain("You were signed out");
  });

  test.each([
    ["a family after 7 days", () => family(), 7 * DAY, 14],
    ["the consultant after 12 hours", () => consultant(), 12 * HOUR, 60],
  ])("for %s of regular use, to the millisecond", async (_, person, totalMs, visits) => {
    const start = Date.now();
    const at = (ms: number) => setTestClock(() => new Date(start + ms));
    at(0);
    const client = await person();
    for (let visit = 1; visit < visits; visit += 1) {
      at((visit * totalMs) / visits);
      expect([visit, await isSignedIn(client)]).toEqual([visit, true]);
    }
    at(totalMs - 1);
    expect(await isSignedIn(client)).toBe(true);
    at(totalMs);
    expect(await isSignedIn(client)).toBe(false);
  });

  test("and automatic page refreshes and API polling don't extend it", async () => {
    const client = await consultant();
    for (const minutes of [5, 10, 14]) {
      later(minutes * MINUTE);
      expect((await client.get("/dashboard.data?refresh")).status).toBe(200);
      expect((await client.get("/dashboard?refresh")).status).toBe(200);
      expect((await client.get("/api/appointments")).status).toBe(200);
      expect((await client.get("/api/consultation-requests")).status).toBe(200);
    }
    later(16 * MINUTE);
    expect((await client.get("/dashboard")).status).toBe(302);
  });

  test("and loading the data of the page that is shown again doesn't extend it, but that of another does", async () => {
    const client = await consultant();
    const load = (path: string, shown: string) =>
      client.get(path, { "Sec-Fetch-Dest": "empty", Referer: origin + shown });
    later(10 * MINUTE);
    expect((await load("/calendar.data?view=day", "/calendar?view=week")).status).toBe(200);
    for (const minutes of [12, 20, 24]) {
      later(minutes * MINUTE);
      expect((await load("/calendar.data?view=day", "/calendar?view=day")).status).toBe(200);
      expect((await load("/money.data?_routes=root", "/money")).status).toBe(200);
    }
    later(26 * MINUTE);
    expect((await client.get("/calendar")).status).toBe(302);
  });

  test("but the consultant can extend it with the stay-signed-in request", async () => {
    const client = await consultant();
    later(14 * MINUTE);
    const response = await client.form("/stay-signed-in", {}, { Accept: "application/json" });
    expect(response.status).toBe(200);
    later(28 * MINUTE);
    expect(await isSignedIn(client)).toBe(true);
  });

  test("and its row is deleted when another user signs in later", async () => {
    const client = await family();
    later(8 * DAY);
    await signInAs(origin, adminEmail, adminPassword);
    expect(await db.session.count({ where: { userId: client.id } })).toBe(0);
  });
});

describe("concurrent writes of two tabs to one session", () => {
  test("are both kept when one tab writes between the other's read and write", async () => {
    const client = await family();
    const admin = await consultant();
    const save = () => admin.form(`/families/${client.id}`, { text: "Called back." });
    await save();
    const { id } = await db.familyNote.findFirstOrThrow({ where: { userId: client.id } });
    const model = db.session as unknown as { updateMany: (change: object) => Promise<{ count: number }> };
    const update = model.updateMany;
    let other: Promise<TestResponse> | undefined;
    // The first tab has read the row and is about to write it: only now the second one comes, and is done first.
    model.updateMany = async (change) => {
      model.updateMany = update;
      other = admin.form(`/families/${client.id}/notes/${id}/delete`, {});
      await other;
      return update.call(db.session, change);
    };
    await save();
    expect((await other)?.status).toBe(302);
    const page = await admin.get(`/families/${client.id}`);
    const toasts = page.document.querySelector("[data-toasts]")?.textContent ?? "";
    expect(toasts).toContain("Note saved");
    expect(`${toasts}${(await admin.get(`/families/${client.id}`)).text}`).toContain("Note deleted");
  });
});

describe("an expired row", () => {
  test("is deleted at the millisecond of its expiration and not before: links, drafts, sessions", async () => {
    const { id: userId } = await family();
    const start = Date.now();
    const at = (ms: number) => setTestClock(() => new Date(start + ms));
    const [hour, week, month] = [HOUR, 7 * DAY, 30 * DAY].map((ms) => new Date(start + ms)) as [Date, Date, Date];
    const visit = { title: "Visit", type: "consultation", appointmentDate: new Date("2027-06-05T14:00Z") };
    const { id: appointmentId } = await db.appointment.create({ data: visit });
    await db.passwordReset.create({ data: { tokenHash: "reset", userId, expiresAt: hour } });
    await db.appointmentClaim.create({ data: { tokenHash: "claim", appointmentId, expiresAt: week } });
    await db.draft.create({ data: { userId, form: "booking", answers: "{}", updatedAt: new Date(start) } });
    await db.session.create({ data: { sid: "ended", sess: "{}", userId, expire: new Date(start) } });
    const left = async () => [
      await db.passwordReset.count({ where: { tokenHash: "reset" } }),
      await db.appointmentClaim.count({ where: { tokenHash: "claim" } }),
      await db.session.count({ where: { sid: "ended" } }),
      await db.draft.count({ where: { userId } }),
    ];
    for (const [time, ms, rows] of [
      ["an hour", hour.getTime() - start, [0, 1, 1, 1]],
      ["a week", week.getTime() - start, [0, 0, 0, 1]],
      ["thirty days", month.getTime() - start + 1, [0, 0, 0, 0]],
    ] as const) {
      const before = await left();
      at(ms - 1);
      await testing.deleteExpiredRows();
      expect([time, await left()]).toEqual([time, before]);
      at(ms);
      await testing.deleteExpiredRows();
      expect([time, await left()]).toEqual([time, rows]);
    }
  });
});

describe("a signed-in user", () => {
  test("has no session from the next request on when the account is deleted", async () => {
    const client = await family();
    await db.user.delete({ where: { id: client.id } });
    expect((await client.get("/api/auth/me")).status).toBe(401);
    expect((await client.get("/dashboard")).headers.location).toBe("/login?redirectTo=%2Fdashboard");
    expect((await client.get("/api/appointments")).status).toBe(401);
  });

  test("loses access to the consultant's data when no longer an administrator", async () => {
    const stranger = await family({ firstName: "Odalys", intake: true });
    const demoted = await family();
    await db.user.update({ where: { id: demoted.id }, data: { isAdmin: true, isClient: false } });
    expect((await demoted.get("/api/consultation-requests")).status).toBe(200);
    expect((await demoted.get(`/api/users/${stranger.id}`)).status).toBe(200);
    await db.user.update({ where: { id: demoted.id }, data: { isAdmin: false } });
    expect((await demoted.get("/api/consultation-requests")).status).toBe(403);
    expect((await demoted.get(`/api/users/${stranger.id}`)).status).toBe(403);
    expect((await demoted.get("/dashboard/reset-link")).status).toBe(403);
    expect((await demoted.get("/dashboard")).text).not.toContain("Odalys");
    expect((await demoted.get("/api/appointments")).json).toEqual([]);
  });
});
