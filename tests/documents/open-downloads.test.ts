// Proves that a download ends with the session that started it, and that an aborted download leaves no files open.
import { request as send } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { db, family, origin, setTestClock, visitor } from "../support/site.ts";
import { countOpenFiles } from "../support/stored-files.ts";
import { textFile, uploadOrFail } from "../support/uploads.ts";

/** More than the buffers of both ends of a connection hold. */
const LARGE_BYTES = 24_000_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let maria: Family;
let paths: Record<"document" | "zip" | "export", string>;

beforeAll(async () => {
  maria = await family({ intake: true });
  const id = await uploadOrFail(maria, textFile(LARGE_BYTES));
  paths = {
    document: `/api/documents/${id}/download`,
    zip: `/documents/archive.zip?id=${id}`,
    export: "/api/me/export",
  };
});

async function signIn(): Promise<TestClient> {
  const client = visitor();
  expect((await client.post("/api/auth/login", { email: maria.email, password: maria.password })).status).toBe(200);
  return client;
}

/** Begins a download and leaves it unread. `read` reads what is left: whether that is everything. */
function begin(client: TestClient, path: string): Promise<{ read: () => Promise<boolean> }> {
  const { host, port } = new URL(origin);
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return new Promise((resolve, reject) => {
    const sent = send(
      { hostname: "127.0.0.1", port, path, agent: false, headers: { Host: host, Cookie: cookie } },
      (response) => {
        expect(response.statusCode).toBe(200);
        const read = () =>
          new Promise<boolean>((done) => {
            response.on("error", () => {}).on("close", () => done(response.complete));
            response.resume();
          });
        resolve({ read });
      },
    );
    sent.on("error", reject).end();
  });
}

describe("a paused download", () => {
  test.each(["document", "zip", "export"] as const)("of a %s is aborted when its browser signs out", async (kind) => {
    const client = await signIn();
    const download = await begin(client, paths[kind]);
    expect((await client.clone().post("/api/auth/logout", {})).status).toBe(200);
    expect(await download.read()).toBe(false);
  });

  test("is aborted in other sessions when the password is changed, and continues in the one that changed it", async () => {
    const otherDownload = await begin(await signIn(), paths.export);
    const own = await begin(maria, paths.export);
    const newPassword = "Another-Pass-7788";
    const fields = { currentPassword: maria.password, newPassword, confirmPassword: newPassword };
    expect((await maria.clone().post("/api/auth/change-password", fields)).status).toBe(200);
    expect(await Promise.all([otherDownload.read(), own.read()])).toEqual([false, true]);
    await maria.post("/api/auth/change-password", {
      currentPassword: newPassword,
      newPassword: maria.password,
      confirmPassword: maria.password,
    });
  });

  test("is aborted when another process has deleted its session", async () => {
    const before = new Set((await db.session.findMany({ select: { sid: true } })).map(({ sid }) => sid));
    const download = await begin(await signIn(), paths.export);
    await db.session.deleteMany({ where: { userId: maria.id, sid: { notIn: [...before] } } });
    setTestClock(() => new Date(Date.now() + MINUTE_MS));
    expect(await download.read()).toBe(false);
    setTestClock(() => new Date());
  });

  test.each([
    [1, true],
    [3, false],
  ])("continues %d hours after its session expired: %s", async (hours, goesOn) => {
    const before = new Set((await db.session.findMany({ select: { sid: true } })).map(({ sid }) => sid));
    const download = await begin(await signIn(), paths.zip);
    await db.session.updateMany({
      where: { userId: maria.id, sid: { notIn: [...before] } },
      data: { expire: new Date(Date.now() - hours * HOUR_MS) },
    });
    setTestClock(() => new Date(Date.now() + MINUTE_MS));
    expect(await download.read()).toBe(goesOn);
    setTestClock(() => new Date());
  });
});

describe("a download whose client disconnects while it is being prepared", () => {
  /** Sends a request, and resets its connection after some milliseconds. */
  async function leaveAfter(client: TestClient, { path, method = "GET", range, ms }: Left) {
    const { host, port } = new URL(origin);
    const Cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { Host: host, Cookie, ...(range && { Range: range }) };
    const sent = send({ hostname: "127.0.0.1", port, path, method, agent: false, headers }, (answer) =>
      answer.resume(),
    );
    sent.on("error", () => {}).end();
    await pause(ms);
    sent.socket?.resetAndDestroy();
  }
  type Left = { path: string; method?: string; range?: string; ms: number };

  test.each([
    ["a document", "document", {}],
    ["a range of a document", "document", { range: "bytes=0-999" }],
    ["a HEAD request for a document", "document", { method: "HEAD" }],
    ["an archive", "zip", {}],
    ["a HEAD request for an archive", "zip", { method: "HEAD" }],
    ["a data export", "export", {}],
  ] as const)("leaves no file or socket open for %s", async (_, kind, more) => {
    const client = await signIn();
    const open = countOpenFiles();
    for (let round = 0; round < 60; round += 1)
      await leaveAfter(client, { path: paths[kind], ...more, ms: round % 15 });
    await expect.poll(countOpenFiles, { timeout: 30_000 }).toBeLessThanOrEqual(open + 2);
  });
});
