// Proves that a static file is closed when its client disconnects, and that a read error does not end the process.
import { once } from "node:events";
import { readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import path from "node:path";
import express from "express";
import serveFiles from "sirv";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

process.env.LOG_LEVEL = "silent";
const { closePipedSource } = await import("../../app/process/close-piped-source.server.ts");

const LARGE_BYTES = 32 * 1024 * 1024;
const folder = temporaryFolder("static-files");
writeFileSync(path.join(folder, "large.js"), Buffer.alloc(LARGE_BYTES, "a"));
for (const name of ["deleted.js", "kept.js"]) writeFileSync(path.join(folder, name), "const a = 1;");
const server = createServer(express().use(closePipedSource, serveFiles(folder)));

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());

const port = () => (server.address() as AddressInfo).port;
const openFiles = () =>
  readdirSync("/proc/self/fd").filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(folder);
    } catch {
      return false;
    }
  });

test("a client that disconnects during a response leaves no file open", async () => {
  const readers = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const socket = connect(port(), "127.0.0.1");
      socket.write("GET /large.js HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await once(socket, "readable");
      return socket;
    }),
  );
  expect(openFiles()).toHaveLength(readers.length);
  for (const reader of readers) reader.destroy();
  await expect.poll(openFiles).toEqual([]);
});

test("a deleted file ends only its own response; the next file is sent", async () => {
  rmSync(path.join(folder, "deleted.js"));
  await expect(fetch(`http://127.0.0.1:${port()}/deleted.js`)).rejects.toThrow("fetch failed");
  const response = await fetch(`http://127.0.0.1:${port()}/kept.js`);
  expect([response.status, await response.text()]).toEqual([200, "const a = 1;"]);
});
