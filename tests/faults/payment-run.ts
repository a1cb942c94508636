import { setTimeout as sleep } from "node:timers/promises";
import type { createDatabaseClient } from "../../app/db/database-client.server.ts";
import type { TestResponse } from "../support/http-client.ts";
import { type Family, signInAs } from "../support/people.ts";
import { startServer } from "../support/servers/server-process.ts";
import type { ApiCall } from "../support/servers/fake-square-ledger.ts";
import { type Fault, type FakeSquare, startFakeSquare } from "../support/servers/fake-square.ts";
import { compareLedgers } from "./compare-ledgers.ts";
import { seededRandom } from "./seeded-random.ts";

type Database = Awaited<ReturnType<typeof createDatabaseClient>>;
type Site = Awaited<ReturnType<typeof startServer>>;

export type PaymentRun = {
  databaseUrl: string;
  database: Database;
  folder: string;
  payments: number;
  /** How often the server is killed, at a moment chosen by chance. */
  kills: number;
  families: number;
  concurrency: number;
  seed: number;
  providerSeconds: number;
  /** How often a family retries with the same key after its connection broke. */
  tries: number;
  /** Waits until nothing is unfinished; may restart the server. */
  waitUntilSettled: (run: { unfinished: () => Promise<number>; restart: () => Promise<void> }) => Promise<void>;
};

const FAULTS: readonly (Fault | "decline" | null)[] = [
  { kind: "status", status: 500, when: "before" },
  { kind: "status", status: 503, when: "after" },
  { kind: "status", status: 429, when: "before" },
  { kind: "cut", when: "before" },
  { kind: "cut", when: "after" },
  { kind: "slow", milliseconds: 150 },
];
const TIMEOUT_FAULTS: readonly Fault[] = [
  { kind: "silent", when: "before" },
  { kind: "silent", when: "after" },
];
const QUARTER_HOUR_MS = 15 * 60_000;

/** Many families pay at once while Square fails and the server is killed; then both ledgers are compared. */
export async function runPayments(run: PaymentRun) {
  const random = seededRandom(run.seed);
  const square = await startFakeSquare();
  const kills = planKills(run, random);
  const settings = squareSettings(square, run);
  let site: Site = await startServer({ overrides: settings });
  let restarting = Promise.resolve();
  let isRestarting = false;
  const families = await registerFamilies(site, run.families);
  const counts = { paid: 0, declined: 0, taken: 0, unknown: 0, failed: 0, connectionLost: 0, cancelled: 0, other: 0 };
  const other: string[] = [];
  let startedPayments = 0;

  square.fail((call) => {
    const { chance } = random;
    if (call.path.endsWith("/payments") && call.method === "POST" && kills.next(startedPayments))
      scheduleKill(call, chance());
    if (chance() < 0.004) return random.pick(TIMEOUT_FAULTS);
    return chance() < 0.08 ? (random.pick(FAULTS) as Fault) : null;
  });

  /** Kills the server within 60 ms: before Square gets the call, while it responds, or between later steps. */
  function scheduleKill(_: ApiCall, chance: number) {
    setTimeout(() => void restart(), chance * 60);
  }

  function restart(): Promise<void> {
    if (!isRestarting) {
      isRestarting = true;
      restarting = restartServer().finally(() => (isRestarting = false));
    }
    return restarting;
  }

  async function restartServer() {
    site.kill("SIGKILL");
    await site.ended;
    site = await startServer({ overrides: { ...settings, ...addressOf(site) } });
  }

  const start = firstQuarter();
  async function payOne(number: number) {
    startedPayments = number;
    // Every tenth slot is requested twice.
    const slotNumber = number % 10 === 9 ? number - 1 : number;
    const appointmentDate = new Date(start + slotNumber * QUARTER_HOUR_MS).toISOString();
    const family = families[number % families.length] as Family;
    const sourceId = random.chance() < 0.05 ? "cnon:card-nonce-declined" : "cnon:card-nonce-ok";
    const appointmentData = { title: "Hourly Consulting", appointmentDate, duration: 15, type: "emergency" };
    const order = { sourceId, amount: 75, idempotencyKey: `${run.seed}-${number}`, appointmentData };
    const clicks = random.chance() < 0.05 ? 3 : 1;
    const responses = await Promise.all(Array.from({ length: clicks }, () => payWithRetries(family, order)));
    for (const answer of responses.slice(0, 1)) count(answer);
    const paid = responses.find((answer) => answer?.status === 200);
    if (paid && random.chance() < 0.1) {
      const cancellation = await family.delete(`/api/appointments/${paid.json.appointment.id}`).catch(() => null);
      if (cancellation?.status === 200) counts.cancelled += 1;
    }
  }

  async function payWithRetries(family: Family, order: object): Promise<TestResponse | null> {
    for (let tries = 0; tries < run.tries; tries++) {
      // Waits for a restarting server: retries against none would prove nothing.
      await restarting;
      const response = await family.post("/api/payments/process", order).catch(() => null);
      if (response && response.status !== 503) return response;
      await sleep(50);
    }
    return null;
  }

  function count(response: TestResponse | null) {
    const names: Record<number, keyof typeof counts> = {
      200: "paid",
      402: "declined",
      409: "taken",
      504: "unknown",
      502: "failed",
    };
    const name = response ? (names[response.status] ?? "other") : "connectionLost";
    counts[name] += 1;
    if (name === "other") other.push(`${response?.status} ${response?.text.slice(0, 200)}`);
  }

  await inParallel(run.payments, run.concurrency, payOne);
  await restarting;
  square.fail();
  const ended = performance.now();
  const unfinished = () =>
    run.database.payment
      .count({ where: { state: { notIn: ["paid", "declined", "voided"] } } })
      .then(
        async (payments) =>
          payments + (await run.database.refund.count({ where: { state: { in: ["asked", "accepted"] } } })),
      );
  await run.waitUntilSettled({ unfinished, restart });
  const settledInSeconds = (performance.now() - ended) / 1000;
  const log = site.output();
  site.kill("SIGTERM");
  await site.ended;
  await square.stop();
  const ledger = await compareLedgers(run.database, square.ledger);
  return { ...ledger, counts, other, kills: kills.done(), calls: square.calls.length, settledInSeconds, log };
}

function planKills({ kills, payments }: PaymentRun, { chance }: ReturnType<typeof seededRandom>) {
  const left = Array.from({ length: kills }, () => Math.floor(chance() * payments)).sort((a, b) => a - b);
  let done = 0;
  return {
    next: (startedPayments: number) => {
      if (left.length === 0 || (left[0] ?? 0) > startedPayments) return false;
      left.shift();
      done += 1;
      return true;
    },
    done: () => done,
  };
}

function squareSettings(square: FakeSquare, { databaseUrl, folder, providerSeconds }: PaymentRun) {
  return {
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    PAYMENTS: "square",
    SQUARE_ENVIRONMENT: "sandbox",
    SQUARE_APPLICATION_ID: "sandbox-application",
    SQUARE_LOCATION_ID: "L1",
    SQUARE_ACCESS_TOKEN: "stand-in-token",
    SQUARE_BASE_URL: square.url,
    SQUARE_TIMEOUT_SECONDS: String(providerSeconds),
  };
}

function addressOf({ environment: { PORT, APP_ORIGIN } }: Site) {
  return { PORT, APP_ORIGIN };
}

async function registerFamilies(site: Site, count: number): Promise<Family[]> {
  const families: Family[] = [];
  for (let number = 0; number < count; number++) families.push(await site.family({ intake: true }));
  await signInAs(site.origin, site.environment.ADMIN_EMAIL, site.environment.ADMIN_PASSWORD);
  return families;
}

/** Midnight in a week; emergencies may begin at any hour. */
function firstQuarter(): number {
  const day = 24 * 60 * 60_000;
  return Math.ceil(Date.now() / day) * day + 7 * day;
}

async function inParallel(count: number, atOnce: number, work: (number: number) => Promise<void>) {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
