import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { createRequestHandler } from "@react-router/express";
import express, { type Express } from "express";
import { createRequestHandler as createFetchHandler, type ServerBuild } from "react-router";
import sirv from "sirv";
import type { ViteDevServer } from "vite";
import { migrate } from "./bin/migrate.js";

const DAY_SECONDS = 86_400;
const YEAR_SECONDS = 365 * DAY_SECONDS;

type Entry = typeof import("./app/entry.server.tsx");

const vite = process.env.NODE_ENV === "development" ? await startVite() : null;
const loadBuild = async (): Promise<ServerBuild> =>
  (vite
    ? await vite.ssrLoadModule("virtual:react-router/server-build")
    : await import(new URL("./build/server/index.js", import.meta.url).href)) as ServerBuild;

const build = await loadBuild().catch(stopWithReason);
const entry = build.entry.module as unknown as Entry;
const { env } = entry;

await migrate(env.databaseUrl).catch(stopWithReason);
const administrator = await entry.ensureAdministrator().catch(stopWithReason);
const reconciling = entry.keepReconciling();
const stopTidying = entry.keepTidy();

const app = express();
app.disable("x-powered-by");
app.disable("etag");
health(app);
guard(app);
staticFiles(app);
uploads(app);
pages(app);
if (!vite) await entry.keepPages(keptPaths(build), createFetchHandler(build));

const stopSweeping = await entry.startSweeping().catch(stopWithReason);
const server = createServer({ requestTimeout: entry.LONGEST_UPLOAD_MS }, (request, response) => {
  if (!entry.answerKept(request, response)) app(request, response);
});
server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
  if (!entry.decidesOnContinue(request)) response.writeContinue();
  app(request, response);
});
server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
  // In development the builder's own socket stands beside ours.
  if (!vite || request.url?.startsWith("/ws")) void entry.answerUpgrade(request, socket, head);
});
let stopping: Promise<void> | null = null;
await listen(server);

/** For whoever started this in its own process: the tests stand at a chosen time and end it again. */
export { entry, server, stop };

function health(app: Express) {
  app.get(["/healthz", "/readyz"], entry.answerHealth);
}

function guard(app: Express) {
  app.use(entry.guardRequest);
}

function staticFiles(app: Express) {
  if (vite) {
    app.use(vite.middlewares);
    return;
  }
  const client = fileURLToPath(new URL("./build/client", import.meta.url));
  app.use("/assets", sirv(`${client}/assets`, { brotli: true, gzip: true, immutable: true, maxAge: YEAR_SECONDS }));
  app.use("/static", sirv(`${client}/static`, { etag: true, maxAge: DAY_SECONDS }));
  const root = { etag: true, maxAge: DAY_SECONDS };
  app.get("/robots.txt", sirv(client, root));
  // A document stands in a sandbox of no origin, where the browser still asks for the icon.
  const setHeaders = (response: ServerResponse) =>
    void response.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
  app.get("/favicon.ico", sirv(client, { ...root, setHeaders }));
}

function uploads(app: Express) {
  app.use(entry.limitBodyTime(entry.decidesOnContinue));
  app.post(entry.UPLOAD_PATHS, entry.receiveUpload);
}

function pages(app: Express) {
  app.use(
    createRequestHandler({
      build: vite ? loadBuild : build,
      getLoadContext: (request) => entry.requestContext(request),
    }),
  );
}

function keptPaths(build: ServerBuild): string[] {
  return Object.values(build.routes).flatMap((route) => {
    const handle = route?.module.handle as { kept?: true } | undefined;
    return handle?.kept ? [`/${route?.path ?? ""}`] : [];
  });
}

async function listen(server: Server) {
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(env.port, env.host, resolve)).catch(
    stopWithReason,
  );
  console.log(`${env.practice.name} is ready at ${env.origin}`);
  console.log(administrator);
  // A terminal's Ctrl-C arrives twice, from the terminal and from `npm start`: the second must not cut the end short.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => void stop().then(() => process.exit(0)));
}

function stop(): Promise<void> {
  return (stopping ??= endInOrder());
}

async function endInOrder() {
  stopSweeping();
  stopTidying();
  server.close();
  await entry.closeSockets();
  server.closeIdleConnections();
  const patience = setTimeout(() => server.closeAllConnections(), 8000);
  await new Promise((resolve) => server.once("close", resolve));
  clearTimeout(patience);
  await vite?.close();
  await reconciling.stop();
  await entry.closeDatabase();
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
