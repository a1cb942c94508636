// Proves the responses to malformed, ambiguous and oversized HTTP messages.
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { family, origin, visitor } from "../support/site.ts";

const { host, port } = new URL(origin);
const TIMEOUT_MS = 10_000;
const OWN = `Host: ${host}\r\n`;
const LOGIN = `POST /api/auth/login HTTP/1.1\r\n${OWN}Origin: ${origin}\r\nContent-Type: application/json\r\n`;
/** What somebody would like a proxy to hold for the next visitor's request. */
const SMUGGLED = `GET /api/auth/me HTTP/1.1\r\n${OWN}\r\n`;
const CHUNKED = "Transfer-Encoding: chunked\r\n";

/**
 * The statuses of everything that comes back for these very bytes, until the other side has closed. Some senders listen
 * only after their last word.
 */
function send(bytes: string | Buffer, listens: "at once" | "after its last word" = "at once"): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () => {
      if (listens === "after its last word") socket.pause();
      socket.write(bytes, () => socket.resume());
    });
    const received: Buffer[] = [];
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error("The connection stayed open.")));
    socket.on("data", (part: Buffer) => received.push(part));
    // Cut off by the other side while we still send is closed, too.
    socket.on("error", (error: NodeJS.ErrnoException) => error.code !== "ECONNRESET" && reject(error));
    socket.on("close", () => {
      const text = Buffer.concat(received).toString("latin1");
      resolve([...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status)));
    });
  });
}

test.each([
  ["two Content-Length headers", `${LOGIN}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}${SMUGGLED}`],
  ["Content-Length with Transfer-Encoding", `${LOGIN}Content-Length: 5\r\n${CHUNKED}\r\n0\r\n\r\n${SMUGGLED}`],
  ["an unknown transfer coding", `${LOGIN}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  [
    "chunked before another transfer coding",
    `${LOGIN}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ],
  ["a space before a header's colon", `${LOGIN}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ["a chunk with an invalid size", `${LOGIN}${CHUNKED}\r\nzz\r\n{}\r\n0\r\n\r\n${SMUGGLED}`],
  ["a negative Content-Length", `${LOGIN}Content-Length: -1\r\n\r\n${SMUGGLED}`],
  ["bare line feeds", `GET / HTTP/1.1\nHost: ${host}\n\n${SMUGGLED}`],
  ["a bare line feed between headers", `GET / HTTP/1.1\r\n${OWN}X: a\nY: b\r\n\r\n${SMUGGLED}`],
  ["a folded header", `GET / HTTP/1.1\r\n${OWN}X: a\r\n b\r\n\r\n${SMUGGLED}`],
  ["no Host header", `GET / HTTP/1.1\r\n\r\n${SMUGGLED}`],
  ["an absolute URL of another site", `GET http://evil.example/ HTTP/1.1\r\n${OWN}\r\n`],
  ["an HTTP/2 preface", `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`],
  ["an unknown HTTP version", `GET / HTTP/9.9\r\n${OWN}\r\n`],
  ["TLS bytes", Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00])],
  ["a NUL in the path", `GET /\u0000 HTTP/1.1\r\n${OWN}\r\n`],
])("%s: one 400 response, then the connection is closed", async (_, bytes) => {
  expect(await send(bytes)).toEqual([400]);
  expect((await visitor().get("/healthz")).status).toBe(200);
});

test.each([
  ["a header of 17 KB", `GET / HTTP/1.1\r\n${OWN}X: ${"a".repeat(17_000)}\r\n\r\n`, 431],
  ["a path of 16 KB", `GET /${"a".repeat(16_000)} HTTP/1.1\r\n${OWN}Connection: close\r\n\r\n`, 414],
  [
    "a second Host header after the site's",
    `GET / HTTP/1.1\r\n${OWN}Host: evil.example\r\nConnection: close\r\n\r\n`,
    421,
  ],
  [
    "a second Host header before the site's",
    `GET /login HTTP/1.1\r\nhost: evil.example\r\n${OWN}Connection: close\r\n\r\n`,
    421,
  ],
  [
    "a transfer coding before chunked",
    `${LOGIN}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`,
    501,
  ],
  [
    "a transfer coding in a separate header",
    `${LOGIN}Transfer-Encoding: gzip\r\n${CHUNKED}\r\n2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`,
    501,
  ],
  [
    "a WebSocket at a path other than /ws",
    `GET / HTTP/1.1\r\n${OWN}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    404,
  ],
])("%s is refused", async (_, bytes, status) => {
  expect(await send(bytes)).toEqual([status]);
});

test("a 17 KB header gets 431; the response to HEAD has no body", async () => {
  const client = visitor();
  const response = await client.request("HEAD", "/login", { headers: { "X-Note": "a".repeat(17_000) } });
  expect([response.status, response.bytes.length]).toEqual([431, 0]);
  const shown = await client.request("GET", "/login", { headers: { "X-Note": "a".repeat(17_000) } });
  expect([shown.status, shown.text]).toEqual([431, expect.stringContaining("header")]);
});

test.each(["//", "///", "/\\", "http://["])("a WebSocket upgrade at the malformed path %s gets 400", async (url) => {
  expect(await send(`GET ${url} HTTP/1.1\r\n${OWN}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)).toEqual([400]);
});

describe("a request with 100 header fields", () => {
  const fields = (count: number) => Array.from({ length: count }, (_, number) => `a${number}: 1\r\n`).join("");
  const request = (count: number, method = "GET") => `${method} /healthz HTTP/1.1\r\n${OWN}${fields(count - 1)}\r\n`;
  const LAST = `GET /healthz HTTP/1.1\r\n${OWN}Connection: close\r\n\r\n`;

  test("gets 431 and the end of its connection; one with 99 is answered", async () => {
    expect(await send(`${request(99)}${LAST}`)).toEqual([200, 200]);
    for (const count of [100, 101, 128, 129, 900]) expect([count, await send(request(count))]).toEqual([count, [431]]);
    expect(await send(request(100, "HEAD"))).toEqual([431]);
    expect(await send(`POST /healthz HTTP/1.1\r\n${OWN}${fields(99)}Content-Length: 5\r\n\r\nhello`)).toEqual([431]);
  });

  test("closes its connection behind another request, too, and as an upgrade", async () => {
    expect(await send(`${request(2)}${request(100)}`)).toEqual([200, 431]);
    const upgrade = `GET /ws HTTP/1.1\r\n${OWN}Connection: Upgrade\r\nUpgrade: websocket\r\n`;
    expect(await send(`${upgrade}\r\n`)).toEqual([401]);
    expect(await send(`${upgrade}${fields(97)}\r\n`)).toEqual([431]);
  });
});

describe("pipelined requests", () => {
  const health = (count: number) => `GET /healthz HTTP/1.1\r\n${OWN}\r\n`.repeat(count);
  const last = (path: string) => `GET ${path} HTTP/1.1\r\n${OWN}Connection: close\r\n\r\n`;

  test("are answered in order", async () => {
    const page = `GET /login?anew HTTP/1.1\r\n${OWN}\r\n`;
    expect(await send(`${page}${health(10)}${last("/nothing-here")}`)).toEqual([200, ...Array(10).fill(200), 404]);
  });

  test("are limited to 17: one in progress and 16 waiting", async () => {
    expect(await send(`${health(16)}${last("/healthz")}`)).toEqual(Array(17).fill(200));
    expect((await send(`${health(17)}${last("/healthz")}`)).length).toBeLessThan(17);
    expect((await send(`GET /login?anew HTTP/1.1\r\n${OWN}\r\n`.repeat(590))).length).toBeLessThan(17);
  });

  test("end the connection when they include an upgrade", async () => {
    const upgrade = `GET /ws HTTP/1.1\r\n${OWN}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    expect((await send(`GET /login?anew HTTP/1.1\r\n${OWN}\r\n${upgrade}`)).length).toBeLessThan(2);
  });
});

test("headers named __proto__ and constructor cause no prototype pollution", async () => {
  const bytes = `GET /login HTTP/1.1\r\n${OWN}__proto__: x\r\nconstructor: y\r\nConnection: close\r\n\r\n`;
  expect(await send(bytes)).toEqual([200]);
  expect(({} as { x?: unknown }).x).toBeUndefined();
});

describe("a client that sends Connection: close and reads only after its whole body gets its refusal", () => {
  const LAST = `Host: ${host}\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=x\r\n`;
  const bodyOf = (megabytes: number) => Buffer.alloc(megabytes * 1024 * 1024, "a");

  test.each([
    ["a file over 50 MB", 55, `Origin: ${origin}`, true, 413],
    ["a file from a visitor without a session", 30, `Origin: ${origin}`, false, 401],
    ["a file sent from another origin", 30, "Origin: https://evil.example", true, 403],
  ])("%s", async (_, megabytes, from, isSignedIn, status) => {
    const session = isSignedIn ? (await family()).cookies.get("session") : "none";
    const body = bodyOf(megabytes);
    const head = `POST /api/documents HTTP/1.1\r\n${LAST}${from}\r\nCookie: session=${session}\r\nContent-Length: ${body.length}\r\n\r\n`;
    expect(await send(Buffer.concat([Buffer.from(head), body]), "after its last word")).toEqual([status]);
  });
});
