// Proves that static files are served from memory, with the right encoding, type and caching.
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import express from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { staticFileHandler, staticFolderHandler } from "../../app/process/static-files.server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("static-files");
const SCRIPT = "const a = 1;".repeat(100);
writeFileSync(path.join(folder, "script.js"), SCRIPT);
writeFileSync(path.join(folder, "script.js.br"), brotliCompressSync(SCRIPT));
writeFileSync(path.join(folder, "script.js.gz"), gzipSync(SCRIPT));
writeFileSync(path.join(folder, "icon.svg"), "<svg/>");
writeFileSync(path.join(folder, ".secret"), "hidden");
const LARGE = Buffer.alloc(16 * 1024 * 1024, "const a = 1;");
writeFileSync(path.join(folder, "large.js"), LARGE);
const headers = { "Cache-Control": "public,max-age=60" };
const app = express()
  .use("/assets", staticFolderHandler(folder, { headers }))
  .use("/static", staticFolderHandler(folder, { headers, hasEtag: true }))
  .get("/icon.svg", staticFileHandler(path.join(folder, "icon.svg"), { headers }));
const server = createServer(app);
const slowServer = createServer(express().use(staticFolderHandler(folder, { headers })));

beforeAll(async () => {
  for (const each of [server, slowServer]) {
    each.listen(0, "127.0.0.1");
    await once(each, "listening");
  }
});
afterAll(() => server.close());

/** Without a client's own decompression and default headers. */
async function send(url: string, sent: Record<string, string> = {}, method = "GET") {
  const { port } = server.address() as AddressInfo;
  const outgoing = request({ host: "127.0.0.1", port, path: url, method, headers: sent });
  outgoing.end();
  const [response] = (await once(outgoing, "response")) as [import("node:http").IncomingMessage];
  const body = Buffer.concat(await response.toArray());
  return { status: response.statusCode, headers: response.headers, body };
}

test("a browser gets Brotli before gzip, and a program that asks for neither gets the file itself", async () => {
  const brotli = await send("/assets/script.js", { "accept-encoding": "gzip, deflate, br" });
  expect([brotli.headers["content-encoding"], String(brotliDecompressSync(brotli.body))]).toEqual(["br", SCRIPT]);
  const gzip = await send("/assets/script.js", { "accept-encoding": "gzip, br;q=0" });
  expect([gzip.headers["content-encoding"], String(gunzipSync(gzip.body))]).toEqual(["gzip", SCRIPT]);
  const many = await send("/assets/script.js", { "accept-encoding": `${"a,".repeat(7_000)}gzip` });
  expect(many.headers["content-encoding"]).toBe("gzip");
  const plain = await send("/assets/script.js");
  expect([plain.headers["content-encoding"], String(plain.body)]).toEqual([undefined, SCRIPT]);
  for (const { headers: received, body } of [brotli, gzip, plain])
    expect(received).toMatchObject({
      vary: "Accept-Encoding",
      "cache-control": "public,max-age=60",
      "content-type": "text/javascript;charset=utf-8",
      "content-length": String(body.length),
    });
});

test("HEAD has the headers of GET and no body", async () => {
  const { status, headers: received, body } = await send("/assets/script.js", {}, "HEAD");
  expect([status, received["content-length"], body.length]).toEqual([200, String(SCRIPT.length), 0]);
});

test("a file that the browser has already is answered with 304, another version is sent", async () => {
  const { headers: received } = await send("/static/icon.svg");
  const known = await send("/static/icon.svg", { "if-none-match": received.etag ?? "" });
  expect([known.status, known.body.length, known.headers["cache-control"]]).toEqual([304, 0, "public,max-age=60"]);
  const other = await send("/static/icon.svg", { "if-none-match": '"other"' });
  expect([other.status, String(other.body)]).toEqual([200, "<svg/>"]);
});

test.each([
  ["a missing file", "/assets/missing.js", "GET"],
  ["the folder itself", "/assets/", "GET"],
  ["a hidden file", "/assets/.secret", "GET"],
  ["a compressed copy by its own name", "/assets/script.js.br", "GET"],
  ["a file outside of the folder", "/assets/../package.json", "GET"],
  ["the same, encoded", "/assets/%2e%2e/package.json", "GET"],
  ["a path that can't be decoded", "/assets/%", "GET"],
  ["a changing request", "/assets/script.js", "POST"],
])("%s is left to the next handler", async (_what, url, method) => {
  expect(await send(url, {}, method)).toMatchObject({ status: 404 });
});

test("a range is ignored, and a file that was deleted meanwhile is served from memory", async () => {
  rmSync(path.join(folder, "script.js"));
  const { status, body } = await send("/assets/script.js", { range: "bytes=9-1" });
  expect([status, String(body)]).toEqual([200, SCRIPT]);
  expect(await send("/icon.svg")).toMatchObject({ status: 200 });
});

test("a large file is sent whole to a slow client of a server that shuts down, and leaves nothing behind when it leaves", async () => {
  const { port } = slowServer.address() as AddressInfo;
  const open = async () => {
    const outgoing = request({ host: "127.0.0.1", port, path: "/large.js" });
    outgoing.end();
    const [response] = (await once(outgoing, "response")) as [import("node:http").IncomingMessage];
    return response.pause();
  };
  const [reader, leaver] = [await open(), await open()];
  const closed = once(slowServer, "close");
  slowServer.close();
  leaver.destroy();
  expect(Buffer.concat(await reader.toArray())).toEqual(LARGE);
  await closed;
});
