// npm start: installs missing packages, builds if needed, and runs the server. npm run dev (--dev): runs it with hot
// reload and without a build.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { countFailures, describeEnd, restartDelayMs, shouldRestart } from "./restart-policy.js";
import {
  NODE_EXECUTABLE,
  NODE_ARGUMENTS,
  NODE_ENVIRONMENT,
  ROOT,
  buildIfOutdated,
  generatePrismaClients,
  installPackages,
  envFileArguments,
} from "./prepare.js";

const PARENT_CHECK_MS = 250;
const parent = process.ppid;
const isDevelopment = process.argv.includes("--dev");

try {
  await installPackages();
  await generatePrismaClients();
  if (!isDevelopment) await buildIfOutdated();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

// The process runs in UTC. Local times are computed in the practice's time zone.
const modeVariables = { TZ: "UTC", NODE_ENV: isDevelopment ? "development" : "production" };
const env = { ...NODE_ENVIRONMENT, ...process.env, ...modeVariables };
let isShuttingDown = false;
let wasEverReady = false;
let isPublic = false;
let failures = 0;
/** @type {NodeJS.Timeout | undefined} */
let restartTimer;
let child = startSupervisedServer();
const forwardShutdownSignal = (/** @type {NodeJS.Signals} */ signal) => {
  if (isShuttingDown) return;
  isShuttingDown = true;
  if (restartTimer) process.exit(0);
  child.kill(signal);
};
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, forwardShutdownSignal);
// npm signals a shell, which exits without forwarding the signal. This detects that the parent process has ended.
if (process.env.npm_lifecycle_event)
  setInterval(() => process.ppid !== parent && forwardShutdownSignal("SIGTERM"), PARENT_CHECK_MS).unref();

/** Starts the server, and restarts it whenever it ends unexpectedly (bin/restart-policy.js). */
function startSupervisedServer() {
  // The server uses the IPC channel to report that it is ready and to detect when this process ends.
  /** @type {import("node:child_process").StdioOptions} */
  const stdio = ["inherit", "inherit", "inherit", "ipc"];
  const server = spawn(NODE_EXECUTABLE, [...NODE_ARGUMENTS, ...envFileArguments(), "server.ts"], {
    cwd: ROOT,
    stdio,
    env,
  });
  let readyAt = Number.POSITIVE_INFINITY;
  server.on("message", (/** @type {{ isReady?: true, isPublic?: boolean }} */ message) => {
    if (!message.isReady) return;
    wasEverReady = true;
    isPublic = message.isPublic === true;
    readyAt = performance.now();
  });
  const onServerEnd = (/** @type {import("./restart-policy.js").ProcessEnd} */ processEnd) => {
    const { code, signal } = processEnd;
    if (isShuttingDown || !shouldRestart(processEnd, wasEverReady))
      process.exit(code ?? 128 + constants.signals[signal ?? "SIGTERM"]);
    failures = countFailures(failures, performance.now() - readyAt);
    const delayMs = restartDelayMs(failures);
    printError(`The server ended unexpectedly (${describeEnd(processEnd)}). It starts again in ${delayMs / 1000} s.`);
    restartTimer = setTimeout(() => {
      restartTimer = undefined;
      child = startSupervisedServer();
    }, delayMs);
  };
  server.once("exit", (code, signal) => onServerEnd({ code, signal }));
  // Without a pid the process could not be created, such as for lack of memory. No exit event follows in that case.
  server.once("error", () => server.pid === undefined && onServerEnd({ code: null, signal: null }));
  return server;
}

/** Prints a line to standard error, as JSON if the server is public, like its log (app/http/log.server.ts). */
function printError(/** @type {string} */ line) {
  console.error(isPublic ? JSON.stringify({ level: "error", time: new Date().toISOString(), msg: line }) : line);
}
