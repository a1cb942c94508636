import { connect } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { openDatabase } from "../../app/db/client.server.ts";
import type { TestClient } from "../support/http-client.ts";
import { startServer } from "../support/servers/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fuzzFrames } from "./frame-fuzzer.ts";
import type { Measurement } from "./probe.ts";
import { type Input, input, type Role } from "./request-inputs.ts";

/** The product's own goal for one request, judged by the quickest of `TRIES`: a crowded machine keeps a process waiting, too. */
const MAX_DELAY_MS = 250;
const TRIES = 5;
const MAX_ANSWER_BYTES = 512 * 1024;
/** What is typed comes back escaped, in the page and in its data. */
const MAX_ANSWER_BYTES_PER_BYTE = 16;
const MAX_ANSWER_MS = 30_000;
const MAX_FAULTS = 20;
const BATCH = 8;
const FRAMES_PER_REQUEST = 0.1;
/** Requests after which growth is measured: a share of all, at most so many. */
const WARM_UP = 0.05;
const MAX_WARM_UP = 5_000;
/** A long run tells how far it is so often. */
const REPORT_INTERVAL_MS = 60_000;

type Plan = { template: string; count: number; seed: number; maxMs: number };
type Sent = { status: number; bytes: number; fault: string | null; endsSession: boolean };

/**
 * Sends so many requests that no page of ours would send, or as many as `maxMs` allows, a few at once, to a server
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
  const probe = await openProbe(socket);
  const clients = await makePeople(site);
  const statuses: Record<number, number> = {};
  const faults: string[] = [];
  const slowest = { delayMs: 0, request: "" };
  let crowded = 0;
  let before: Measurement | null = null;
  let sent = 0;
  const began = performance.now();
  let reportedAt = began;

  const sendAll = async (inputs: Input[]) => {
    await probe.ask("delay");
    const answers = await Promise.all(inputs.map((each) => send(clients, each)));
    const { maxDelayMs } = await probe.ask("delay");
    for (const [index, { endsSession }] of answers.entries()) {
      const { role } = inputs[index] as Input;
      if (endsSession) clients[role] = await renewed(site, role, clients[role]);
    }
    return { answers, maxDelayMs };
  };

  const judgeDelay = async (each: Input) => {
    let least = Infinity;
    for (let tries = 0; tries < TRIES && least > MAX_DELAY_MS; tries += 1) {
      least = Math.min(least, (await sendAll([each])).maxDelayMs);
    }
    if (least > slowest.delayMs) Object.assign(slowest, { delayMs: Math.round(least), request: told(each) });
    if (least > MAX_DELAY_MS) faults.push(`blocks for ${Math.round(least)} ms: ${told(each)}`);
  };

  const property = fc.asyncProperty(fc.array(input, { minLength: BATCH, maxLength: BATCH }), async (inputs) => {
    if (performance.now() - began > maxMs) return true;
    const { answers, maxDelayMs } = await sendAll(inputs);
    sent += inputs.length;
    for (const [index, { status, fault }] of answers.entries()) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (fault) faults.push(`${fault}: ${told(inputs[index] as Input)}`);
    }
    if (maxDelayMs > MAX_DELAY_MS) {
      crowded += 1;
      for (const each of inputs) await judgeDelay(each);
    } else if (maxDelayMs > slowest.delayMs) {
      Object.assign(slowest, { delayMs: Math.round(maxDelayMs), request: "eight at once" });
    }
    if (performance.now() - reportedAt > REPORT_INTERVAL_MS) {
      reportedAt = performance.now();
      const seconds = Math.round((reportedAt - began) / 1000);
      const memory = inMebibytes(await probe.ask("collect"));
      console.log(JSON.stringify({ sent, seconds, statuses, slowest, crowded, memory, faults }));
    }
    if (before === null && sent >= Math.min(count * WARM_UP, MAX_WARM_UP)) before = await probe.ask("collect");
    return faults.length < MAX_FAULTS;
  });
  const { errorInstance } = await fc.check(property, {
    numRuns: Math.ceil(count / BATCH),
    seed,
    endOnFailure: true,
  });

  // The process died, or so much is wrong that the rest would tell nothing new.
  if (errorInstance) throw new Error([String(errorInstance), ...faults, site.output().slice(-2000)].join("\n"));

  const families = [await site.family(), await site.family()];
  const frames = await fuzzFrames({
    count: Math.ceil(count * FRAMES_PER_REQUEST),
    seed,
    browsers: families,
    rooms: [1, 2, 2_000_000_000],
    atOnce: 4,
  });
  for (const code of frames.wrong) faults.push(`a socket was closed with ${code}`);
  const after = await probe.ask("collect");
  const alive = await site.visitor().get("/readyz");
  if (alive.status !== 200) faults.push(`the process is not ready: ${alive.status}`);
  const logged = site.output().match(/^.*"level":"(error|fatal)".*$/gm) ?? [];
  probe.close();
  site.kill("SIGTERM");
  await site.ended;
  const [memoryBefore, memory] = [inMebibytes(before ?? after), inMebibytes(after)];
  return {
    seed,
    sent,
    frames: frames.sent,
    statuses,
    slowest,
    /** Batches that had to be looked at one by one. */
    crowded,
    grownByMebibytes: { heap: memory.heap - memoryBefore.heap, rss: memory.rss - memoryBefore.rss },
    memoryBefore,
    memory,
    faults,
    logged: logged.slice(0, MAX_FAULTS),
  };
}

function inMebibytes({ heapBytes, heapTotalBytes, externalBytes, rssBytes }: Measurement) {
  const rounded = (bytes: number) => Math.round(bytes / 1024 / 1024);
  const [heap, heapTotal] = [rounded(heapBytes), rounded(heapTotalBytes)];
  return { heap, heapTotal, external: rounded(externalBytes), rss: rounded(rssBytes) };
}

type Site = Awaited<ReturnType<typeof startServer>>;

/** A family with something in every list, the consultant, and a family whose sign-in has run out. */
async function makePeople(site: Site): Promise<Record<Role, TestClient>> {
  const family = await site.family({ intake: true });
  const consultant = await site.consultant();
  const visit = { title: "Initial Consultation", duration: 60, isLiveVideoCall: true };
  for (const day of ["04", "05"]) {
    await family.post("/api/appointments", { ...visit, appointmentDate: `2027-01-${day}T15:00:00Z` });
  }
  const request = { firstName: "Ada", lastName: "Kim", email: "ada@example.com", serviceNeeds: "IEP", consent: true };
  await family.post("/api/consultation-requests", request);
  await consultant.form(`/families/${family.id}`, { text: "Called." });
  const ended = await site.family();
  const database = await openDatabase(site.environment.DATABASE_URL);
  await database.session.updateMany({ where: { userId: ended.id }, data: { expire: new Date(Date.now() - 60_000) } });
  await database.$disconnect();
  return { visitor: site.visitor(), family, consultant, ended };
}

/** Somebody signed out, or changed a password: the next one is a new family, or the consultant signed in anew. */
async function renewed(site: Site, role: Role, client: TestClient): Promise<TestClient> {
  if (role === "family")
    return (await client.get("/api/auth/me")).status === 200 ? client : site.family({ intake: true });
  if (role === "consultant") return (await client.get("/api/auth/me")).status === 200 ? client : site.consultant();
  return client;
}

async function send(
  clients: Record<Role, TestClient>,
  { role, method, path: address, headers, body }: Input,
): Promise<Sent> {
  const browser = clients[role].clone();
  const { cookie, ...others } = headers;
  const own = [...browser.cookies].map(([name, value]) => `${name}=${value}`);
  const all = { Origin: browser.origin, ...others, Cookie: [...own, ...(cookie ? [cookie] : [])].join("; ") };
  const timeout = new Promise<null>((resolve) => setTimeout(resolve, MAX_ANSWER_MS, null).unref());
  try {
    const answer = await Promise.race([browser.request(method, address, { headers: all, body }), timeout]);
    if (answer === null) return { status: 0, bytes: 0, fault: "no answer", endsSession: false };
    const { status, bytes } = answer;
    const most = MAX_ANSWER_BYTES + MAX_ANSWER_BYTES_PER_BYTE * (body?.length ?? 0);
    const isTooLong = bytes.length > most && !address.includes("/download");
    const fault = status >= 500 ? `status ${status}` : isTooLong ? `${bytes.length} bytes` : null;
    const endsSession = (answer.headers["set-cookie"] ?? []).some((line) => line.startsWith("session="));
    return { status, bytes: bytes.length, fault, endsSession };
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    // Closed while a body that nobody wants was still on its way: the answer went first, and this client missed it.
    const isExpected = ["ECONNRESET", "EPIPE"].includes(code) && (body?.length ?? 0) > 0;
    return { status: -1, bytes: 0, fault: isExpected ? null : `${code} ${message}`, endsSession: false };
  }
}

function told({ role, method, path: address, headers, body }: Input): string {
  const short = (value: string) => (value.length > 300 ? `${value.slice(0, 300)}… (${value.length})` : value);
  const others = Object.entries(headers).map(([name, value]) => `${name}: ${short(value)}`);
  return [role, method, short(address), ...others, JSON.stringify(short(body?.toString("latin1") ?? ""))].join(" | ");
}

async function openProbe(socketPath: string) {
  const socket = connect(socketPath);
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  let text = "";
  let hear: (line: string) => void = () => {};
  let fail: (error: Error) => void = () => {};
  socket.on("data", (part) => {
    text += part.toString();
    if (!text.endsWith("\n")) return;
    hear(text);
    text = "";
  });
  socket.on("error", () => {});
  socket.on("close", () => fail(new Error("The server process died.")));
  const ask = (question: "delay" | "collect") =>
    new Promise<Measurement>((resolve, reject) => {
      if (socket.destroyed) reject(new Error("The server process died."));
      hear = (line) => resolve(JSON.parse(line) as Measurement);
      fail = reject;
      socket.write(question);
    });
  return { ask, close: () => socket.destroy() };
}
