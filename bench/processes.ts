import { type ChildProcess, fork, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { NODE_ARGUMENTS, NODE_ENVIRONMENT } from "../bin/prepare.js";
import { adminEmail, adminPassword } from "../tests/support/test-environment.ts";
import { temporaryFolder } from "../tests/support/temporary-folder.ts";
import type { LoadResult, LoadRequest } from "./generator.ts";

export const HERE = import.meta.dirname;
const ROOT = path.dirname(HERE);
const FIRST_PORT = 4600;
const LAST_PORT = 4699;
const START_TIMEOUT_MS = 60_000;
const TICKS_PER_SECOND = 100;

export type RunningServer = {
  port: number;
  origin: string;
  pid: number;
  startedInMs: number;
  stop: () => Promise<void>;
};

let nextPort = FIRST_PORT;

/** Starts the built product in a process of its own, on a new SQLite database unless `changes` names another. */
export async function startProduct(
  changes: Record<string, string> = {},
  folder = temporaryFolder("bench"),
): Promise<RunningServer> {
  const port = await freePort();
  const settings = {
    NODE_ENV: "production",
    TZ: "UTC",
    ...NODE_ENVIRONMENT, // as `npm start` sets them
    PORT: String(port),
    APP_ORIGIN: `http://localhost:${port}`,
    DATA_DIR: folder,
    ADMIN_EMAIL: adminEmail,
    ADMIN_PASSWORD: adminPassword,
    RATE_LIMITS: "off",
    PAYMENTS: "simulator",
    ...changes,
  };
  return start(port, [...NODE_ARGUMENTS, "server.ts"], ROOT, settings);
}

/** Starts the framework's minimal template under the framework's own server. */
export async function startTemplate(folder: string): Promise<RunningServer> {
  const port = await freePort();
  const serve = path.join(HERE, "node_modules/@react-router/serve/dist/cli.js");
  const settings = { NODE_ENV: "production", HOST: "127.0.0.1", PORT: String(port) };
  return start(port, [serve, "build/server/index.js"], folder, settings);
}

/** Starts one of the HTTP servers of baselines.ts. */
export async function startBaseline(kind: "bytes" | "json" | "react", ...parameters: string[]): Promise<RunningServer> {
  const port = await freePort();
  return start(port, [path.join(HERE, "baselines.ts"), kind, String(port), ...parameters], HERE, {
    NODE_ENV: "production",
  });
}

/** Starts a helper process that replies to one message at a time. */
export function startWorker(file: string, ...parameters: string[]) {
  const child = fork(path.join(HERE, file), parameters, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  killOnExit(child);
  const request = (message: unknown) =>
    new Promise((resolve, reject) => {
      const onClose = (code: number | null) => reject(new Error(`${file} ended with ${String(code)}.`));
      child.once("close", onClose);
      child.once("message", (reply) => {
        child.off("close", onClose);
        resolve(reply);
      });
      child.send(message as object);
    });
  return { request, stop: () => stop(child) };
}

/** Starts a load generator, which runs one load at a time. */
export function startGenerator() {
  const worker = startWorker("generator.ts");
  const send = async (request: LoadRequest): Promise<LoadResult> => {
    const reply = (await worker.request(request)) as { load?: LoadResult; failed?: string };
    if (!reply.load) throw new Error(reply.failed);
    return reply.load;
  };
  return { send, stop: worker.stop };
}

/** Seconds of processor time used by all threads of a process; null where /proc does not exist. */
export function processorSeconds(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

async function start(
  port: number,
  args: string[],
  cwd: string,
  settings: Record<string, string>,
): Promise<RunningServer> {
  const startedAt = performance.now();
  const env = { PATH: process.env.PATH, ...settings };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  killOnExit(child);
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-4000)));
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${args[0]} ended with ${child.exitCode}:\n${stderr}`);
    if (performance.now() - startedAt > START_TIMEOUT_MS) throw new Error(`${args[0]} did not start:\n${stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const startedInMs = performance.now() - startedAt;
  return { port, origin: `http://localhost:${port}`, pid: child.pid ?? 0, startedInMs, stop: () => stop(child) };
}

/** Whether the server responds to GET /. */
async function isListening(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    async (response) => (await response.text(), response.status === 200 || response.status === 404),
    () => false,
  );
}

async function stop(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.kill(child.connected ? "SIGKILL" : "SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await ended;
  clearTimeout(timer);
}

export function killOnExit(child: ChildProcess) {
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("close", () => process.off("exit", kill));
}

export async function freePort(): Promise<number> {
  for (; nextPort <= LAST_PORT; nextPort += 1) if (!(await isPortInUse(nextPort))) return nextPort++;
  nextPort = FIRST_PORT;
  return freePort();
}

function isPortInUse(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.once("error", () => resolve(false)).once("connect", () => socket.destroy());
  });
}
