// npm start: install what is missing, build if needed, serve. npm run dev (--dev): the same with hot reload, unbuilt.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { NODE, PROCESS_SETTINGS, ROOT, build, generateClients, install, settings } from "./prepare.js";

const PARENT_CHECK_MS = 250;
const CRASHED = 70;
const RESTART_MS = 1000;
const parent = process.ppid;
const isDevelopment = process.argv.includes("--dev");

try {
  await install();
  await generateClients();
  if (!isDevelopment) await build();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

// Wall times are reckoned in the practice's zone; the process itself keeps UTC.
const mode = { TZ: "UTC", NODE_ENV: isDevelopment ? "development" : "production" };
const env = { ...PROCESS_SETTINGS, ...process.env, ...mode };
let isEnding = false;
let child = serve();
const end = (/** @type {NodeJS.Signals} */ signal) => {
  if (!isEnding) child.kill(signal);
  isEnding = true;
};
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, end);
// npm passes its signal to a shell, which dies of it without a word to us: see that our parent is gone.
if (process.env.npm_lifecycle_event)
  setInterval(() => process.ppid !== parent && end("SIGTERM"), PARENT_CHECK_MS).unref();

/** Begins the server, and begins it anew when a mistake of ours ended it (server.ts: CRASHED). */
function serve() {
  const server = spawn(NODE, [...settings(), "server.ts"], { cwd: ROOT, stdio: "inherit", env });
  server.on("exit", (code, signal) => {
    if (code !== CRASHED || isEnding) process.exit(code ?? 128 + constants.signals[signal ?? "SIGTERM"]);
    setTimeout(() => (isEnding ? process.exit(0) : (child = serve())), RESTART_MS);
  });
  return server;
}
