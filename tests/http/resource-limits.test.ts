// Proves the limits on downloads, rendered pages, unfinished bodies, connections, API reads and payment returns.
import { Agent, type ClientRequest, get, type IncomingMessage } from "node:http";
import { readdirSync, statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import path from "node:path";
import { setImmediate, setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import { textFile, uploadFile, uploadOrFail } from "../support/uploads.ts";
import { type Family, intakeForm } from "../support/people.ts";
import { addPastVisit } from "../support/past-visit.ts";
import { cookieHeader } from "../support/signaling-client.ts";
import { openHours, TEST_NOW } from "../support/bookings.ts";

environmentOverrides.RATE_LIMITS = "on";
const { site, square } = await import("../support/site-with-square.ts");
const { consultant, db, environment, family, origin, visitor } = site;

const MAX_DOWNLOADS = 8;
const MAX_PAGES = 600;

let maria: Family;
let id: number;

beforeAll(async () => {
  maria = await family({ intake: true });
  id = await uploadOrFail(maria, textFile(8_000_000));
});

type Open = { answer: IncomingMessage; request: ClientRequest };

/** A download whose first bytes have come, and which nobody reads on. */
function stalled(client: TestClient, path: string): Promise<Open> {
  return new Promise((resolve, reject) => {
    const headers = { Host: new URL(origin).host, Cookie: cookieHeader(client) };
    const request = get({ port: environment.PORT, path, headers, agent: new Agent() }, (answer) => {
      resolve({ answer, request });
    });
    request.on("error", reject);
  });
}

async function leave({ request, answer }: Open) {
  const closed = new Promise((resolve) => answer.once("close", resolve));
  request.destroy();
  await closed;
}

describe("concurrent downloads", () => {
  const paths = () => [`/api/documents/${id}`, `/api/documents/${id}/download`, `/documents/archive.zip?id=${id}`];

  test("are limited to 8 per session: the ninth gets 429; another device of the family has its own limit", async () => {
    const open: Open[] = [];
    for (let count = 0; count < MAX_DOWNLOADS; count += 1) {
      open.push(await stalled(maria, paths()[count % 3] ?? ""));
    }
    expect(open.map(({ answer }) => answer.statusCode)).toEqual(Array(MAX_DOWNLOADS).fill(200));
    for (const path of paths()) {
      const refused = await maria.get(path);
      expect([path, refused.status, refused.headers["retry-after"]]).toEqual([path, 429, "10"]);
      expect(refused.text).toContain("Too many downloads at once. Please wait until one is done, then try again.");
    }
    expect((await maria.request("HEAD", paths()[0] ?? "")).status).toBe(200);
    expect((await maria.get("/documents")).status).toBe(200);

    const phone = visitor();
    await phone.post("/api/auth/login", { email: maria.email, password: maria.password });
    expect((await phone.get(paths()[0] ?? "", { Range: "bytes=0-99" })).status).toBe(206);
    await leave(open.pop()!);
    await expect.poll(() => maria.get(paths()[0] ?? "").then(({ status }) => status)).toBe(200);
    for (const each of open) await leave(each);
  });

  test("are limited to 24 per family across its devices", async () => {
    const open: Open[] = [];
    for (let device = 1; device <= 3; device += 1) {
      const client = visitor();
      await client.post("/api/auth/login", { email: maria.email, password: maria.password });
      for (let count = 0; count < MAX_DOWNLOADS; count += 1) open.push(await stalled(client, paths()[1] ?? ""));
    }
    expect(open.map(({ answer }) => answer.statusCode)).toEqual(Array(3 * MAX_DOWNLOADS).fill(200));
    expect((await maria.get(paths()[1] ?? "")).status).toBe(429);
    for (const each of open) await leave(each);
    await expect.poll(() => maria.get(paths()[1] ?? "").then(({ status }) => status)).toBe(200);
  });
});

test("concurrent downloads of all users have a common limit, beyond which they get 503", async () => {
  const usual = { ...site.testing.DOWNLOAD_LIMITS };
  site.testing.DOWNLOAD_LIMITS.process = 2;
  const [path, archive] = [`/api/documents/${id}/download`, `/documents/archive.zip?id=${id}`];
  const open = [await stalled(maria, path), await stalled(maria, archive)];
  expect(open.map(({ answer }) => answer.statusCode)).toEqual([200, 200]);
  for (const each of [path, archive]) {
    const refused = await maria.get(each);
    expect([each, refused.status, refused.headers["retry-after"]]).toEqual([each, 503, "10"]);
    expect(refused.text).toContain("Please try again in a minute.");
  }
  for (const each of open) await leave(each);
  await expect.poll(() => maria.get(path, { Range: "bytes=0-9" }).then(({ status }) => status)).toBe(206);
  Object.assign(site.testing.DOWNLOAD_LIMITS, usual);
  expect(usual).toEqual({ session: 8, person: 24, own: 4, network: 24, newAccounts: 150, process: 300 });
});

test("downloads of new accounts are limited per network (429) and in total (503, lifted after a past visit)", async () => {
  const usual = { ...site.testing.DOWNLOAD_LIMITS };
  const path = `/api/documents/${id}/download`;
  const elsewhere = maria.clone();
  elsewhere.ip = "127.0.5.7";
  try {
    Object.assign(site.testing.DOWNLOAD_LIMITS, { own: 1, network: 1, newAccounts: 2 });
    const open = [await stalled(maria, path)];
    expect((await maria.get(path)).status).toBe(429);
    expect((await elsewhere.get(path, { Range: "bytes=0-9" })).status).toBe(206);
    const neighbor = await family();
    const own = await uploadOrFail(neighbor, textFile(100));
    expect((await neighbor.get(`/api/documents/${own}`)).status).toBe(200);
    Object.assign(site.testing.DOWNLOAD_LIMITS, { network: 24, newAccounts: 1 });
    expect((await maria.get(path)).status).toBe(503);
    await addPastVisit(db, maria, TEST_NOW);
    expect((await maria.get(path, { Range: "bytes=0-9" })).status).toBe(206);
    for (const each of open) await leave(each);
  } finally {
    Object.assign(site.testing.DOWNLOAD_LIMITS, usual);
  }
});

test("a download whose client stops reading is ended; a later download completes", async () => {
  const path = `/api/documents/${id}/download`;
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { answer } = await stalled(maria, path);
  const closed = new Promise((resolve) => answer.once("close", resolve));
  answer.on("error", () => {});
  for (let window = 0; window < 13; window += 1) vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  answer.resume();
  await closed;
  expect(answer.complete).toBe(false);
  expect((await maria.get(path)).bytes).toHaveLength(8_000_000);
});

test("pages rendered for requests with a session cookie are limited to 600 a minute per address; the next get 429", async () => {
  const [busy, neighbor] = [visitor(), visitor()];
  busy.ip = "127.0.5.1";
  neighbor.ip = "127.0.5.2";
  for (const client of [busy, neighbor]) client.cookies.set("session", "made-up");
  await Promise.all(Array.from({ length: MAX_PAGES - 1 }, () => busy.get("/logout")));
  busy.cookies.set("comfort", "made-up");
  expect((await busy.get("/")).status).toBe(200);
  for (const path of ["/", "/login?anew", "/dashboard.data", "/documents/archive.zip.data", "/nothing-here"]) {
    const refused = await busy.get(path);
    expect([path, refused.status, refused.text]).toEqual([
      path,
      429,
      "Too many pages at once. Please wait a minute and try again.\n",
    ]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  }
  busy.cookies.clear();
  const others = await Promise.all([busy.get("/"), busy.get("/healthz"), busy.get("/api/auth/me"), neighbor.get("/")]);
  expect(others.map(({ status }) => status)).toEqual([200, 200, 401, 200]);
});

/** A connection on which `bytes` were sent; `isOpen` as this side has it. */
async function open(bytes: string, localAddress = "127.0.6.1") {
  const socket = connect({ port: Number(environment.PORT), host: "127.0.0.1", localAddress });
  let received = "";
  socket.on("data", (part: Buffer) => (received += part.toString("latin1")));
  socket.on("error", () => {});
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.write(bytes);
  return { socket, status: () => /HTTP\/1\.1 (\d+)/.exec(received)?.[1], isOpen: () => !socket.closed };
}

const head = (path: string) => `POST ${path} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nOrigin: ${origin}\r\n`;

test("unfinished bodies are limited to 20 per address: the next gets 429; once one has ended, another is accepted", async () => {
  const unfinished = `${head("/api/auth/login")}Content-Type: application/json\r\nContent-Length: 3\r\n\r\n{`;
  const senders = await Promise.all(Array.from({ length: 21 }, () => open(unfinished)));
  await expect.poll(() => senders.filter(({ status }) => status() === "429").length).toBe(1);
  const waiting = senders.filter(({ status }) => !status());
  expect(waiting).toHaveLength(20);
  waiting[0]?.socket.write("} ");
  await expect.poll(() => waiting[0]?.status()).toBe("422");
  const next = await open(unfinished.replace("{", "{} "));
  await expect.poll(() => next.status()).toBe("422");
  for (const { socket } of [...senders, next]) socket.destroy();
});

test("unfinished bodies of visitors and of a signed-in user at the same address have separate limits of 20", async () => {
  const address = "127.0.6.7";
  const neighbor = await family();
  expect((await neighbor.get("/api/auth/me")).status).toBe(200);
  const start = `${head("/api/auth/login")}Content-Type: application/json\r\n`;
  const unfinished = `${start}Content-Length: 3\r\n\r\n{`;
  const own = `${start}Cookie: ${cookieHeader(neighbor)}\r\nContent-Length: 3\r\n\r\n{`;
  for (const bytes of [unfinished, own]) {
    const senders = await Promise.all(Array.from({ length: 21 }, () => open(bytes, address)));
    await expect.poll(() => senders.filter(({ status }) => status() === "429").length).toBe(1);
    expect(senders.filter(({ status }) => !status())).toHaveLength(20);
    const other = await open((bytes === own ? unfinished : own).replace("{", "{} "), address);
    await expect.poll(() => other.status()).toBe("422");
    for (const { socket } of [...senders, other]) socket.destroy();
  }
});

test("unfinished large bodies have limits of 4 per session and a shared one per address; each account has its first", async () => {
  const address = "127.0.6.8";
  const [first, second, third] = await Promise.all([family(), family(), family()]);
  const admin = await consultant();
  const again = visitor();
  await again.post("/api/auth/login", { email: first.email, password: first.password });
  for (const person of [first, second, third, again, admin])
    expect((await person.get("/api/auth/me")).status).toBe(200);
  const start = (address: string, person: TestClient) =>
    `${head(address)}Content-Type: application/json\r\nCookie: ${cookieHeader(person)}\r\n`;
  const large = (person: TestClient) => `${start("/api/intake-forms", person)}Content-Length: 16385\r\n\r\n{`;
  const held: Awaited<ReturnType<typeof open>>[] = [];
  const hold = async (person: TestClient, count: number) => {
    for (let number = 0; number < count; number += 1) held.push(await open(large(person), address));
  };
  const expectRefused = async (person: TestClient) => {
    const { status, socket } = await open(large(person), address);
    await expect.poll(status).toBe("429");
    socket.destroy();
  };
  await hold(first, 4);
  await expectRefused(first);
  await hold(again, 4);
  await expectRefused(again);
  await hold(second, 1);
  await expectRefused(second);
  await hold(third, 1);
  const own = await open(`${start("/api/auth/login", admin)}Content-Length: 3\r\n\r\n{} `, address);
  await expect.poll(() => own.status()).toBe("422");
  expect(held.map(({ status }) => status())).toEqual(Array(10).fill(undefined));
  for (const { socket } of [...held, own]) socket.destroy();
});

test.each(["visitor", "family"] as const)(
  "unfinished bodies of a %s that were answered early no longer count once the client disconnects",
  async (role) => {
    const address = role === "visitor" ? "127.0.6.20" : "127.0.6.21";
    const cookie = role === "visitor" ? "" : `Cookie: ${cookieHeader(await family())}\r\n`;
    // A family's body is waited for, but for an upload of another kind.
    const type = role === "visitor" ? "multipart/form-data; boundary=b" : "text/plain";
    const early = `Content-Type: ${type}\r\nContent-Length: 100000\r\n\r\n--b`;
    const paths = ["/api/documents", ...(role === "visitor" ? ["/api/nothing", "/nothing", "/documents"] : [])];
    const login = `${head("/api/auth/login")}${cookie}Content-Type: application/json\r\nContent-Length: 3\r\n\r\n{} `;
    for (const path of paths) {
      for (let count = 0; count < 4; count += 1) {
        const sender = await open(`${head(path)}${cookie}${early}`, address);
        await expect.poll(() => sender.status(), { message: path }).toMatch(/^[34]/);
        sender.socket.destroy();
      }
      const next = await open(login, address);
      await expect.poll(() => next.status(), { message: path }).toBe("422");
      next.socket.destroy();
    }
  },
);

test("uploads that were aborted before they were read don't block later uploads", async () => {
  const sender = await family();
  for (let count = 0; count < 40; count += 1) {
    const start = `${head("/api/documents")}Cookie: ${cookieHeader(sender)}\r\n`;
    const upload = await open(
      `${start}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 900\r\n\r\n--b`,
      "127.0.6.22",
    );
    await pause(count % 8);
    upload.socket.resetAndDestroy();
  }
  await expect.poll(async () => (await uploadFile(sender)).status).toBe(201);
  const uploads = await Promise.all([uploadFile(sender), uploadFile(sender)]);
  expect(uploads.map(({ status }) => status)).toEqual([201, 201]);
});

test("unfinished large bodies are limited to 4 per address and don't block another address", async () => {
  const fields = `${head("/api/consultation-requests")}Content-Type: application/json\r\n`;
  const large = `${fields}Content-Length: 262144\r\n\r\n{`;
  const senders = await Promise.all(Array.from({ length: 5 }, () => open(large, "127.0.6.2")));
  await expect.poll(() => senders.filter(({ status }) => status() === "429").length).toBe(1);
  expect(senders.filter(({ status }) => !status())).toHaveLength(4);
  const other = await open(`${fields}Content-Length: 20000\r\n\r\n${"{}".padEnd(20_000)}`, "127.0.6.3");
  await expect.poll(() => other.status()).toBe("422");
  for (const { socket } of [...senders, other]) socket.destroy();
});

test("connections are limited to 100 per address; one more closes the one that has been idle longest", async () => {
  const usual = { ...site.testing.CONNECTION_LIMITS };
  expect(usual).toEqual({ address: 100, process: 2000 });
  site.testing.CONNECTION_LIMITS.address = 3;
  const busy = await open(`${head("/api/auth/login")}Content-Length: 3\r\n\r\n{`);
  const [first, second, third] = [await open(""), await open(""), await open("")];
  await expect
    .poll(() => [busy, first, second, third].map(({ isOpen }) => isOpen()))
    .toEqual([true, false, true, true]);
  expect((await visitor().get("/healthz")).status).toBe(200);
  for (const { socket } of [busy, second, third]) socket.destroy();
  Object.assign(site.testing.CONNECTION_LIMITS, usual);
});

describe("clients that read responses slowly", () => {
  const usual = { ...site.testing.CONNECTION_LIMITS };
  const largest = readdirSync("build/client/assets")
    .map((name) => ({ name, bytes: statSync(path.join("build/client/assets", name)).size }))
    .toSorted((a, b) => b.bytes - a.bytes)[0]?.name;
  const request = `GET /assets/${largest} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nAccept-Encoding: identity\r\n\r\n`;

  /** Asks for more than the buffers between both hold, and reads none of it. */
  async function slowReader(address: string) {
    const serverSocket = new Promise<Socket>((resolve) => site.server.once("connection", resolve));
    const reader = await open("", address);
    reader.socket.pause();
    reader.socket.write(request.repeat(16));
    const ours = await serverSocket;
    await expect.poll(() => ours.writableLength).toBeGreaterThan(0);
    return { ...reader, isClosed: () => ours.destroyed };
  }

  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => {
    vi.useRealTimers();
    Object.assign(site.testing.CONNECTION_LIMITS, usual);
  });

  test("are closed for a new connection at the total limit: the slowest of the address with the most connections", async () => {
    const readers = [await slowReader("127.0.6.11"), await slowReader("127.0.6.12"), await slowReader("127.0.6.12")];
    await expect
      .poll(() => {
        site.server.closeIdleConnections();
        return promisify(site.server.getConnections.bind(site.server))();
      })
      .toBe(3);
    // The site hears of the closed ones a moment later.
    for (let tick = 0; tick < 10; tick += 1) await setImmediate();
    site.testing.CONNECTION_LIMITS.process = 3;
    const early = await open(`${head("/healthz")}\r\n`, "127.0.6.13");
    await expect.poll(early.isOpen).toBe(false);
    vi.advanceTimersByTime(5_001);
    const late = await open(`${head("/healthz")}\r\n`, "127.0.6.13");
    await expect.poll(late.status).toBe("405");
    expect(readers.map(({ isClosed }) => isClosed())).toEqual([false, true, false]);
    for (const { socket } of [...readers, late]) socket.destroy();
  });

  test("are disconnected when they stay too slow, but not within 29 seconds; a download is not affected", async () => {
    const reader = await slowReader("127.0.6.14");
    const download = await stalled(maria, `/api/documents/${id}/download`);
    vi.advanceTimersByTime(29_000);
    site.testing.closeSlowReaders();
    expect(reader.isClosed()).toBe(false);
    // What lies in the buffers counts as read.
    vi.advanceTimersByTime(24 * 3_600_000);
    site.testing.closeSlowReaders();
    expect([reader.isClosed(), download.answer.socket.closed]).toEqual([true, false]);
    download.request.destroy();
  });
});

describe.each([
  ["network", "127.0.6.15", "127.0.6.16"],
  ["family", "127.0.6.17", "127.0.6.17"],
])("many requests of one %s delay only its own:", (_who, busyAddress, neighborAddress) => {
  const AVAILABILITY = "/api/appointments/availability?date=2027-01-10&time=10:00&duration=60";
  test.each([
    ["availability requests", (busy: Family) => busy.get(AVAILABILITY)],
    ["intake forms", (busy: Family) => busy.post("/api/intake-forms", intakeForm(busy))],
  ])("%s", async (_what, send) => {
    const [busy, neighbor] = [await family({ intake: true }), await family({ intake: true })];
    [busy.ip, neighbor.ip] = [busyAddress, neighborAddress];
    let answered = 0;
    const flood = Array.from({ length: 80 }, async () => {
      expect((await send(busy)).status).toBe(200);
      answered += 1;
    });
    expect((await neighbor.get("/api/intake-form/check")).status).toBe(200);
    expect(answered).toBeLessThan(40);
    await Promise.all(flood);
  });
});

test("changing requests, including invalid ones, are limited to 300 a minute per address; the next get 429", async () => {
  const busy = visitor();
  busy.ip = "127.0.5.3";
  const responses = await Promise.all(Array.from({ length: 300 }, () => busy.post("/api/auth/login", {})));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([422]));
  const refused = await busy.post("/api/consultation-requests", {});
  expect([refused.status, Number(refused.headers["retry-after"]) > 0]).toEqual([429, true]);
  expect((await busy.form("/login", {})).status).toBe(429);
  expect((await busy.get("/api/auth/me")).status).toBe(401);
});

test("API reads are limited to 1,200 a minute per address; pages and changing requests are still answered", async () => {
  const [busy, neighbor] = [visitor(), visitor()];
  busy.ip = "127.0.5.4";
  neighbor.ip = "127.0.5.5";
  await Promise.all(Array.from({ length: 1_199 }, () => busy.get("/api/openapi.json")));
  expect((await busy.get("/api/auth/me")).status).toBe(401);
  for (const path of ["/api/auth/me", "/API/documents", "/api/appointments/availability?date=x", "/api/nothing-here"]) {
    const refused = await busy.get(path);
    expect([path, refused.status, refused.json.message]).toEqual([
      path,
      429,
      "Too many requests at once. Please wait a minute and try again.",
    ]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  }
  expect((await busy.request("HEAD", "/api/auth/me")).status).toBe(429);
  expect((await busy.post("/api/auth/login", {})).status).toBe(422);
  expect([(await busy.get("/login")).status, (await neighbor.get("/api/auth/me")).status]).toEqual([200, 401]);
});

test("repeated returns from the payment page show the stored state and query Square at most 10 times", async () => {
  const slot = openHours().next().value;
  const appointmentFields = {
    title: "Hourly Consulting",
    slot,
    duration: "60",
    type: "consultation",
    paymentMethod: "online",
  };
  expect((await maria.form("/appointments/new", appointmentFields)).headers.location).toBe("/appointments/pay");
  await maria.form("/appointments/pay", { intent: "hosted" });
  const payment = await db.payment.findFirstOrThrow({ where: { userId: maria.id }, orderBy: { id: "desc" } });
  const before = square.calls.length;
  for (let times = 1; times <= 13; times += 1) {
    const page = await maria.get(`/appointments/pay/return?payment=${payment.id}`);
    expect([times, page.status, page.visibleText]).toEqual([
      times,
      200,
      expect.stringContaining("haven't heard about a payment from the card provider yet"),
    ]);
  }
  expect(square.calls.length - before).toBe(10);
});

test("50 concurrent readiness checks cause at most two checks of a dependency", async () => {
  const asked: unknown[] = [];
  site.testing.registerReadinessCheck("counted", async () => asked.push(1) > 0);
  const responses = await Promise.all(Array.from({ length: 50 }, () => visitor().get("/readyz")));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(asked.length).toBeLessThanOrEqual(2);
});
