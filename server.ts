import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { flushCompileCache } from "node:module";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Express } from "express";
import type { ServerBuild } from "react-router";
import type { ViteDevServer } from "vite";
import { migrate } from "./bin/migrate.js";

const DAY_SECONDS = 86_400;
const YEAR_SECONDS = 365 * DAY_SECONDS;
/** What runs when the process is told to end may take this long: an upload, a download, a payment (20 s). Whoever ends the process waits longer before it kills. */
const DRAIN_TIMEOUT_MS = 25_000;
/** Left behind by a mistake of ours that nobody caught; `npm start` begins a new process (bin/restart-policy.js). */
const EXIT_CRASHED = 70;
const CRASH_DRAIN_TIMEOUT_MS = 3_000;

/** Connections that wait to be taken on: with Node's 511 a thousand at once are reset while the process is busy. */
const LISTEN_BACKLOG = 4096;

type Entry = typeof import("./app/entry.server.tsx");

const vite = process.env.NODE_ENV === "development" ? await startVite() : null;
const loadBuild = async (): Promise<ServerBuild> =>
  (vite
    ? await vite.ssrLoadModule("virtual:react-router/server-build")
    : await import(new URL("./build/server/index.js", import.meta.url).href)) as ServerBuild;

const build = await loadBuild().catch(exitWithError);
const entry = build.entry.module as unknown as Entry;
// Express and the framework's server come bundled with the pages: a start reads one file instead of nine hundred.
const { createRequestHandler, env, express, log, serveFiles } = entry;

await migrate(env.databaseUrl).catch(exitWithError);

const app = express();
app.disable("x-powered-by");
app.disable("etag");
mountHealthChecks(app);
mountRequestGuard(app);
mountAvailability(app);
mountStaticFiles(app);
mountUploads(app);
mountPages(app);
app.use(entry.errorHandler);

const server = createServer({ ...entry.CONNECTION_OPTIONS, requestTimeout: entry.MAX_UPLOAD_MS });
server.on("request", (request: IncomingMessage, response: ServerResponse) => {
  entry.enqueueRequest(request, response, () => handleRequest(request, response));
});
server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
  entry.enqueueRequest(request, response, () => {
    if (!entry.handlesExpectContinue(request)) response.writeContinue();
    handleRequest(request, response);
  });
});
server.on("connection", entry.admitConnection);
server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
  if (!entry.canUpgrade(request.socket)) return void socket.destroy();
  // In development the builder's own socket stands beside ours.
  if (!vite || request.url?.startsWith("/ws")) void entry.handleUpgrade(request, socket, head);
});

server.on("checkExpectation", entry.refuseExpectation);
server.on("connect", entry.refuseTunnel);
server.on("clientError", entry.answerClientError);

const stopJobs: (() => void)[] = [];
const closeLast: (() => Promise<void>)[] = [];
let shutdownPromise: Promise<void> | null = null;
handleSignals();
// From here on pages are answered; what a page for a visitor does not need is made ready meanwhile.
await listen(server);
const signInHint = await entry.ensureAdministrator().catch(exitWithError);
stopJobs.push(await entry.startMaintenance(), entry.startCleanup(), entry.startChecks(), entry.startCacheHitReports());
closeLast.push(entry.startReconciler().stop, entry.encryptPlainTexts().stop);
// `npm start` waits for this: what ends from now on without having been told to is begun anew.
if (import.meta.main) process.send?.({ isReady: true, isPublic: env.isPublic });
await entry.removeLeftovers().catch((error: unknown) => entry.logError(error, "removing what backups left behind"));
void entry.restrictStoredFiles();
logReady(signInHint);
/** Done when the public pages are kept, too. */
const cacheWarmed = warmPageCache();

/** For whoever started this in its own process: the tests stand at a chosen time and end it again. */
export { entry, server, cacheWarmed, stop };

function handleRequest(request: IncomingMessage, response: ServerResponse) {
  entry.limitStall(response);
  entry.bodyTimeout(request, response, entry.handlesExpectContinue(request));
  if (!entry.isShuttingDown() && entry.serveCachedPage(request, response)) return;
  entry.addCommonHeaders(request, response);
  entry.logRequest(request, response);
  if (entry.trackRequest(request, response)) app(request, response);
}

function mountHealthChecks(app: Express) {
  app.get(["/healthz", "/readyz"], entry.healthHandler);
}

function mountRequestGuard(app: Express) {
  app.use(entry.guardRequest, entry.limitChanges);
}

/** The call that is asked while somebody chooses a time: answered before the framework, which costs ten times as much. */
function mountAvailability(app: Express) {
  app.get("/api/appointments/availability", entry.availabilityHandler);
}

function mountStaticFiles(app: Express) {
  if (vite) {
    app.use(vite.middlewares);
    return;
  }
  const clientFolder = fileURLToPath(new URL("./build/client", import.meta.url));
  // The file server breaks off where a range ends before it begins (bytes=9-1). These files are small: each is sent whole.
  app.use(["/assets", "/static", "/robots.txt", "/favicon.ico"], (request, _response, next) => {
    delete request.headers.range;
    next();
  });
  const hashedFileOptions = { brotli: true, gzip: true, immutable: true, maxAge: YEAR_SECONDS };
  app.use("/assets", entry.logRoute("/assets/*"), serveFiles(`${clientFolder}/assets`, hashedFileOptions));
  app.use(
    "/static",
    entry.logRoute("/static/*"),
    serveFiles(`${clientFolder}/static`, { etag: true, maxAge: DAY_SECONDS }),
  );
  const rootFileOptions = { etag: true, maxAge: DAY_SECONDS };
  app.get("/robots.txt", entry.logRoute("/robots.txt"), serveFiles(clientFolder, rootFileOptions));
  // A document stands in a sandbox of no origin, where the browser still asks for the icon.
  const setHeaders = (response: ServerResponse) => {
    response.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
    response.setHeader("Content-Type", "image/x-icon");
  };
  app.get("/favicon.ico", entry.logRoute("/favicon.ico"), serveFiles(clientFolder, { ...rootFileOptions, setHeaders }));
}

function mountUploads(app: Express) {
  app.post(entry.UPLOAD_PATHS, entry.uploadMiddleware);
}

function mountPages(app: Express) {
  app.use(entry.refuseResourceData(build.routes), entry.limitPages, entry.reserveBody);
  app.use(
    createRequestHandler({
      build: vite ? loadBuild : build,
      getLoadContext: (request) => entry.createRequestContext(request),
    }),
  );
}

async function warmPageCache() {
  const paths = Object.values(build.routes).flatMap((route) => {
    const handle = route?.module.handle as { cache?: true } | undefined;
    return handle?.cache ? [`/${route?.path ?? ""}`] : [];
  });
  const warming = vite ? null : entry.warmPageCache(paths, entry.createFetchHandler(build));
  await warming?.catch((error: unknown) => entry.logError(error, "warming the page cache"));
  flushCompileCache();
  // Not in a process that is somebody else's, as in the tests.
  if (import.meta.main) entry.collectGarbage();
}

async function listen(server: Server) {
  const listenOptions = { port: env.port, host: env.host, backlog: LISTEN_BACKLOG };
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(listenOptions, resolve)).catch(
    (error: unknown) => exitWithError(entry.explainListenError(error)),
  );
}

/** Two lines that people and programs wait for. In public the log is read by programs, and they are lines of it. */
function logReady(signInHint: string) {
  const print = (line: string) => (env.isPublic ? log.info(line) : console.log(line));
  print(`${env.practice.name} is ready at ${env.origin}`);
  print(signInHint);
}

function handleSignals() {
  // A terminal's Ctrl-C arrives twice, from the terminal and from `npm start`: the second must not cut the end short.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void exitWith(0));
  // `npm start` is gone without a word: nobody could end us any more, and the next one needs our port.
  if (import.meta.main) process.once("disconnect", () => void exitWith(0));
  // A promise that nobody waited for has no request any more: those that run are not concerned.
  process.on("unhandledRejection", (error) => entry.logError(error, "unhandled rejection"));
  // Nobody knows what a throw out of nowhere left half done. What runs is finished, and a new process begins.
  process.on("uncaughtException", (error) => {
    entry.logError(error, "crash: uncaught exception");
    void exitWith(EXIT_CRASHED, CRASH_DRAIN_TIMEOUT_MS);
  });
}

async function exitWith(code: number, drainTimeoutMs?: number) {
  await stop(drainTimeoutMs).catch((error: unknown) => entry.logError(error, "shutting down"));
  entry.flushLog();
  process.exit(code);
}

function stop(drainTimeoutMs = DRAIN_TIMEOUT_MS): Promise<void> {
  return (shutdownPromise ??= shutDown(drainTimeoutMs));
}

async function shutDown(drainTimeoutMs: number) {
  for (const close of stopJobs) close();
  await Promise.all([entry.drainRequests(server, drainTimeoutMs), entry.closeSockets()]);
  await vite?.close();
  for (const close of closeLast) await close();
  await entry.closeDatabase();
  entry.flushLog();
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
