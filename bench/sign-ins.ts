// Goal 9: latency of a trivial page while twenty people sign in repeatedly, and the rate of sign-ins.
import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { hashSync } from "bcryptjs";
import { familyPassword, createPeople } from "../tests/support/people.ts";
import type { LoadResult } from "./generator.ts";
import { type RunningServer, startGenerator, startProduct, startWorker } from "./processes.ts";
import { PACING, isQuick, median, rawRequest } from "./compare-rates.ts";
import type { Finding } from "./report.ts";

const CONCURRENT_SIGN_INS = 20;
/** Served from the page cache: its latency shows how busy the main thread is. */
const TRIVIAL_PAGE = "/accessibility";
const PAGES_PER_SECOND = 200;
const READERS = 4;
/** The bcrypt cost that the product uses. */
const COST = 11;
const STORM_SECONDS = isQuick ? 4 : 10;
const BUSY_SHARE = 0.5;
const MAX_THREADS = 8;
/** Assumed where /proc does not exist. */
const UNKNOWN_THREADS = 1;

export async function signIns(): Promise<Finding[]> {
  const product = await startProduct();
  const readers = startGenerator();
  const storm = startGenerator();
  const hashing = Array.from({ length: MAX_THREADS }, () =>
    startWorker("baselines.ts", "hashing", "-", hashSync(familyPassword, COST)),
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
      const [busy, signInResult] = await Promise.all([read(), signIn()]);
      const threads = busyThreads(before, threadTimes(product.pid), signInResult.seconds);
      checkStatuses({ idle, busy, storm: signInResult });
      const rates = await Promise.all(
        hashing.slice(0, threads).map(({ request }) => request(1000 * STORM_SECONDS) as Promise<number>),
      );
      rounds.push({ idle, busy, storm: signInResult, raw: rates.reduce((total, each) => total + each, 0), threads });
      await sleep(200);
    }
    const idle = median(rounds.map((round) => round.idle.p99));
    const busy = median(rounds.map((round) => round.busy.p99));
    const rate = median(rounds.map((round) => round.storm.responses / round.storm.seconds));
    const p99Note = `p99 ${idle.toFixed(2)} ms idle, ${busy.toFixed(2)} ms under sign-ins`;
    const rateNote = `${rate.toFixed(1)} sign-ins a second; hashing on ${median(rounds.map(({ threads }) => threads))} thread(s)`;
    return [
      {
        goal: "9",
        label: "trivial page's p99 during 20 concurrent sign-ins / idle",
        value: busy / idle,
        atMost: 10,
        note: p99Note,
      },
      {
        goal: "9",
        label: "sign-ins / raw hashing on as many threads",
        value: median(rounds.map(({ storm, raw }) => storm.responses / storm.seconds / raw)),
        atLeast: 0.8,
        note: rateNote,
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
  for (const [name, { statuses, responses }] of Object.entries(loads)) {
    if (statuses["200"] !== responses) throw new Error(`${name}: responded with ${JSON.stringify(statuses)}`);
  }
}

/** The number of busy threads besides the main one: those that hash passwords. */
function busyThreads(before: Map<string, number>, after: Map<string, number>, seconds: number): number {
  const maxSeconds = Math.max(...[...after].map(([thread, time]) => time - (before.get(thread) ?? 0)));
  const isBusy = (thread: string, time: number) =>
    time - (before.get(thread) ?? 0) > Math.max(0.1 * seconds, BUSY_SHARE * maxSeconds);
  return Math.min(MAX_THREADS, [...after].filter(([thread, time]) => isBusy(thread, time)).length || UNKNOWN_THREADS);
}

/** Seconds of processor time by thread, without the main one. */
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
    // Only Linux reports these figures.
  }
  return times;
}
