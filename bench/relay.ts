// Goal 11: what two people of a visit say to each other passes through /ws, beside plain ws that echoes it.
import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import Database from "better-sqlite3";
import { createCookie } from "react-router";
import { migrate } from "../bin/migrate.js";
import { adminEmail, adminPassword } from "../tests/support/settings.ts";
import { temporaryFolder } from "../tests/support/temporary.ts";
import { endWithUs, freePort, HERE, processorSeconds, startWorker } from "./processes.ts";
import { isQuick, PACE, type Rates, ratio } from "./race.ts";
import { type Finding, ofRace } from "./report.ts";
import type { Talked, Talker, TalkOrder } from "./talkers.ts";

const ROOMS = 50;
const IDLE = 1_000;
/** Beside the first thousand, which warm the process up: what these add is what a socket takes. */
const MORE_IDLE = isQuick ? 1_000 : 3_000;
/** A person has at most ten tabs. */
const TABS = 10;
/** Messages under way on each socket. */
const WINDOW = 4;
const SECRET = "a-secret-for-measurements-that-is-long";
const HOUR = 3_600_000;

type Under = {
  child: ChildProcess;
  port: number;
  rates: Rates;
  idle: Worker;
  busy: Worker;
  talkers: ReturnType<typeof talkersOf>;
};
type Worker = ReturnType<typeof startTalkers>;
type Person = { cookie: string; room: number };

export async function relay(): Promise<Finding[]> {
  const people = ROOMS * 2 + (IDLE + MORE_IDLE) / TABS;
  const { url, cookies } = await seed(people);
  const product = await begin("relay-product.ts", { DATABASE_URL: url }, talkersOf(cookies, true));
  const floor = await begin("floors.ts", {}, talkersOf(cookies, false));
  try {
    const both = [product, floor];
    for (const { idle, busy, port, talkers } of both) {
      await idle({ do: "open", port, talkers: talkers.idle.slice(0, IDLE) });
      await busy({ do: "open", port, talkers: talkers.busy });
      await busy({ do: "talk", seconds: PACE.warmSeconds, window: WINDOW });
    }
    for (let round = 0; round < PACE.rounds; round += 1) {
      for (const each of round % 2 ? both.toReversed() : both) await measure(each);
    }
    const bytes = [await perSocket(product), await perSocket(floor)] as const;
    return [
      {
        ...ofRace("11", `messages relayed in ${ROOMS} rooms / plain ws echo`, 0.6, ratio(product.rates, floor.rates)),
      },
      {
        goal: "11",
        what: "memory of an idle socket / plain ws",
        value: bytes[0] / bytes[1],
        atMost: 1.5,
        note: `${(bytes[0] / 1024).toFixed(1)} KiB, plain ${(bytes[1] / 1024).toFixed(1)} KiB, over ${MORE_IDLE} sockets`,
      },
    ];
  } finally {
    for (const { child } of [product, floor]) child.kill("SIGKILL");
    await Promise.all([product, floor].flatMap(({ idle, busy }) => [idle.stop(), busy.stop()]));
  }
}

/** One turn of one target; wrong bytes end the run. */
async function measure({ busy, child, rates }: Under): Promise<void> {
  const before = processorSeconds(child.pid ?? 0);
  const talked = (await busy({ do: "talk", seconds: PACE.roundSeconds, window: WINDOW })) as Talked;
  const after = processorSeconds(child.pid ?? 0);
  if (talked.odd > 0 || talked.messages === 0)
    throw new Error(`The relay said something else: ${JSON.stringify(talked)}`);
  rates.perSecond.push(talked.messages / talked.seconds);
  rates.perProcessorSecond.push(before === null || after === null ? null : talked.messages / (after - before));
}

/** Bytes that one more idle socket takes. */
async function perSocket({ child, idle, port, talkers }: Under): Promise<number> {
  const before = await memoryOf(child);
  await idle({ do: "open", port, talkers: talkers.idle.slice(IDLE) });
  return ((await memoryOf(child)) - before) / MORE_IDLE;
}

async function memoryOf(child: ChildProcess): Promise<number> {
  const answer = new Promise<number>((resolve) => child.once("message", resolve));
  child.send("memory");
  return answer;
}

async function begin(file: string, changes: Record<string, string>, talkers: Under["talkers"]): Promise<Under> {
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
  endWithUs(child);
  await new Promise((resolve) => child.once("message", resolve));
  const rates: Rates = { perSecond: [], perProcessorSecond: [], p99: [] };
  return { child, port, rates, talkers, idle: startTalkers(), busy: startTalkers() };
}

function startTalkers() {
  const worker = startWorker("talkers.ts");
  const ask = async (order: TalkOrder) => {
    const answer = (await worker.ask(order)) as { failed?: string };
    if (answer.failed) throw new Error(answer.failed);
    return answer;
  };
  return Object.assign(ask, { stop: worker.stop });
}

/** Two in each of fifty rooms, and those who only wait. For plain ws they are sockets like any. */
function talkersOf(cookies: Person[], isProduct: boolean): { busy: Talker[]; idle: Talker[] } {
  const busy = cookies.slice(0, 2 * ROOMS).map(({ cookie, room }) => {
    const candidate = "candidate:842163049 1 udp 1677729535 203.0.113.7 46154 typ srflx raddr 10.0.0.17 rport 46154";
    const payload = { candidate, sdpMid: "0", sdpMLineIndex: 0, usernameFragment: "EsAw" };
    const text = JSON.stringify({ type: "ice-candidate", appointmentId: room, payload });
    return isProduct ? { cookie, room, text } : { text };
  });
  const idle = cookies
    .slice(2 * ROOMS)
    .flatMap(({ cookie, room }) =>
      Array.from({ length: TABS }, () => (isProduct ? { cookie, room, waiting: true, text: "" } : { text: "" })),
    );
  return { busy, idle };
}

/** People who are signed in, each pair with a visit now: far more at once than the practice ever has, so its rule that no two overlap is lifted. */
async function seed(count: number): Promise<{ url: string; cookies: Person[] }> {
  const file = path.join(temporaryFolder("bench-relay"), "app.db");
  await migrate(`file:${file}`);
  const database = new Database(file);
  const triggers = database
    .prepare<[], { name: string }>(`SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%overlap%'`)
    .all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER "${name}"`);
  const cookie = createCookie("session", { secrets: [SECRET] });
  const time = Date.now();
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
    // In each room the family sits down first, then a consultant of its own.
    const isAdmin = number < 2 * ROOMS && number % 2 === 1;
    const id = Number(user.run(`talker.${number}@example.com`, isAdmin ? 0 : 1, isAdmin ? 1 : 0, time).lastInsertRowid);
    session.run(`sid-${number}`, JSON.stringify({ signedInAt: time, activeAt: time }), time + 12 * HOUR, id);
    if (!isAdmin) room = Number(visit.run(id, Math.floor(time / 60_000) * 60_000, time).lastInsertRowid);
    cookies.push({ cookie: (await cookie.serialize(`sid-${number}`)).split(";")[0] ?? "", room });
  }
  database.close();
  return { url: `file:${file}`, cookies };
}
