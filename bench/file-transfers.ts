// Goal 10: four concurrent uploads of 50 MB and a download, compared with bare pipes. Threats U05 and D04: memory
// growth during five concurrent uploads, and with 200 slow readers of 50 MB.
import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BOUNDARY, multipart, textFile, uploadFile, uploadParts } from "../tests/support/uploads.ts";
import { type Family, createPeople } from "../tests/support/people.ts";
import { freePort } from "../tests/support/free-port.ts";
import { temporaryFolder } from "../tests/support/temporary-folder.ts";
import { startProduct, startWorker } from "./processes.ts";
import { isQuick, median } from "./compare-rates.ts";
import type { Finding } from "./report.ts";

const ROUNDS = isQuick ? 2 : 5;
const CONCURRENT_UPLOADS = 4;
const U05_CONCURRENT_UPLOADS = 5;
const SLOW_READERS = 200;
const FILE_BYTES = 50 * 1024 * 1024;
const FILE_KEYS = `bench:${Buffer.alloc(32, 7).toString("base64")}`;

type FileTarget = {
  pid: number;
  upload: () => Promise<void>;
  download: () => Promise<void>;
  stop: () => Promise<void>;
};
type FileSamples = { uploadMs: number; growthMiB: number; downloadMs: number };

export async function fileTransfers(): Promise<Finding[]> {
  const content = textFile(FILE_BYTES);
  const form = multipart(uploadParts({ bytes: content }));
  const kinds = {
    pipe: () => startPipeBaseline(content, form),
    plain: () => startProductTarget({}, content, form),
    encrypted: () => startProductTarget({ FILE_KEYS }, content, form),
  };
  const figures: Record<keyof typeof kinds, FileSamples[]> = { pipe: [], plain: [], encrypted: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const kind of ["pipe", "plain", "encrypted"] as const)
      figures[kind].push(await measureTarget(await kinds[kind]()));
  }
  const medianOf = (kind: keyof typeof kinds, name: keyof FileSamples) =>
    median(figures[kind].map((each) => each[name]));
  const ratio = (kind: "plain" | "encrypted", name: keyof FileSamples) => medianOf(kind, name) / medianOf("pipe", name);
  const note = (kind: "plain" | "encrypted", name: keyof FileSamples, unit: string) =>
    `${medianOf(kind, name).toFixed(0)} ${unit}, a bare pipe ${medianOf("pipe", name).toFixed(0)} ${unit}`;
  const slowReadersMiB = await measureSlowReaders(content);
  const concurrentMiB = await measureGrowth(
    await startProductTarget({ FILE_KEYS }, content, form),
    U05_CONCURRENT_UPLOADS,
  );
  return [
    ...(["plain", "encrypted"] as const).flatMap((kind): Finding[] => {
      const atMost = kind === "plain" ? 1.5 : 2;
      return [
        {
          goal: "10",
          label: `4 uploads of 50 MB, ${kind}: time / pipe's`,
          value: ratio(kind, "uploadMs"),
          atMost,
          note: note(kind, "uploadMs", "ms"),
        },
        {
          goal: "10",
          label: `4 uploads of 50 MB, ${kind}: memory / pipe's`,
          value: ratio(kind, "growthMiB"),
          atMost,
          note: note(kind, "growthMiB", "MiB"),
        },
        {
          goal: "10",
          label: `download, ${kind}: rate / pipe's`,
          value: 1 / ratio(kind, "downloadMs"),
          atLeast: 0.6,
          note: note(kind, "downloadMs", "ms"),
        },
      ];
    }),
    {
      goal: "U05",
      label: `${U05_CONCURRENT_UPLOADS} concurrent uploads of 50 MB: MiB of growth`,
      value: concurrentMiB,
      atMost: 60,
      note: `${concurrentMiB.toFixed(0)} MiB`,
    },
    {
      goal: "D04",
      label: `${SLOW_READERS} slow readers of 50 MB: MiB of growth`,
      value: slowReadersMiB,
      atMost: 100,
      note: `${slowReadersMiB.toFixed(0)} MiB`,
    },
  ];
}

/** Measures four concurrent uploads and the fastest of three downloads, after a warm-up. Stops the target. */
async function measureTarget(target: FileTarget): Promise<FileSamples> {
  try {
    await target.upload();
    await target.download();
    await sleep(500);
    const before = memoryMiB(target.pid, "VmRSS");
    writeFileSync(`/proc/${target.pid}/clear_refs`, "5");
    const start = performance.now();
    await Promise.all(Array.from({ length: CONCURRENT_UPLOADS }, target.upload));
    const uploadMs = performance.now() - start;
    const growthMiB = Math.max(1, memoryMiB(target.pid, "VmHWM") - before);
    const times: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      const downloadStart = performance.now();
      await target.download();
      times.push(performance.now() - downloadStart);
    }
    return { uploadMs, growthMiB, downloadMs: Math.min(...times) };
  } finally {
    await target.stop();
  }
}

/** Peak growth in MiB during concurrent uploads, in a process that has stored one file. Stops the target. */
async function measureGrowth(target: FileTarget, concurrency: number): Promise<number> {
  try {
    await sleep(500);
    const before = memoryMiB(target.pid, "VmRSS");
    writeFileSync(`/proc/${target.pid}/clear_refs`, "5");
    await Promise.all(Array.from({ length: concurrency }, target.upload));
    return Math.max(0, memoryMiB(target.pid, "VmHWM") - before);
  } finally {
    await target.stop();
  }
}

async function startPipeBaseline(content: Buffer, form: Buffer): Promise<FileTarget> {
  const folder = temporaryFolder("pipe");
  writeFileSync(path.join(folder, "file"), content);
  const port = await freePort();
  const worker = startWorker("pipe-baseline.ts", String(port), folder);
  const { pid } = (await worker.request({})) as { pid: number };
  return {
    pid,
    upload: () => sendRequest(port, "POST", "/", {}, form, 201),
    download: () => sendRequest(port, "GET", "/", {}, undefined, 200),
    stop: worker.stop,
  };
}

async function startProductTarget(
  settings: Record<string, string>,
  content: Buffer,
  form: Buffer,
): Promise<FileTarget> {
  const product = await startProduct(settings);
  const family = await createPeople(product.origin).family();
  const { id } = (await uploadFile(family, { bytes: content })).json;
  const headers = requestHeaders(family);
  const type = `multipart/form-data; boundary=${BOUNDARY}`;
  return {
    pid: product.pid,
    upload: () => sendRequest(product.port, "POST", "/api/documents", { ...headers, "Content-Type": type }, form, 201),
    download: () => sendRequest(product.port, "GET", `/api/documents/${id}/download`, headers, undefined, 200),
    stop: product.stop,
  };
}

/** Peak growth in MiB while 200 connections read a download one byte at a time. */
async function measureSlowReaders(content: Buffer): Promise<number> {
  const site = await startProduct({ FILE_KEYS });
  const family = await createPeople(site.origin).family();
  const { id } = (await uploadFile(family, { bytes: content })).json;
  await sleep(1000);
  const before = memoryMiB(site.pid, "VmRSS");
  const headers = Object.entries(requestHeaders(family)).map(([name, value]) => `${name}: ${value}\r\n`);
  const sockets = Array.from({ length: SLOW_READERS }, () => {
    const socket = connect({ port: site.port, host: "127.0.0.1" });
    socket.write(`GET /api/documents/${id}/download HTTP/1.1\r\n${headers.join("")}\r\n`);
    return socket.pause();
  });
  let peakMiB = 0;
  for (let round = 0; round < 50; round += 1) {
    for (const socket of sockets) socket.read(1);
    await sleep(100);
    peakMiB = Math.max(peakMiB, memoryMiB(site.pid, "VmRSS"));
  }
  for (const socket of sockets) socket.destroy();
  await site.stop();
  return Math.max(0, peakMiB - before);
}

function requestHeaders(family: Family): Record<string, string> {
  const cookie = [...family.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return { Host: new URL(family.origin).host, Origin: family.origin, Cookie: cookie };
}

/** Sends a request, reads the whole response and rejects when its status or size is unexpected. */
function sendRequest(
  port: number,
  method: string,
  urlPath: string,
  headers: Record<string, string>,
  body: Buffer | undefined,
  status: number,
) {
  return new Promise<void>((resolve, reject) => {
    const length = body ? { "Content-Length": body.length } : {};
    const clientRequest = request(
      { host: "127.0.0.1", port, method, path: urlPath, agent: false, headers: { ...headers, ...length } },
      (response) => {
        let bytes = 0;
        response.on("data", (part: Buffer) => (bytes += part.length));
        response.on("error", reject);
        response.on("end", () => {
          const isExpected = response.statusCode === status && (method === "POST" || bytes === FILE_BYTES);
          if (isExpected) resolve();
          else reject(new Error(`${method} ${urlPath} responded with ${response.statusCode} and ${bytes} bytes.`));
        });
      },
    );
    clientRequest.on("error", reject);
    clientRequest.end(body);
  });
}

/** MiB of resident memory as Linux reports it: current (VmRSS) or peak (VmHWM). */
function memoryMiB(pid: number, field: "VmRSS" | "VmHWM"): number {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1] ?? 0) / 1024;
}
