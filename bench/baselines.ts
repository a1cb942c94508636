// The baselines, each in a process of its own: the best this machine can do. The first argument selects one.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { compareSync } from "bcryptjs";
import express from "express";
import { type FunctionComponent, createElement } from "react";
import { renderToString } from "react-dom/server";
import { reportMemoryOnMessage } from "./memory-probe.ts";

// The product's version of ws: a dependency of bench/ installs an older one.
const { WebSocketServer } = createRequire(new URL("../package.json", import.meta.url))("ws") as typeof import("ws");

const [kind = "", port = "", file = "", type = ""] = process.argv.slice(2);
const PASSWORD = "rain on the tin roof";

const baselines: Record<string, () => unknown> = {
  bytes: serveBytes,
  json: serveJson,
  react: renderReact,
  hashing: hashPasswords,
  echo: echoMessages,
};
await baselines[kind]?.();

/** Bare Node http: serves the bytes of a file that is already compressed. */
function serveBytes() {
  const body = readFileSync(file);
  const headers = { "Content-Type": type, "Content-Encoding": "br", "Content-Length": body.length };
  return listen(createServer((_request, response) => response.writeHead(200, headers).end(body)));
}

/** A trivial Express JSON response. */
function serveJson() {
  const app = express();
  app.get("/json", (_request, response) => void response.json({ available: true, reason: null }));
  return listen(createServer(app));
}

/** React alone: renders the elements of a page for each request, without routing or compression. */
async function renderReact() {
  const { Page } = (await import(pathToFileURL(file).href)) as { Page: FunctionComponent };
  return listen(
    createServer((_request, response) => {
      const body = `<!DOCTYPE html>${renderToString(createElement(Page))}`;
      response.writeHead(200, {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Length": Buffer.byteLength(body),
      });
      response.end(body);
    }),
  );
}

/** Plain ws: echoes each message to its sender, without authentication. Reports its memory on a parent message. */
function echoMessages() {
  const sockets = new WebSocketServer({ port: Number(port), host: "127.0.0.1", perMessageDeflate: false });
  sockets.once("listening", () => process.send?.("ready"));
  sockets.on("connection", (socket) => {
    socket.on("message", (data: Buffer, isBinary) => socket.send(data, { binary: isBinary }));
    socket.on("error", () => socket.terminate());
  });
  reportMemoryOnMessage();
  process.once("disconnect", () => process.exit());
}

/** Raw hashing on one thread: a message names a duration in milliseconds, the reply is in comparisons per second. */
function hashPasswords() {
  const hash = file;
  process.on("message", async (durationMs: number) => {
    const start = performance.now();
    let compares = 0;
    while (performance.now() - start < durationMs) {
      compareSync(PASSWORD, hash);
      compares += 1;
      await sleep(0);
    }
    process.send?.((1000 * compares) / (performance.now() - start));
  });
  process.once("disconnect", () => process.exit());
}

function listen(server: ReturnType<typeof createServer>) {
  server.listen(Number(port), "127.0.0.1");
  process.once("disconnect", () => process.exit());
}
