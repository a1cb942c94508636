import { fileURLToPath } from "node:url";
import type { ServerBuild } from "react-router";
import type { ViteDevServer } from "vite";
import { migrate } from "./bin/migrate.js";

type ServerEntry = typeof import("./app/entry.server.tsx");

// Reads process.env directly: the validated environment is part of the build, and this decides how the build is loaded.
const vite = process.env.NODE_ENV === "development" ? await startVite() : null;
const build = await loadBuild().catch(exitWithError);
const { runtime, testing } = build.entry.module as unknown as ServerEntry;
const { env } = runtime;

await migrate(env.databaseUrl).catch(exitWithError);
await runtime.refreshConsultantProfileCache();
await runtime.refreshPracticeDetailsCache();
const app = runtime.createApp({
  build,
  clientFolder: fileURLToPath(new URL("./build/client", import.meta.url)),
  development: vite && { middleware: vite.middlewares, loadBuild },
});
const server = runtime.createHttpServer(app);
runtime.installProcessExitHandlers(server, { endsWithParent: import.meta.main });
// Before the first entry: a process compares the chain with the last entry that it knows.
try {
  runtime.rememberLastAnchor();
} catch (error) {
  exitWithError(error);
}
// From here on the server responds to requests. The rest is prepared in the meantime.
await runtime.listen(server).catch(exitWithError);
const signInHint = await runtime.ensureAdministrator().catch(exitWithError);
await runtime.deleteUnfinishedUploads();
runtime.startJobs();
// `npm start` waits for this message. After it, `npm start` restarts this process whenever it ends unexpectedly.
if (import.meta.main) process.send?.({ isReady: true, isPublic: env.isPublic });
await runtime.runStartupFileMaintenance();
runtime.logReady(signInHint);
/** Resolves when the public pages are cached. */
const cacheWarmed = vite ? Promise.resolve() : runtime.warmCaches(build);
// Not in a process that belongs to something else, such as a test.
if (import.meta.main) void cacheWarmed.then(runtime.collectStartupGarbage);

/** For tests, which start and stop the server in their own process. */
const stop = () => runtime.shutDownOnce(server);
export { cacheWarmed, server, stop, testing };

async function loadBuild(): Promise<ServerBuild> {
  const path = new URL("./build/server/index.js", import.meta.url).href;
  return (vite ? await vite.ssrLoadModule("virtual:react-router/server-build") : await import(path)) as ServerBuild;
}

async function startVite(): Promise<ViteDevServer> {
  const { createServer } = await import("vite");
  return createServer({ server: { middlewareMode: true }, appType: "custom" });
}

function exitWithError(error: unknown): never {
  const isOperatorError = error instanceof Error && error.name === "OperatorError";
  console.error(isOperatorError ? error.message : error);
  process.exit(1);
}
