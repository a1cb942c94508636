// Goal 10: four uploads of 50 MB at once and a download beside bare pipes; threats U05 and D04: memory of five uploads at
// once, and of 200 slow readers of 50 MB.
import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BOUNDARY, multipart, textOf, uploadFile, uploadParts } from "../tests/support/files.ts";
import { type Family, peopleAt } from "../tests/support/people.ts";
import { freePort } from "../tests/support/ports.ts";
import { temporaryFolder } from "../tests/support/temporary.ts";
import { startProduct, startWorker } from "./processes.ts";
import { isQuick, median } from "./race.ts";
import type { Finding } from "./report.ts";

const ROUNDS = isQuick ? 2 : 5;
const AT_ONCE = 4;
const U05_AT_ONCE = 5;
const READERS = 200;
const BYTES = 50 * 1024 * 1024;
const FILE_KEYS = `bench:${Buffer.alloc(32, 7).toString("base64")}`;

type Target = { pid: number; upload: () => Promise<void>; download: () => Promise<void>; stop: () => Promise<void> };
type Figures = { uploadMs: number; growthMiB: number; downloadMs: number };

export async function files(): Promise<Finding[]> {
  const whole = textOf(BYTES);
  const form = multipart(uploadParts({ bytes: whole }));
  const kinds = {
    floor: () => startFloor(whole, form),
    plain: () => startOurs({}, whole, form),
    encrypted: () => startOurs({ FILE_KEYS }, whole, form),
  };
  const figures: Record<keyof typeof kinds, Figures[]> = { floor: [], plain: [], encrypted: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const kind of ["floor", "plain", "encrypted"] as const) figures[kind].push(await weigh(await kinds[kind]()));
  }
  const of = (kind: keyof typeof kinds, name: keyof Figures) => median(figures[kind].map((each) => each[name]));
  const ratio = (kind: "plain" | "encrypted", name: keyof Figures) => of(kind, name) / of("floor", name);
  const words = (kind: "plain" | "encrypted", name: keyof Figures, unit: string) =>
    `${of(kind, name).toFixed(0)} ${unit}, a bare pipe ${of("floor", name).toFixed(0)} ${unit}`;
  const slow = await slowReaders(whole);
  const together = await growthOf(await startOurs({ FILE_KEYS }, whole, form), U05_AT_ONCE);
  return [
    ...(["plain", "encrypted"] as const).flatMap((kind): Finding[] => {
      const atMost = kind === "plain" ? 1.5 : 2;
      return [
        {
          goal: "10",
          what: `4 uploads of 50 MB, ${kind}: time / pipe's`,
          value: ratio(kind, "uploadMs"),
          atMost,
          note: words(kind, "uploadMs", "ms"),
        },
        {
          goal: "10",
          what: `4 uploads of 50 MB, ${kind}: memory / pipe's`,
          value: ratio(kind, "growthMiB"),
          atMost,
          note: words(kind, "growthMiB", "MiB"),
        },
        {
          goal: "10",
          what: `download, ${kind}: rate / pipe's`,
          value: 1 / ratio(kind, "downloadMs"),
          atLeast: 0.6,
          note: words(kind, "downloadMs", "ms"),
        },
      ];
    }),
    {
      goal: "U05",
      what: `${U05_AT_ONCE} uploads of 50 MB at once: MiB of growth`,
      value: together,
      atMost: 60,
      note: `${together.toFixed(0)} MiB`,
    },
    {
      goal: "D04",
      what: `${READERS} slow readers of 50 MB: MiB of growth`,
      value: slow,
      atMost: 100,
      note: `${slow.toFixed(0)} MiB`,
    },
  ];
}

/** One warm-up upload; then four at once, and downloads, the best of three. */
async function weigh(target: Target): Promise<Figures> {
  try {
    await target.upload();
    await target.download();
    await sleep(500);
    const before = resident(target.pid, "VmRSS");
    writeFileSync(`/proc/${target.pid}/clear_refs`, "5");
    const start = performance.now();
    await Promise.all(Array.from({ length: AT_ONCE }, target.upload));
    const uploadMs = performance.now() - start;
    const growthMiB = Math.max(1, resident(target.pid, "VmHWM") - before);
    const times: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      const began = performance.now();
      await target.download();
      times.push(performance.now() - began);
    }
    return { uploadMs, growthMiB, downloadMs: Math.min(...times) };
  } finally {
    await target.stop();
  }
}

/** MiB by which a process that has taken one file grows while it takes so many at once; it ends. */
async function growthOf(target: Target, atOnce: number): Promise<number> {
  try {
    await sleep(500);
    const before = resident(target.pid, "VmRSS");
    writeFileSync(`/proc/${target.pid}/clear_refs`, "5");
    await Promise.all(Array.from({ length: atOnce }, target.upload));
    return Math.max(0, resident(target.pid, "VmHWM") - before);
  } finally {
    await target.stop();
  }
}

async function startFloor(whole: Buffer, form: Buffer): Promise<Target> {
  const folder = temporaryFolder("pipe");
  writeFileSync(path.join(folder, "file"), whole);
  const port = await freePort();
  const worker = startWorker("pipe-floor.ts", String(port), folder);
  const { pid } = (await worker.ask({})) as { pid: number };
  return {
    pid,
    upload: () => exchange(port, "POST", "/", {}, form, 201),
    download: () => exchange(port, "GET", "/", {}, undefined, 200),
    stop: worker.stop,
  };
}

async function startOurs(changes: Record<string, string>, whole: Buffer, form: Buffer): Promise<Target> {
  const site = await startProduct(changes);
  const family = await peopleAt(site.origin).family();
  const { id } = (await uploadFile(family, { bytes: whole })).json;
  const headers = headersOf(family);
  const type = `multipart/form-data; boundary=${BOUNDARY}`;
  return {
    pid: site.pid,
    upload: () => exchange(site.port, "POST", "/api/documents", { ...headers, "Content-Type": type }, form, 201),
    download: () => exchange(site.port, "GET", `/api/documents/${id}/download`, headers, undefined, 200),
    stop: site.stop,
  };
}

/** MiB by which the process grows while so many connections read one byte a while and the rest waits. */
async function slowReaders(whole: Buffer): Promise<number> {
  const site = await startProduct({ FILE_KEYS });
  const family = await peopleAt(site.origin).family();
  const { id } = (await uploadFile(family, { bytes: whole })).json;
  await sleep(1000);
  const before = resident(site.pid, "VmRSS");
  const headers = Object.entries(headersOf(family)).map(([name, value]) => `${name}: ${value}\r\n`);
  const sockets = Array.from({ length: READERS }, () => {
    const socket = connect({ port: site.port, host: "127.0.0.1" });
    socket.write(`GET /api/documents/${id}/download HTTP/1.1\r\n${headers.join("")}\r\n`);
    return socket.pause();
  });
  let most = 0;
  for (let turn = 0; turn < 50; turn += 1) {
    for (const socket of sockets) socket.read(1);
    await sleep(100);
    most = Math.max(most, resident(site.pid, "VmRSS"));
  }
  for (const socket of sockets) socket.destroy();
  await site.stop();
  return Math.max(0, most - before);
}

function headersOf(family: Family): Record<string, string> {
  const cookie = [...family.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return { Host: new URL(family.origin).host, Origin: family.origin, Cookie: cookie };
}

/** Sends, reads the whole answer, and sees that it is the one that is meant. */
function exchange(
  port: number,
  method: string,
  address: string,
  headers: Record<string, string>,
  body: Buffer | undefined,
  status: number,
) {
  return new Promise<void>((resolve, reject) => {
    const length = body ? { "Content-Length": body.length } : {};
    const sent = request(
      { host: "127.0.0.1", port, method, path: address, agent: false, headers: { ...headers, ...length } },
      (answer) => {
        let bytes = 0;
        answer.on("data", (part: Buffer) => (bytes += part.length));
        answer.on("error", reject);
        answer.on("end", () => {
          const isRight = answer.statusCode === status && (method === "POST" || bytes === BYTES);
          if (isRight) resolve();
          else reject(new Error(`${method} ${address} was answered with ${answer.statusCode} and ${bytes} bytes.`));
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** MiB, as the system counts them: what is resident now (VmRSS), or was at most (VmHWM). */
function resident(pid: number, which: "VmRSS" | "VmHWM"): number {
  const line = new RegExp(`^${which}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1] ?? 0) / 1024;
}
