import { type ChildProcess, fork, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { PROCESS_SETTINGS } from "../bin/prepare.js";
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

/** The built product as a process of its own, on a database of its own unless one is named. */
export async function startProduct(
  changes: Record<string, string> = {},
  folder = temporaryFolder("bench"),
): Promise<RunningServer> {
  const port = await freePort();
  const settings = {
    NODE_ENV: "production",
    TZ: "UTC",
    ...PROCESS_SETTINGS, // as npm start begins it
    PORT: String(port),
    APP_ORIGIN: `http://localhost:${port}`,
    DATA_DIR: folder,
    ADMIN_EMAIL: adminEmail,
    ADMIN_PASSWORD: adminPassword,
    RATE_LIMITS: "off",
    PAYMENTS: "simulator",
    ...changes,
  };
  return start(port, ["server.ts"], ROOT, settings);
}

/** The framework's minimal template under the framework's own server. */
export async function startTemplate(folder: string): Promise<RunningServer> {
  const port = await freePort();
  const serve = path.join(HERE, "node_modules/@react-router/serve/dist/cli.js");
  const settings = { NODE_ENV: "production", HOST: "127.0.0.1", PORT: String(port) };
  return start(port, [serve, "build/server/index.js"], folder, settings);
}

/** One of floors.ts that listens. */
export async function startBaseline(kind: "bytes" | "json" | "react", ...parameters: string[]): Promise<RunningServer> {
  const port = await freePort();
  return start(port, [path.join(HERE, "floors.ts"), kind, String(port), ...parameters], HERE, {
    NODE_ENV: "production",
  });
}

/** A helper process that answers messages one at a time. */
export function startWorker(file: string, ...parameters: string[]) {
  const child = fork(path.join(HERE, file), parameters, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  killOnExit(child);
  const request = (message: unknown) =>
    new Promise((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`${file} ended with ${String(code)}.`));
      child.once("close", ended);
      child.once("message", (reply) => {
        child.off("close", ended);
        resolve(reply);
      });
      child.send(message as object);
    });
  return { ask: request, stop: () => stop(child) };
}

/** A load generator; one at a time is under way on each. */
export function startGenerator() {
  const worker = startWorker("generator.ts");
  const send = async (request: LoadRequest): Promise<LoadResult> => {
    const reply = (await worker.ask(request)) as { load?: LoadResult; failed?: string };
    if (!reply.load) throw new Error(reply.failed);
    return reply.load;
  };
  return { send, stop: worker.stop };
}

/** Seconds of processor time that a process has used, all threads; null where the system does not say. */
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

/** Whether GET / is answered with 200. */
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
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  child.once("close", () => process.off("exit", end));
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
