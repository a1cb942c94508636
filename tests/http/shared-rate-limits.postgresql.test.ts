// Proves that processes on one PostgreSQL count attempts together, and that the counters have no personal data.
import { afterAll, expect, test, vi } from "vitest";
import { TestClient } from "../support/http-client.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import { runCommand, startServer } from "../support/servers/server-process.ts";

environmentOverrides.RATE_LIMITS = "on";
const { consultant, db, environment, family, origin, testing } = await import("../support/site.ts");

const overrides = { DATABASE_URL: environment.DATABASE_URL, RATE_LIMITS: "on" };
const others: Awaited<ReturnType<typeof startServer>>[] = [];

async function startAnother(): Promise<string> {
  const started = await startServer({ overrides });
  others.push(started);
  return `http://localhost:${started.environment.PORT}`;
}

afterAll(async () => {
  for (const each of others) each.kill("SIGTERM");
  await Promise.all(others.map(({ ended }) => ended));
});

let accounts = 0;
/** Of another account each time: only the network is the same. */
async function signInWrongly(at: string): Promise<number> {
  const fields = { email: `family.${(accounts += 1)}@example.com`, password: "not this one" };
  return (await new TestClient(at).post("/api/auth/login", fields)).status;
}

test("wrong passwords from one network are limited to 10 across three processes; further ones get 429", async () => {
  const second = await startAnother();
  const statuses = await Promise.all(
    Array.from({ length: 14 }, (_, number) => signInWrongly(number % 2 === 0 ? origin : second)),
  );
  expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array<number>(10).fill(401), ...Array<number>(4).fill(429)]);
  for (const each of [origin, second, await startAnother()]) expect(await signInWrongly(each)).toBe(429);
});

test("the stored counters have hashed keys without IP or email addresses, and expire", async () => {
  const rows = await db.rateLimit.findMany({ take: 100 });
  expect(rows.length).toBeGreaterThan(2);
  for (const { key, expire } of rows) {
    expect(key).toMatch(/^[a-z0-9-]+:[\w-]{43}$/);
    expect(Number(expire)).toBeGreaterThan(Date.now());
  }
});

test("the tenth wrong password in a row gets 401, and the eleventh gets 429", async () => {
  await db.rateLimit.deleteMany();
  const statuses: number[] = [];
  for (let times = 0; times < 11; times += 1) statuses.push(await signInWrongly(origin));
  expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
});

test("20 wrong passwords on one account, across two processes, show the consultant a warning; 19 do not", async () => {
  await db.rateLimit.deleteMany();
  const tried = await family();
  const origins = [origin, others[0]?.environment.APP_ORIGIN ?? ""];
  const guess = async (number: number) => {
    const client = new TestClient(origins[number % 2] ?? "");
    client.ip = `127.0.9.${number}`;
    return (await client.post("/api/auth/login", { email: tried.email, password: "not this one" })).status;
  };
  const warned = async () => {
    await testing.refreshWarnings();
    return (await (await consultant()).get("/dashboard")).visibleText.includes(`/families/${tried.id}`);
  };
  for (let number = 1; number <= 19; number += 1) expect(await guess(number)).toBe(401);
  expect(await warned()).toBe(false);
  expect(await guess(20)).toBe(401);
  expect(await warned()).toBe(true);
});

test("counters that ended over an hour ago are deleted every five minutes, so that the table does not grow", async () => {
  const [ended, recent, running] = ["ended", "recent", "running"].map((name) => `sign-in-0:${name.padEnd(43, "-")}`);
  const minutesFromNow = (minutes: number) => BigInt(Date.now() + minutes * 60_000);
  const rows = [
    { key: ended!, points: 1, expire: minutesFromNow(-61) },
    { key: recent!, points: 1, expire: minutesFromNow(-59) },
    { key: running!, points: 1, expire: minutesFromNow(15) },
  ];
  await db.rateLimit.createMany({ data: rows });
  const { SharedAttemptCounter } = await import("../../app/db/shared-attempt-counter.server.ts");
  const timer = vi.spyOn(globalThis, "setTimeout").mockReturnValue({ unref: () => {} } as NodeJS.Timeout);
  for (const name of ["first", "second", "third"]) new SharedAttemptCounter(name, 1, 60);
  const sweeps = timer.mock.calls.filter(([, milliseconds]) => milliseconds === 5 * 60_000);
  timer.mockRestore();
  expect(sweeps).toHaveLength(1);
  sweeps[0]?.[0]();
  const left = async () =>
    (await db.rateLimit.findMany({ where: { key: { in: rows.map(({ key }) => key) } } })).map(({ key }) => key);
  await expect.poll(left).not.toContain(ended);
  expect((await left()).toSorted()).toEqual([recent, running]);
});

test("the operator's clear-limits command deletes the counted attempts, so that sign-in is possible again", async () => {
  const { code, output } = await runCommand(["bin/admin.js", "clear-limits"], { ...environment, ON_PINNED_NODE: "1" });
  expect([code, output]).toEqual([0, expect.stringContaining("The counted attempts are deleted.")]);
  expect(await signInWrongly(origin)).toBe(401);
});
