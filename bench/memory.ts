// Goal 7: resident memory when idle, after a load, and ten seconds later, compared with the framework's template.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryFolder } from "../tests/support/temporary-folder.ts";
import { type RunningServer, startGenerator, startProduct, startTemplate } from "./processes.ts";
import { isQuick, median, rawRequest } from "./compare-rates.ts";
import type { Finding } from "./report.ts";
import { buildTemplate } from "./starter-app.ts";

const ROUNDS = isQuick ? 1 : 3;
const REQUESTS = isQuick ? 3_000 : 15_000;
const CONNECTIONS = 32;
const REST_SECONDS = 10;
const TIMEOUT_SECONDS = 300;
/** Cached and rendered pages in rotation; the template renders its only page each time. */
const PAGES = ["/", "/?uncached=1", "/login?uncached=1", "/register?uncached=1"];

type MemorySamples = { idle: number; loaded: number; rested: number };

export async function memory(): Promise<Finding[]> {
  const folder = await buildTemplate();
  // Creating the administrator's account starts a hashing thread: the idle process measured here finds it done.
  const data = temporaryFolder("bench");
  await (await startProduct({}, data)).stop();
  const product: MemorySamples[] = [];
  const template: MemorySamples[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    product.push(await sampleMemory(await startProduct({}, data), PAGES));
    template.push(await sampleMemory(await startTemplate(folder), ["/"]));
  }
  const medianOf = (list: MemorySamples[], name: keyof MemorySamples) => median(list.map((each) => each[name]));
  const note = (name: keyof MemorySamples) =>
    `${medianOf(product, name).toFixed(0)} MiB, the template ${medianOf(template, name).toFixed(0)} MiB`;
  const rested = medianOf(product, "rested") / medianOf(product, "idle");
  const load = `${REQUESTS.toLocaleString("en-US")} requests`;
  return [
    {
      goal: "7",
      label: "memory idle / template's",
      value: medianOf(product, "idle") / medianOf(template, "idle"),
      atMost: 1.6,
      note: note("idle"),
    },
    {
      goal: "7",
      label: `memory after ${load} / template's`,
      value: medianOf(product, "loaded") / medianOf(template, "loaded"),
      atMost: 1,
      note: note("loaded"),
    },
    { goal: "7", label: `memory ${REST_SECONDS} s later / idle`, value: rested, atMost: 1.7, note: note("rested") },
  ];
}

/** Resident MiB of a server when idle, after the load and after a rest. Stops the server. */
async function sampleMemory(server: RunningServer, paths: string[]): Promise<MemorySamples> {
  const generator = startGenerator();
  try {
    for (const path of paths) await (await fetch(server.origin + path)).text();
    await sleep(isQuick ? 1000 : 5000);
    const idle = residentMemory(server.pid);
    const requests = paths.map((path) => rawRequest(path, server));
    const { statuses, responses } = await generator.send({
      port: server.port,
      requests,
      connections: CONNECTIONS,
      maxRequests: REQUESTS,
      seconds: TIMEOUT_SECONDS,
    });
    const isComplete = statuses["200"] === responses && responses >= REQUESTS;
    if (!isComplete) throw new Error(`Of ${REQUESTS} requests the statuses were ${JSON.stringify(statuses)}.`);
    const loaded = residentMemory(server.pid);
    await sleep(REST_SECONDS * 1000);
    return { idle, loaded, rested: residentMemory(server.pid) };
  } finally {
    await Promise.all([generator.stop(), server.stop()]);
  }
}

function residentMemory(pid: number): number {
  const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) / 1024;
}
