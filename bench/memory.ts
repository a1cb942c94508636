// Goal 7: resident memory, idle, after the same load, and when it has rested.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryFolder } from "../tests/support/temporary.ts";
import { type Running, startGenerator, startProduct, startTemplate } from "./processes.ts";
import { isQuick, median, requestText } from "./race.ts";
import type { Finding } from "./report.ts";
import { buildTemplate } from "./template.ts";

const ROUNDS = isQuick ? 1 : 3;
const REQUESTS = isQuick ? 3_000 : 15_000;
const CONNECTIONS = 32;
const REST_SECONDS = 10;
const LONGEST_SECONDS = 300;
/** Kept and rendered pages in turn; the template has one page, and renders it each time. */
const PAGES = ["/", "/?unkept=1", "/login?unkept=1", "/register?unkept=1"];

type Figures = { idle: number; loaded: number; rested: number };

export async function memory(): Promise<Finding[]> {
  const folder = await buildTemplate();
  // Making the administrator's account takes a hashing thread: idle is a process that found its database.
  const data = temporaryFolder("bench");
  await (await startProduct({}, data)).stop();
  const ours: Figures[] = [];
  const theirs: Figures[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await weigh(await startProduct({}, data), PAGES));
    theirs.push(await weigh(await startTemplate(folder), ["/"]));
  }
  const of = (list: Figures[], name: keyof Figures) => median(list.map((each) => each[name]));
  const words = (name: keyof Figures) =>
    `${of(ours, name).toFixed(0)} MiB, the template ${of(theirs, name).toFixed(0)} MiB`;
  const rested = of(ours, "rested") / of(ours, "idle");
  const load = `${REQUESTS.toLocaleString("en-US")} requests`;
  return [
    {
      goal: "7",
      what: "memory idle / template's",
      value: of(ours, "idle") / of(theirs, "idle"),
      atMost: 1.6,
      note: words("idle"),
    },
    {
      goal: "7",
      what: `memory after ${load} / template's`,
      value: of(ours, "loaded") / of(theirs, "loaded"),
      atMost: 1,
      note: words("loaded"),
    },
    { goal: "7", what: `memory ${REST_SECONDS} s later / idle`, value: rested, atMost: 1.7, note: words("rested") },
  ];
}

/** MiB of a process that is idle, just loaded, and rested; it ends. */
async function weigh(at: Running, paths: string[]): Promise<Figures> {
  const generator = startGenerator();
  try {
    for (const path of paths) await (await fetch(at.origin + path)).text();
    await sleep(isQuick ? 1000 : 5000);
    const idle = residentMemory(at.pid);
    const requests = paths.map((path) => requestText(path, at));
    const { statuses, answers } = await generator.send({
      port: at.port,
      requests,
      connections: CONNECTIONS,
      most: REQUESTS,
      seconds: LONGEST_SECONDS,
    });
    const isSame = statuses["200"] === answers && answers >= REQUESTS;
    if (!isSame) throw new Error(`Answered ${JSON.stringify(statuses)} of ${REQUESTS} requests.`);
    const loaded = residentMemory(at.pid);
    await sleep(REST_SECONDS * 1000);
    return { idle, loaded, rested: residentMemory(at.pid) };
  } finally {
    await Promise.all([generator.stop(), at.stop()]);
  }
}

function residentMemory(pid: number): number {
  const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) / 1024;
}
