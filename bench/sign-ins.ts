// Goal 9: twenty people sign in at once, again and again; everyone else goes on reading.
import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { hashSync } from "bcryptjs";
import { familyPassword, createPeople } from "../tests/support/people.ts";
import type { LoadResult } from "./generator.ts";
import { type RunningServer, startGenerator, startProduct, startWorker } from "./processes.ts";
import { PACING, isQuick, median, rawRequest } from "./race.ts";
import type { Finding } from "./report.ts";

const CONCURRENT_SIGN_INS = 20;
/** Kept in memory: what it takes is the main thread's time to get to it. */
const TRIVIAL_PAGE = "/accessibility";
const PAGES_PER_SECOND = 200;
const READERS = 4;
/** bcrypt's cost of the product's own hashes. */
const COST = 11;
const STORM_SECONDS = isQuick ? 4 : 10;
const BUSY_SHARE = 0.5;
const MAX_THREADS = 8;
/** Where the system doesn't say how long each thread ran. */
const UNKNOWN_THREADS = 1;

export async function signIns(): Promise<Finding[]> {
  const product = await startProduct();
  const readers = startGenerator();
  const storm = startGenerator();
  const hashing = Array.from({ length: MAX_THREADS }, () =>
    startWorker("floors.ts", "hashing", "-", hashSync(familyPassword, COST)),
  );
  try {
    const { email } = await createPeople(product.origin).family();
    const read = () => readers.send(readLoad(product));
    const signIn = () => storm.send(signInLoad(product, email));
    await read();
    await signIn();
    const rounds: { idle: LoadResult; busy: LoadResult; storm: LoadResult; raw: number; threads: number }[] = [];
    for (let round = 0; round < PACING.rounds; round += 1) {
      const idle = await read();
      const before = threadTimes(product.pid);
      const [busy, stormed] = await Promise.all([read(), signIn()]);
      const threads = busyThreads(before, threadTimes(product.pid), stormed.seconds);
      checkStatuses({ idle, busy, storm: stormed });
      const speeds = await Promise.all(
        hashing.slice(0, threads).map(({ ask }) => ask(1000 * STORM_SECONDS) as Promise<number>),
      );
      rounds.push({ idle, busy, storm: stormed, raw: speeds.reduce((total, speed) => total + speed, 0), threads });
      await sleep(200);
    }
    const idle = median(rounds.map((round) => round.idle.p99));
    const busy = median(rounds.map((round) => round.busy.p99));
    const rate = median(rounds.map((round) => round.storm.responses / round.storm.seconds));
    const p99 = `p99 ${idle.toFixed(2)} ms idle, ${busy.toFixed(2)} ms in the storm`;
    const speed = `${rate.toFixed(1)} sign-ins a second; hashing on ${median(rounds.map(({ threads }) => threads))} thread(s)`;
    return [
      {
        goal: "9",
        label: "trivial page's p99 in a storm of 20 sign-ins / idle",
        value: busy / idle,
        atMost: 10,
        note: p99,
      },
      {
        goal: "9",
        label: "sign-ins / raw hashing on as many threads",
        value: median(rounds.map(({ storm, raw }) => storm.responses / storm.seconds / raw)),
        atLeast: 0.8,
        note: speed,
      },
    ];
  } finally {
    await Promise.all([...hashing, readers, storm, product].map((each) => each.stop()));
  }
}

function readLoad(server: RunningServer) {
  return {
    port: server.port,
    requests: [rawRequest(TRIVIAL_PAGE, server)],
    connections: READERS,
    seconds: STORM_SECONDS,
    perSecond: PAGES_PER_SECOND,
  };
}

function signInLoad(server: RunningServer, email: string) {
  const headers = { Origin: server.origin, "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" };
  const body = JSON.stringify({ email, password: familyPassword });
  const text = rawRequest("/api/auth/login", server, headers, "POST", body);
  return { port: server.port, requests: [text], connections: CONCURRENT_SIGN_INS, seconds: STORM_SECONDS };
}

function checkStatuses(loads: Record<string, LoadResult>) {
  for (const [name, { statuses, responses: answers }] of Object.entries(loads)) {
    if (statuses["200"] !== answers) throw new Error(`${name}: answered ${JSON.stringify(statuses)}`);
  }
}

/** How many threads beside the main one were busy: those do the hashing. */
function busyThreads(before: Map<string, number>, after: Map<string, number>, seconds: number): number {
  const maxSeconds = Math.max(...[...after].map(([thread, time]) => time - (before.get(thread) ?? 0)));
  const isBusy = (thread: string, time: number) =>
    time - (before.get(thread) ?? 0) > Math.max(0.1 * seconds, BUSY_SHARE * maxSeconds);
  return Math.min(MAX_THREADS, [...after].filter(([thread, time]) => isBusy(thread, time)).length || UNKNOWN_THREADS);
}

/** Seconds of processor time of each thread but the main one. */
function threadTimes(pid: number): Map<string, number> {
  const times = new Map<string, number>();
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      if (thread === String(pid)) continue;
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      times.set(thread, (Number(fields[11]) + Number(fields[12])) / 100);
    }
  } catch {
    // Only Linux keeps these figures.
  }
  return times;
}
