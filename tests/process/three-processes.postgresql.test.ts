// Proves that three processes with one PostgreSQL and one S3 store act as one site, even when one of them is killed.
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { bookingBody } from "../support/bookings.ts";
import { copyDatabase } from "../support/database/copy-database.ts";
import { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { startRoundRobinProxy } from "../support/servers/round-robin-proxy.ts";
import { startS3 } from "../support/servers/s3-server.ts";
import { startServer } from "../support/servers/server-process.ts";
import { connectSignaling } from "../support/signaling-client.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { textFile, uploadOrFail } from "../support/uploads.ts";

const MINUTE = 60_000;
/** Fifty requests a second. */
const REQUEST_INTERVAL_MS = 20;
/** In the full run (`npm run faults -- processes`) each of the three is restarted. */
const RESTARTS = process.env.FAULTS === "full" ? 3 : 1;
const FAMILIES = 4;
const BOOKINGS = 12;

type Server = Awaited<ReturnType<typeof startServer>>;

let store: Awaited<ReturnType<typeof startS3>>;
let proxy: Awaited<ReturnType<typeof startRoundRobinProxy>>;
let servers: Server[];
let overrides: Record<string, string>;

beforeAll(async () => {
  [store, proxy] = await Promise.all([startS3(), startRoundRobinProxy()]);
  const DATABASE_URL = await copyDatabase(inject("template"), temporaryFolder("three-processes"));
  overrides = { ...store.settings, DATABASE_URL, APP_ORIGIN: proxy.origin };
  servers = [];
  for (let count = 0; count < 3; count += 1) servers.push(await startServer({ overrides }));
  routeToAll();
});

afterAll(async () => {
  proxy.stop();
  for (const server of servers) server.kill("SIGKILL");
  await Promise.all(servers.map(({ ended }) => ended));
  await store.stop();
});

function routeToAll(): void {
  proxy.setPorts(servers.map(({ environment }) => environment.PORT));
}

/** The same browser at one of the processes, past the proxy. */
function at(index: number, client: TestClient): TestClient {
  const there = new TestClient(`http://localhost:${servers[index]!.environment.PORT}`);
  for (const [name, value] of client.cookies) there.cookies.set(name, value);
  return there;
}

describe("three processes", () => {
  test("share sessions, bookings and documents: each sees what another process stored", async () => {
    const maria = await servers[0]!.family({ intake: true });
    const booked = await at(1, maria).post("/api/appointments", bookingBody());
    expect(booked.status).toBe(201);
    expect((await at(2, maria).get("/api/appointments")).json).toEqual([booked.json]);
    const taken = { ...bookingBody(), appointmentDate: booked.json.appointmentDate };
    expect((await at(2, maria).post("/api/appointments", taken)).status).toBe(409);
    const id = await uploadOrFail(at(0, maria), textFile(100_000));
    expect((await at(2, maria).get(`/api/documents/${id}/download`)).bytes).toEqual(textFile(100_000));
    await at(2, maria).post("/api/auth/logout", {});
    for (const index of [0, 1, 2]) expect((await at(index, maria).get("/api/auth/me")).status).toBe(401);
  });

  test("connect both sides of a video call across two of them", async () => {
    const maria = await servers[1]!.family({ intake: true });
    const consulting = await servers[2]!.consultant();
    const now = new Date(Math.ceil(Date.now() / MINUTE) * MINUTE + 5 * MINUTE).toISOString();
    const visit = { ...bookingBody({ isLiveVideoCall: true, type: "emergency" }), appointmentDate: now };
    const booked = await at(0, maria).post("/api/appointments", visit);
    expect([booked.status, booked.text]).toEqual([201, expect.any(String)]);
    const familySocket = await connectSignaling(at(0, maria), booked.json.id);
    await familySocket.join();
    const consultantSocket = await connectSignaling(at(2, consulting), booked.json.id);
    expect(await consultantSocket.join()).toMatchObject({ present: ["client", "admin"] });
    await familySocket.next("user-joined");
    consultantSocket.sendType("chat", { text: "Good morning." });
    expect(await familySocket.next("chat")).toMatchObject({ payload: { text: "Good morning." } });
    for (const side of [familySocket, consultantSocket]) side.socket.terminate();
  });

  test("lose no confirmed booking and no session when one of them is killed under load", async () => {
    const families: Family[] = [];
    for (let count = 0; count < FAMILIES; count += 1) families.push(await servers[0]!.family({ intake: true }));
    const outcomes = families.map((family) => bookMany(throughProxy(family)));
    const killed = servers[1]!;
    await Promise.race(outcomes.map(({ underWay }) => underWay));
    killed.kill("SIGKILL");
    await killed.ended;
    const results = await Promise.all(outcomes.map(({ done }) => done));
    // What was answered with 201 is there, once; what ended with its connection is there or can be booked again.
    for (const [index, { hours, confirmed }] of results.entries()) {
      const client = throughProxy(families[index]!);
      expect((await client.get("/api/auth/me")).status).toBe(200);
      const rows = (await client.get("/api/appointments")).json as { id: number; appointmentDate: string }[];
      expect(rows.map(({ appointmentDate }) => appointmentDate).toSorted()).toEqual(hours.toSorted());
      expect(confirmed.filter((id) => !rows.some((row) => row.id === id))).toEqual([]);
    }
  });

  test("lose no request at 50 requests a second during a rolling restart", async () => {
    servers[1] = await startServer({ overrides });
    routeToAll();
    const client = throughProxy(await servers[0]!.family({ intake: true }));
    const responses: Promise<number | string>[] = [];
    const load = setInterval(() => {
      const answer = client.get(responses.length % 2 === 0 ? "/api/auth/me" : "/appointments");
      responses.push(answer.then(({ status }) => status).catch(String));
    }, REQUEST_INTERVAL_MS);
    for (const [index, old] of servers.slice(0, RESTARTS).entries()) {
      await proxy.drain(old.environment.PORT);
      old.kill("SIGTERM");
      await old.ended;
      servers[index] = await startServer({ overrides });
      routeToAll();
    }
    clearInterval(load);
    const statuses = await Promise.all(responses);
    expect(statuses.length).toBeGreaterThan(50);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });
});

function throughProxy(client: TestClient): TestClient {
  const there = new TestClient(proxy.origin);
  for (const [name, value] of client.cookies) there.cookies.set(name, value);
  return there;
}

/** Books hour after hour as a program does: one that ended without an answer is sent again until it is booked. */
function bookMany(client: TestClient) {
  const underWay = Promise.withResolvers<void>();
  const run = async () => {
    const hours: string[] = [];
    const confirmed: number[] = [];
    for (let count = 0; count < BOOKINGS; count += 1) {
      const body = bookingBody();
      for (;;) {
        const response = await client.post("/api/appointments", body).catch(() => null);
        if (response === null) continue;
        // 409: the attempt before it came through, and its answer was lost.
        expect([201, 409]).toContain(response.status);
        if (response.status === 201) confirmed.push(response.json.id);
        break;
      }
      hours.push(body.appointmentDate!);
      if (count === 2) underWay.resolve();
    }
    return { hours, confirmed };
  };
  return { underWay: underWay.promise, done: run() };
}
