import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { startServer } from "../support/servers/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fuzzFrames } from "./frame-fuzzer.ts";
import type { Measurement } from "./probe.ts";
import { inMebibytes, connectProbe } from "./probe-client.ts";
import { type Input, input, LATEST_VISIT } from "./request-inputs.ts";
import { createFuzzerAccounts, type People } from "./fuzzer-accounts.ts";

/** The goal for one request, measured as the shortest of `TRIES`: a busy machine delays a process, too. */
const MAX_DELAY_MS = 250;
const TRIES = 12;
const MAX_ANSWER_BYTES = 512 * 1024;
/** What is typed comes back escaped, in the page and in its data. */
const MAX_ANSWER_BYTES_PER_BYTE = 16;
/** What proxies accept of an answer by default. */
const MAX_HEADER_BYTES = 8 * 1024;
const MAX_ANSWER_MS = 30_000;
const MAX_FAULTS = 20;
const MAX_DOWNLOAD_TRIES = 10;
/** Requests under way at the same time. */
const CONCURRENCY = 12;
const PROBE_INTERVAL_MS = 50;
const INPUTS_AT_ONCE = 100;
/** A prime, so that the parts of two seeds differ. */
const SEED_STEP = 7_919;
const FRAMES_PER_REQUEST = 0.1;
/**
 * Requests after which growth is measured: a share of all, at most so many. Until then V8 compiles what is used (20 MB of
 * code), and parts of Node's own file are read in for the first time; neither is a leak.
 */
const WARM_UP = 0.2;
const MAX_WARM_UP = 50_000;
/** A long run tells how far it is so often. */
const REPORT_INTERVAL_MS = 60_000;

type Plan = { template: string; count: number; seed: number; maxMs: number };
type Sent = { status: number; bytes: number; fault: string | null; endsSession: boolean; isCutOff?: boolean };

/**
 * Sends so many requests that no page of ours would send, or as many as `maxMs` allows, a few at a time, to a server
 * process of its own, and frames to its socket. Returns what was answered, the longest that one request kept the event
 * loop waiting, what the memory grew by, and every fault: a 5xx, no answer, an answer out of all proportion, a blocked
 * event loop, a dead process.
 */
export async function fuzzRequests({ template, count, seed, maxMs }: Plan) {
  const socket = path.join(temporaryFolder("probe"), "probe");
  const site = await startServer({
    template,
    overrides: {
      NODE_OPTIONS: `--import=${pathToFileURL(path.join(import.meta.dirname, "probe.ts")).href}`,
      PROBE_SOCKET: socket,
      LOG_LEVEL: "error",
    },
  });
  const probe = await connectProbe(socket);
  const people = await createFuzzerAccounts(site);
  const statuses: Record<number, number> = {};
  const faults: string[] = [];
  const slowest = { delayMs: 0, request: "" };
  const inputs = inputsOf(seed);
  let slowBatches = 0;
  let before: Measurement | null = null;
  let sent = 0;
  /** What may have caused a delay: sent, or answered, since the last look at it. */
  let suspects: Input[] = [];
  const began = performance.now();
  let reportedAt = began;
  const isOver = () => sent >= count || performance.now() - began > maxMs || faults.length >= MAX_FAULTS;

  const sendOne = async (each: Input) => {
    // A download ends with its session, which another request has ended: it is sent again in the restored one.
    for (let tries = 1; ; tries += 1) {
      const answer = await send(people, each);
      if (answer.endsSession || answer.isCutOff) await people.restore(each.role);
      if (!answer.isCutOff || tries === MAX_DOWNLOAD_TRIES) return answer;
    }
  };

  const sendInputs = async (until: () => boolean) => {
    while (!until()) {
      const each = inputs.next().value as Input;
      sent += 1;
      suspects.push(each);
      const { status, fault } = await sendOne(each);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (fault) faults.push(`${fault}: ${describeInput(each)}`);
      suspects.push(each);
    }
  };

  const measureDelay = async (each: Input) => {
    let minDelayMs = Infinity;
    for (let tries = 0; tries < TRIES && minDelayMs > MAX_DELAY_MS; tries += 1) {
      await probe.query("delay");
      await sendOne(each);
      minDelayMs = Math.min(minDelayMs, (await probe.query("delay")).maxDelayMs);
    }
    if (minDelayMs > slowest.delayMs)
      Object.assign(slowest, { delayMs: Math.round(minDelayMs), request: describeInput(each) });
    if (minDelayMs > MAX_DELAY_MS) faults.push(`blocks for ${Math.round(minDelayMs)} ms: ${describeInput(each)}`);
  };

  /** Sends for as long as nothing keeps the event loop waiting; then sends what may have done so again, one by one. */
  while (!isOver()) {
    let isPaused = false;
    const workers = Promise.all(Array.from({ length: CONCURRENCY }, () => sendInputs(() => isPaused || isOver())));
    let maxDelayMs = 0;
    while (!isPaused && !isOver()) {
      await Promise.race([workers, setTimeout(PROBE_INTERVAL_MS)]);
      const recentInputs = suspects;
      suspects = [];
      ({ maxDelayMs } = await probe.query("delay"));
      if (maxDelayMs > MAX_DELAY_MS) {
        isPaused = true;
        suspects = [...recentInputs, ...suspects];
      } else if (maxDelayMs > slowest.delayMs) {
        Object.assign(slowest, { delayMs: Math.round(maxDelayMs), request: "several at once" });
      }
      if (before === null && sent >= Math.min(count * WARM_UP, MAX_WARM_UP)) before = await probe.query("collect");
      if (performance.now() - reportedAt > REPORT_INTERVAL_MS) {
        reportedAt = performance.now();
        const seconds = Math.round((reportedAt - began) / 1000);
        const memory = inMebibytes(await probe.query("delay"));
        console.log(JSON.stringify({ sent, seconds, statuses, slowest, crowded: slowBatches, memory, faults }));
        await people.book();
      }
    }
    await workers;
    if (maxDelayMs <= MAX_DELAY_MS) continue;
    slowBatches += 1;
    const inputsToMeasure = new Set(suspects);
    for (const each of inputsToMeasure) await measureDelay(each);
    suspects = [];
  }

  const families = [await site.family(), await site.family()];
  const frames = await fuzzFrames({
    count: Math.ceil(sent * FRAMES_PER_REQUEST),
    seed,
    browsers: families,
    rooms: [1, 2, people.latestVisit(), 2_000_000_000],
    atOnce: 4,
  });
  for (const code of frames.unexpectedCodes) faults.push(`a socket was closed with ${code}`);
  const after = await probe.query("collect");
  const alive = await site.visitor().get("/readyz");
  if (alive.status !== 200) faults.push(`the process is not ready: ${alive.status}`);
  const logged = site.output().match(/^.*"level":"(error|fatal)".*$/gm) ?? [];
  probe.close();
  await people.close();
  site.kill("SIGTERM");
  await site.ended;
  const [memoryBefore, memory] = [inMebibytes(before ?? after), inMebibytes(after)];
  return {
    seed,
    sent,
    seconds: Math.round((performance.now() - began) / 1000),
    frames: frames.sent,
    statuses,
    slowest,
    /** How often requests had to be sent again one by one. */
    crowded: slowBatches,
    grownByMebibytes: { heap: memory.heap - memoryBefore.heap, rss: memory.rss - memoryBefore.rss },
    memoryBefore,
    memory,
    faults,
    logged: logged.slice(0, MAX_FAULTS),
  };
}

/** The same requests for the same seed, without an end. */
function* inputsOf(seed: number): Generator<Input> {
  for (let part = 0; ; part += 1) yield* fc.sample(input, { numRuns: INPUTS_AT_ONCE, seed: seed + part * SEED_STEP });
}

async function send(people: People, { role, method, path: template, headers, body }: Input): Promise<Sent> {
  const browser = people.clients[role].clone();
  const address = template.replaceAll(LATEST_VISIT, String(people.latestVisit()));
  const { cookie, ...others } = headers;
  const own = [...browser.cookies].map(([name, value]) => `${name}=${value}`);
  const all = { Origin: browser.origin, ...others, Cookie: [...own, ...(cookie ? [cookie] : [])].join("; ") };
  const ended = new AbortController();
  const timeout = setTimeout(MAX_ANSWER_MS, null, { ref: false, signal: ended.signal }).catch(() => null);
  try {
    const response = await Promise.race([browser.request(method, address, { headers: all, body }), timeout]);
    if (response === null) return { status: 0, bytes: 0, fault: "no answer", endsSession: false };
    const { status, bytes } = response;
    const most = MAX_ANSWER_BYTES + MAX_ANSWER_BYTES_PER_BYTE * (body?.length ?? 0);
    const isTooLong = bytes.length > most && !address.includes("/download");
    const headerBytes = JSON.stringify(response.headers).length;
    const fault =
      status >= 500
        ? `status ${status}`
        : isTooLong
          ? `${bytes.length} bytes`
          : headerBytes > MAX_HEADER_BYTES
            ? `${headerBytes} bytes of headers`
            : null;
    const endsSession = (response.headers["set-cookie"] ?? []).some((line) => line.startsWith("session="));
    return { status, bytes: bytes.length, fault, endsSession };
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    // Closed while a body that nobody wants was still on its way: the answer went first, and this client missed it.
    const isEarlyAnswer = ["ECONNRESET", "EPIPE"].includes(code) && (body?.length ?? 0) > 0;
    const isCutOff = message === "aborted";
    // A download ends with its session. One that is cut while its session lasts is a fault.
    const isExpected = isEarlyAnswer || (isCutOff && (await browser.get("/api/auth/me")).status === 401);
    const fault = isExpected ? null : `${code} ${message}`;
    return { status: -1, bytes: 0, fault, endsSession: false, isCutOff };
  } finally {
    ended.abort();
  }
}

function describeInput({ role, method, path: address, headers, body }: Input): string {
  const short = (value: string) => (value.length > 300 ? `${value.slice(0, 300)}… (${value.length})` : value);
  const others = Object.entries(headers).map(([name, value]) => `${name}: ${short(value)}`);
  return [role, method, short(address), ...others, JSON.stringify(short(body?.toString("latin1") ?? ""))].join(" | ");
}
