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
const LAST_REQUESTS_MS = 25_000;
/** Left behind by a mistake of ours that nobody caught; `npm start` begins a new process (bin/restart-policy.js). */
const CRASHED = 70;
const AFTER_CRASH_MS = 3_000;

/** Connections that wait to be taken on: with Node's 511 a thousand at once are reset while the process is busy. */
const MOST_WAITING = 4096;

type Entry = typeof import("./app/entry.server.tsx");

const vite = process.env.NODE_ENV === "development" ? await startVite() : null;
const loadBuild = async (): Promise<ServerBuild> =>
  (vite
    ? await vite.ssrLoadModule("virtual:react-router/server-build")
    : await import(new URL("./build/server/index.js", import.meta.url).href)) as ServerBuild;

const build = await loadBuild().catch(stopWithReason);
const entry = build.entry.module as unknown as Entry;
// Express and the framework's server come bundled with the pages: a start reads one file instead of nine hundred.
const { createRequestHandler, env, express, log, serveFiles } = entry;

await migrate(env.databaseUrl).catch(stopWithReason);

const app = express();
app.disable("x-powered-by");
app.disable("etag");
health(app);
guard(app);
calls(app);
staticFiles(app);
uploads(app);
pages(app);
app.use(entry.answerFailure);

const server = createServer({ ...entry.CONNECTION_OPTIONS, requestTimeout: entry.LONGEST_UPLOAD_MS }, answer);
server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
  if (!entry.decidesOnContinue(request)) response.writeContinue();
  answer(request, response);
});
server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
  // In development the builder's own socket stands beside ours.
  if (!vite || request.url?.startsWith("/ws")) void entry.answerUpgrade(request, socket, head);
});

server.on("checkExpectation", entry.refuseExpectation);
server.on("connect", entry.refuseTunnel);
server.on("clientError", entry.answerClientError);

const endAtOnce: (() => void)[] = [];
const endLast: (() => Promise<void>)[] = [];
let stopping: Promise<void> | null = null;
endWell();
// From here on pages are answered; what a page for a visitor does not need is made ready meanwhile.
await listen(server);
const administrator = await entry.ensureAdministrator().catch(stopWithReason);
endAtOnce.push(await entry.startSweeping(), entry.keepTidy(), entry.keepLooking(), entry.tellKept());
endLast.push(entry.keepReconciling().stop, entry.keepSealing().stop);
// `npm start` waits for this: what ends from now on without having been told to is begun anew.
if (import.meta.main) process.send?.({ isReady: true, isPublic: env.isPublic });
await entry.removeLeftovers().catch((error: unknown) => entry.logFailure(error, "removing what backups left behind"));
void entry.restrictStoredFiles();
sayReady(administrator);
/** Done when the public pages are kept, too. */
const settled = keepPages();

/** For whoever started this in its own process: the tests stand at a chosen time and end it again. */
export { entry, server, settled, stop };

function answer(request: IncomingMessage, response: ServerResponse) {
  entry.limitStall(response);
  entry.limitBodyTime(request, response, entry.decidesOnContinue(request));
  if (!entry.isStopping() && entry.answerKept(request, response)) return;
  entry.addCommonHeaders(request, response);
  entry.logRequest(request, response);
  if (entry.admit(request, response)) app(request, response);
}

function health(app: Express) {
  app.get(["/healthz", "/readyz"], entry.answerHealth);
}

function guard(app: Express) {
  app.use(entry.guardRequest);
}

/** The call that is asked while somebody chooses a time: answered before the framework, which costs ten times as much. */
function calls(app: Express) {
  app.get("/api/appointments/availability", entry.answerAvailability);
}

function staticFiles(app: Express) {
  if (vite) {
    app.use(vite.middlewares);
    return;
  }
  const client = fileURLToPath(new URL("./build/client", import.meta.url));
  // The file server breaks off where a range ends before it begins (bytes=9-1). These files are small: each is sent whole.
  app.use(["/assets", "/static", "/robots.txt", "/favicon.ico"], (request, _response, next) => {
    delete request.headers.range;
    next();
  });
  const ofBuild = { brotli: true, gzip: true, immutable: true, maxAge: YEAR_SECONDS };
  app.use("/assets", entry.named("/assets/*"), serveFiles(`${client}/assets`, ofBuild));
  app.use("/static", entry.named("/static/*"), serveFiles(`${client}/static`, { etag: true, maxAge: DAY_SECONDS }));
  const root = { etag: true, maxAge: DAY_SECONDS };
  app.get("/robots.txt", entry.named("/robots.txt"), serveFiles(client, root));
  // A document stands in a sandbox of no origin, where the browser still asks for the icon.
  const setHeaders = (response: ServerResponse) => {
    response.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
    response.setHeader("Content-Type", "image/x-icon");
  };
  app.get("/favicon.ico", entry.named("/favicon.ico"), serveFiles(client, { ...root, setHeaders }));
}

function uploads(app: Express) {
  app.post(entry.UPLOAD_PATHS, entry.receiveUpload);
}

function pages(app: Express) {
  app.use(entry.refuseResourceData(build.routes), entry.limitPages);
  app.use(
    createRequestHandler({
      build: vite ? loadBuild : build,
      getLoadContext: (request) => entry.requestContext(request),
    }),
  );
}

async function keepPages() {
  const paths = Object.values(build.routes).flatMap((route) => {
    const handle = route?.module.handle as { kept?: true } | undefined;
    return handle?.kept ? [`/${route?.path ?? ""}`] : [];
  });
  const keeping = vite ? null : entry.keepPages(paths, entry.createFetchHandler(build));
  await keeping?.catch((error: unknown) => entry.logFailure(error, "keeping the public pages"));
  flushCompileCache();
  // Not in a process that is somebody else's, as in the tests.
  if (import.meta.main) entry.giveBack();
}

async function listen(server: Server) {
  const where = { port: env.port, host: env.host, backlog: MOST_WAITING };
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(where, resolve)).catch(
    (error: unknown) => stopWithReason(entry.whyNotListening(error)),
  );
}

/** Two lines that people and programs wait for. In public the log is read by programs, and they are lines of it. */
function sayReady(administrator: string) {
  const say = (line: string) => (env.isPublic ? log.info(line) : console.log(line));
  say(`${env.practice.name} is ready at ${env.origin}`);
  say(administrator);
}

function endWell() {
  // A terminal's Ctrl-C arrives twice, from the terminal and from `npm start`: the second must not cut the end short.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void endWith(0));
  // `npm start` is gone without a word: nobody could end us any more, and the next one needs our port.
  if (import.meta.main) process.once("disconnect", () => void endWith(0));
  // A promise that nobody waited for has no request any more: those that run are not concerned.
  process.on("unhandledRejection", (error) => entry.logFailure(error, "a rejection that nobody handled"));
  // Nobody knows what a throw out of nowhere left half done. What runs is finished, and a new process begins.
  process.on("uncaughtException", (error) => {
    entry.logFailure(error, "crash: an exception that nobody caught");
    void endWith(CRASHED, AFTER_CRASH_MS);
  });
}

async function endWith(code: number, mostMs?: number) {
  await stop(mostMs).catch((error: unknown) => entry.logFailure(error, "ending"));
  entry.flushLog();
  process.exit(code);
}

function stop(mostMs = LAST_REQUESTS_MS): Promise<void> {
  return (stopping ??= endInOrder(mostMs));
}

async function endInOrder(mostMs: number) {
  for (const end of endAtOnce) end();
  await Promise.all([entry.finishRequests(server, mostMs), entry.closeSockets()]);
  await vite?.close();
  for (const end of endLast) await end();
  await entry.closeDatabase();
  entry.flushLog();
}

async function startVite(): Promise<ViteDevServer> {
  const { createServer } = await import("vite");
  return createServer({ server: { middlewareMode: true }, appType: "custom" });
}

function stopWithReason(error: unknown): never {
  const expected = error instanceof Error && error.name === "StartError";
  console.error(expected ? error.message : error);
  process.exit(1);
}
