// Proves the responses during outages of the database, disk and bucket, and that the site recovers by itself.
// Each database has its own ways to be away, and a test that is skipped on the other counts as failed.
// oxlint-disable vitest/no-conditional-tests
import Database from "better-sqlite3";
import pg from "pg";
import { afterAll, describe, expect, inject, test, vi } from "vitest";
import { copyDatabase } from "../support/database/copy-database.ts";
import { uploadFile } from "../support/uploads.ts";
import { terminateConnections, startTcpProxy } from "../support/database/database-outage.ts";
import { startServer } from "../support/servers/server-process.ts";
import { startS3 } from "../support/servers/s3-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { nextFreeHour, bookingBody } from "../support/bookings.ts";

/** What we promise: an answer within 5 s. A busy machine adds its own; without the limit there would be no answer at all. */
const PROMISED_MS = 5_000;
const GRACE_MS = 15_000;
/** For what heals by itself. */
const RECOVERY_TIMEOUT = { timeout: 30_000, interval: 100 };

const template = inject("template");
const isSqlite = template.startsWith("file:");
const folder = temporaryFolder("outage");
/** With the product's own timeouts. */
const database = (await copyDatabase(template, folder)).replace(/\?.*/, "");
const line = isSqlite ? null : await startTcpProxy(database);
const site = await startServer({ template, overrides: { DATABASE_URL: line?.url ?? database } });
const maria = await site.family({ intake: true });

afterAll(async () => {
  site.kill("SIGTERM");
  await site.ended;
  line?.close();
});

const passwords = { newPassword: "another rainy day", confirmPassword: "another rainy day" };
const beforeOutage = { first: await maria.get("/dashboard") };

type Answer = Awaited<ReturnType<typeof maria.get>>;

/** The answer says that it is not the visitor's fault, when to come back, and comes in time. */
async function expectUnavailable(sendRequest: () => Promise<Answer>) {
  const began = performance.now();
  const response = await sendRequest();
  expect([response.status, Number(response.headers["retry-after"]) > 0]).toEqual([503, true]);
  expect(performance.now() - began).toBeLessThan(PROMISED_MS + GRACE_MS);
  return response;
}

async function expectRecovered() {
  await vi.waitFor(async () => {
    expect([(await maria.get("/readyz")).status, (await maria.get("/dashboard")).status]).toEqual([200, 200]);
    const booked = await maria.post("/api/appointments", bookingBody({ appointmentDate: nextFreeHour() }));
    expect(booked.status).toBe(201);
    const remaining: { id: number }[] = (await maria.get("/api/appointments")).json;
    expect(remaining.map(({ id }) => id)).toContain(booked.json.id);
  }, RECOVERY_TIMEOUT);
}

const signIn = () => site.visitor().post("/api/auth/login", { email: maria.email, password: maria.password });

test("the family's dashboard is served before the outage", () => {
  expect(beforeOutage.first.visibleText).toContain(maria.firstName);
});

if (isSqlite) {
  describe("while another process holds a lock on the SQLite file", () => {
    test("writes are answered 503 with Retry-After, reads are served, and the site recovers by itself", async () => {
      const other = new Database(database.slice("file:".length));
      other.exec("BEGIN IMMEDIATE");
      const lost = nextFreeHour();
      const [call, page] = await Promise.all([
        expectUnavailable(() => maria.post("/api/appointments", bookingBody({ appointmentDate: lost }))),
        expectUnavailable(() => maria.form("/dashboard/settings", { ...passwords, currentPassword: maria.password })),
        expectUnavailable(signIn),
      ]);
      expect(call.json.message).toMatch(/Nothing was changed/);
      expect(page.visibleText).toContain("Password Change Failed");
      expect(page.visibleText).toContain("We can't reach our records right now. Nothing was changed.");
      const number = String(page.headers["x-request-id"]);
      await vi.waitFor(() => expect(site.output()).toContain(`"id":"${number}"`), RECOVERY_TIMEOUT);
      expect((await maria.get("/dashboard")).status).toBe(200);
      expect((await site.visitor().get("/login?unkept")).status).toBe(200);
      other.exec("ROLLBACK");
      other.close();
      await expectRecovered();
      expect((await maria.post("/api/appointments", bookingBody({ appointmentDate: lost }))).status).toBe(201);
    });
  });

  describe("when the disk is full", () => {
    test("writes get 507 and reads work; with free space writes work again, and the database is intact", async () => {
      const small = await startServer({ template });
      const noor = await small.family({ intake: true });
      small.kill("SIGTERM");
      await small.ended;
      // A limit on the file's own pages is a full disk to SQLite; it is the writer's, so it is set where the writer opens.
      const file = small.environment.DATABASE_URL.slice("file:".length);
      const limit = encodeURIComponent(`
        import Driver from "${import.meta.resolve("better-sqlite3")}";
        const { exec } = Driver.prototype;
        Driver.prototype.exec = function (sql) {
          const done = exec.call(this, sql);
          if (/busy_timeout = 0/.test(sql)) process.on("SIGUSR2", () => { pages = pages === 1 ? 1073741823 : 1; exec.call(this, "PRAGMA max_page_count = " + pages); });
          return done;
        };
        let pages = 0;`);
      const full = await startServer({
        template,
        overrides: { ...small.environment, NODE_OPTIONS: `--import data:text/javascript,${limit}` },
      });
      full.kill("SIGUSR2");
      const note = { ...bookingBody(), notes: "x".repeat(4500) };
      let response = await noor.clone().post("/api/appointments", note);
      for (let tries = 0; tries < 30 && response.status === 201; tries += 1)
        response = await noor.post("/api/appointments", { ...note, appointmentDate: nextFreeHour() });
      expect(response.status).toBe(507);
      expect(response.json.message).toMatch(/storage is full\. Nothing was changed/);
      expect((await noor.get("/dashboard")).status).toBe(200);
      full.kill("SIGUSR2");
      const hour = nextFreeHour();
      await vi.waitFor(async () => {
        expect((await noor.post("/api/appointments", { ...note, appointmentDate: hour })).status).toBe(201);
      }, RECOVERY_TIMEOUT);
      full.kill("SIGTERM");
      await full.ended;
      expect(new Database(file).pragma("integrity_check")).toEqual([{ integrity_check: "ok" }]);
    });
  });
} else {
  describe("while PostgreSQL is unavailable", () => {
    test("(no response) concurrent requests get 503 in time, sign-in sets no cookie, and the site recovers by itself", async () => {
      line?.pause();
      const crowd = Array.from({ length: 30 }, () => expectUnavailable(() => maria.get("/api/appointments")));
      const [page, entry] = await Promise.all([
        expectUnavailable(() => maria.get("/dashboard")),
        expectUnavailable(signIn),
        expectUnavailable(() =>
          maria.get("/readyz").then((answer) => Object.assign(answer, { headers: { "retry-after": "1" } })),
        ),
        ...crowd,
      ]);
      expect(page.visibleText).not.toContain(maria.firstName);
      expect(page.headers.location).toBeUndefined();
      expect(entry.headers["set-cookie"]).toBeUndefined();
      for (const path of ["/", "/healthz", "/robots.txt"]) expect((await site.visitor().get(path)).status).toBe(200);
      line?.resume();
      await expectRecovered();
    });

    test("(all connections cut by a restart) the next requests get 200 or 503, and the site recovers by itself", async () => {
      await terminateConnections(database);
      const responses = await Promise.all(Array.from({ length: 20 }, () => maria.get("/api/appointments")));
      expect(responses.every(({ status }) => status === 200 || status === 503)).toBe(true);
      await expectRecovered();
    });

    test("(a table locked, all connections waiting) requests get 503 in time, and the site recovers by itself", async () => {
      const other = new pg.Client({ connectionString: database });
      await other.connect();
      await other.query("BEGIN; LOCK TABLE appointments IN ACCESS EXCLUSIVE MODE");
      const [date, time] = new Date(nextFreeHour()).toLocaleString("sv", { timeZone: "America/New_York" }).split(" ");
      const isFree = `/api/appointments/availability?date=${date}&time=${time?.slice(0, 5)}&duration=60`;
      // From two addresses: of one, eight answers are prepared at the same time.
      const elsewhere = Object.assign(maria.clone(), { ip: "127.0.0.2" });
      const asks = [() => maria.get("/api/appointments"), () => elsewhere.get(isFree)];
      await Promise.all(asks.flatMap((ask) => Array.from({ length: 10 }, () => expectUnavailable(ask))));
      await other.query("ROLLBACK");
      await other.end();
      await expectRecovered();
    });
  });
}

describe("while the document bucket does not respond", () => {
  test("uploads and downloads get 503 in time, the document list works, and the site recovers by itself", async () => {
    const s3 = await startS3();
    const [, endpoint = ""] = /endpoint=([^&]+)/.exec(s3.settings.FILE_STORAGE) ?? [];
    const toBucket = await startTcpProxy(endpoint);
    const FILE_STORAGE = s3.settings.FILE_STORAGE.replace(endpoint, toBucket.url.replace(/\/$/, ""));
    const siteWithBucket = await startServer({ template, overrides: { ...s3.settings, FILE_STORAGE } });
    const devon = await siteWithBucket.family();
    const { id } = (await uploadFile(devon)).json;
    toBucket.pause();
    const [ready] = await Promise.all([
      devon.get("/readyz"),
      expectUnavailable(() => devon.get(`/api/documents/${id}/download`)),
      expectUnavailable(() => uploadFile(devon)),
    ]);
    expect([ready.status, ready.json.storage]).toEqual([503, false]);
    expect((await devon.get("/documents")).status).toBe(200);
    toBucket.resume();
    await vi.waitFor(async () => expect((await uploadFile(devon)).status).toBe(201), RECOVERY_TIMEOUT);
    expect((await devon.get(`/api/documents/${id}/download`)).status).toBe(200);
    await vi.waitFor(async () => {
      const { json } = await devon.get("/readyz");
      expect(json).toEqual({ status: "ok", database: true, storage: true });
    }, RECOVERY_TIMEOUT);
    siteWithBucket.kill("SIGTERM");
    await siteWithBucket.ended;
    toBucket.close();
    await s3.stop();
  });
});
