// Goal 11: the rate of signals relayed between two people through /ws, compared with a plain ws echo server.
import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import Database from "better-sqlite3";
import { createCookie } from "react-router";
import { migrate } from "../bin/migrate.js";
import { adminEmail, adminPassword } from "../tests/support/test-environment.ts";
import { temporaryFolder } from "../tests/support/temporary-folder.ts";
import { killOnExit, freePort, HERE, processorSeconds, startWorker } from "./processes.ts";
import { isQuick, PACING, type Rates, ratio } from "./compare-rates.ts";
import { type Finding, raceFinding } from "./report.ts";
import type { RelayResult, ClientSpec, ClientCommand } from "./ws-clients.ts";

const ROOMS = 50;
const IDLE_SOCKETS = 1_000;
/** Opened after the first thousand, which warm the process up: the growth divided by these is the cost of a socket. */
const EXTRA_IDLE_SOCKETS = isQuick ? 1_000 : 3_000;
/** The product's limit of sockets for one person. */
const TABS_PER_PERSON = 10;
/** For each socket. */
const MESSAGES_IN_FLIGHT = 4;
const SECRET = "a-secret-for-measurements-that-is-long";
const HOUR_MS = 3_600_000;

type RelayTarget = {
  child: ChildProcess;
  port: number;
  rates: Rates;
  idle: Worker;
  busy: Worker;
  specs: ReturnType<typeof clientSpecs>;
};
type Worker = ReturnType<typeof startClients>;
type Person = { cookie: string; room: number };

export async function signalForwarding(): Promise<Finding[]> {
  const people = ROOMS * 2 + (IDLE_SOCKETS + EXTRA_IDLE_SOCKETS) / TABS_PER_PERSON;
  const { url, cookies } = await seed(people);
  const product = await startTarget("signaling-server.ts", { DATABASE_URL: url }, clientSpecs(cookies, true));
  const baseline = await startTarget("baselines.ts", {}, clientSpecs(cookies, false));
  try {
    const targets = [product, baseline];
    for (const { idle, busy, port, specs } of targets) {
      await idle({ type: "open", port, clients: specs.idle.slice(0, IDLE_SOCKETS) });
      await busy({ type: "open", port, clients: specs.busy });
      await busy({ type: "measure", seconds: PACING.warmSeconds, window: MESSAGES_IN_FLIGHT });
    }
    for (let round = 0; round < PACING.rounds; round += 1) {
      for (const each of round % 2 ? targets.toReversed() : targets) await measure(each);
    }
    const bytes = [await bytesPerSocket(product), await bytesPerSocket(baseline)] as const;
    return [
      raceFinding(
        "11",
        `messages relayed in ${ROOMS} rooms / plain ws echo`,
        0.6,
        ratio(product.rates, baseline.rates),
      ),
      {
        goal: "11",
        label: "memory of an idle socket / plain ws",
        value: bytes[0] / bytes[1],
        atMost: 1.5,
        note: `${(bytes[0] / 1024).toFixed(1)} KiB, plain ${(bytes[1] / 1024).toFixed(1)} KiB, over ${EXTRA_IDLE_SOCKETS} sockets`,
      },
    ];
  } finally {
    for (const { child } of [product, baseline]) child.kill("SIGKILL");
    await Promise.all([product, baseline].flatMap(({ idle, busy }) => [idle.stop(), busy.stop()]));
  }
}

/** Adds one round to the rates of a target; throws when a message differs from what was sent. */
async function measure({ busy, child, rates }: RelayTarget): Promise<void> {
  const before = processorSeconds(child.pid ?? 0);
  const result = (await busy({
    type: "measure",
    seconds: PACING.roundSeconds,
    window: MESSAGES_IN_FLIGHT,
  })) as RelayResult;
  const after = processorSeconds(child.pid ?? 0);
  if (result.mismatched > 0 || result.messages === 0)
    throw new Error(`The relay altered messages: ${JSON.stringify(result)}`);
  rates.perSecond.push(result.messages / result.seconds);
  rates.perProcessorSecond.push(before === null || after === null ? null : result.messages / (after - before));
}

/** Bytes of memory that each additional idle socket takes. */
async function bytesPerSocket({ child, idle, port, specs }: RelayTarget): Promise<number> {
  const before = await requestMemory(child);
  await idle({ type: "open", port, clients: specs.idle.slice(IDLE_SOCKETS) });
  return ((await requestMemory(child)) - before) / EXTRA_IDLE_SOCKETS;
}

async function requestMemory(child: ChildProcess): Promise<number> {
  const reply = new Promise<number>((resolve) => child.once("message", resolve));
  child.send("memory");
  return reply;
}

async function startTarget(
  file: string,
  changes: Record<string, string>,
  specs: RelayTarget["specs"],
): Promise<RelayTarget> {
  const port = await freePort();
  const settings = {
    NODE_ENV: "production",
    TZ: "UTC",
    PORT: String(port),
    APP_ORIGIN: `http://localhost:${port}`,
    DATA_DIR: temporaryFolder("bench"),
    ADMIN_EMAIL: adminEmail,
    ADMIN_PASSWORD: adminPassword,
    SESSION_SECRET: SECRET,
    ...changes,
  };
  const child = fork(path.join(HERE, file), ["echo", String(port)], {
    cwd: path.dirname(HERE),
    execArgv: ["--expose-gc"],
    env: { PATH: process.env.PATH, ...settings },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  killOnExit(child);
  await new Promise((resolve) => child.once("message", resolve));
  const rates: Rates = { perSecond: [], perProcessorSecond: [], p99: [] };
  return { child, port, rates, specs, idle: startClients(), busy: startClients() };
}

function startClients() {
  const worker = startWorker("ws-clients.ts");
  const sendCommand = async (command: ClientCommand) => {
    const reply = (await worker.request(command)) as { failed?: string };
    if (reply.failed) throw new Error(reply.failed);
    return reply;
  };
  return Object.assign(sendCommand, { stop: worker.stop });
}

/** Two busy clients in each room, and idle ones in waiting rooms. For the baseline they are plain sockets. */
function clientSpecs(cookies: Person[], isProduct: boolean): { busy: ClientSpec[]; idle: ClientSpec[] } {
  const busy: ClientSpec[] = cookies.slice(0, 2 * ROOMS).map(({ cookie, room }) => {
    const candidate = "candidate:842163049 1 udp 1677729535 203.0.113.7 46154 typ srflx raddr 10.0.0.17 rport 46154";
    const payload = { candidate, sdpMid: "0", sdpMLineIndex: 0, usernameFragment: "EsAw" };
    const text = JSON.stringify({ type: "ice-candidate", appointmentId: room, payload });
    return isProduct ? { cookie, room, text } : { text };
  });
  const idle: ClientSpec[] = cookies
    .slice(2 * ROOMS)
    .flatMap(({ cookie, room }) =>
      Array.from({ length: TABS_PER_PERSON }, (): ClientSpec =>
        isProduct ? { cookie, room, isWaiting: true, text: "" } : { text: "" },
      ),
    );
  return { busy, idle };
}

/**
 * Creates signed-in people, with a video appointment now for each room. Drops the triggers against overlaps: one
 * consultant can't hold so many appointments at a time.
 */
async function seed(count: number): Promise<{ url: string; cookies: Person[] }> {
  const file = path.join(temporaryFolder("bench-relay"), "app.db");
  await migrate(`file:${file}`);
  const database = new Database(file);
  const triggers = database
    .prepare<[], { name: string }>(`SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%overlap%'`)
    .all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER "${name}"`);
  const cookie = createCookie("session", { secrets: [SECRET] });
  const nowMs = Date.now();
  const user = database.prepare(
    `INSERT INTO users (email, password, "firstName", "lastName", "isClient", "isAdmin", "updatedAt") VALUES (?, '-', 'First', 'Last', ?, ?, ?)`,
  );
  const session = database.prepare(`INSERT INTO sessions (sid, sess, expire, "userId") VALUES (?, ?, ?, ?)`);
  const visit = database.prepare(
    `INSERT INTO appointments ("userId", title, "appointmentDate", duration, type, "isLiveVideoCall", "updatedAt") VALUES (?, 'Visit', ?, 240, 'consultation', 1, ?)`,
  );
  const cookies: Person[] = [];
  let room = 0;
  for (let number = 0; number < count; number += 1) {
    // In each room the family comes first, then an administrator of its own.
    const isAdmin = number < 2 * ROOMS && number % 2 === 1;
    const id = Number(
      user.run(`client.${number}@example.com`, isAdmin ? 0 : 1, isAdmin ? 1 : 0, nowMs).lastInsertRowid,
    );
    session.run(`sid-${number}`, JSON.stringify({ signedInAt: nowMs, activeAt: nowMs }), nowMs + 12 * HOUR_MS, id);
    if (!isAdmin) room = Number(visit.run(id, Math.floor(nowMs / 60_000) * 60_000, nowMs).lastInsertRowid);
    cookies.push({ cookie: (await cookie.serialize(`sid-${number}`)).split(";")[0] ?? "", room });
  }
  database.close();
  return { url: `file:${file}`, cookies };
}
