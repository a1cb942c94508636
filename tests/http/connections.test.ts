// Proves the timeouts of idle and stalled connections, that a closed connection is parsed no further, the refusal to
// switch protocols, and fair page rendering.
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, test, vi } from "vitest";
import { textFile, uploadOrFail } from "../support/uploads.ts";
import { family, origin, server, visitor } from "../support/site.ts";
import { cookieHeader } from "../support/signaling-client.ts";

const { host, port } = new URL(origin);
const OWN = `Host: ${host}\r\n`;

afterEach(() => vi.useRealTimers());

/** A connection to the site: what it receives, and the same connection as the site has it. */
async function connection() {
  const serverSocket = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const socket = connect(Number(port), "127.0.0.1");
  let received = "";
  socket.on("data", (part: Buffer) => (received += part.toString("latin1")));
  socket.on("error", () => {});
  const closed = new Promise<string>((resolve) => socket.once("close", () => resolve(received)));
  const waitForData = (pattern: RegExp) =>
    vi.waitFor(() => expect(received).toMatch(pattern), { interval: 5, timeout: 10_000 });
  return { socket, serverSocket: await serverSocket, closed, waitForData, received: () => received };
}

describe("a proxy's keep-alive connection", () => {
  test("has an idle timeout of 620 seconds, longer than a proxy's own", async () => {
    expect(server.keepAliveTimeout).toBeGreaterThan(600_000);
    const proxy = await connection();
    for (let times = 1; times <= 3; times += 1) {
      proxy.socket.write(`GET /healthz HTTP/1.1\r\n${OWN}\r\n`);
      await proxy.waitForData(new RegExp(`(HTTP/1.1 200[^]*"ok"[^]*){${times}}`));
      // The timers of connections are Node's own and obey no fake clock: what the connection itself waits for is read.
      await vi.waitFor(() => expect(proxy.serverSocket.timeout).toBeGreaterThan(600_000), { interval: 5 });
    }
    expect(proxy.received()).toContain("Keep-Alive: timeout=620\r\n");
    proxy.socket.destroy();
  });

  test("has a timeout of one minute for the headers of a request", () => {
    expect(server.headersTimeout).toBe(60_000);
  });
});

describe("a response that sends no byte for a minute", () => {
  /** The minute is over; what Node does then is what it does here. */
  const minuteOver = (socket: Socket) => socket.emit("timeout");

  test("is ended when the client stops reading, and the document can then be deleted", async () => {
    const maria = await family();
    const id = await uploadOrFail(maria, textFile(8_000_000));
    for (const path of [`/api/documents/${id}/download`, `/documents/archive.zip?id=${id}`]) {
      const reader = await connection();
      reader.socket.once("data", () => reader.socket.pause());
      reader.socket.write(`GET ${path} HTTP/1.1\r\n${OWN}Cookie: ${cookieHeader(maria)}\r\n\r\n`);
      await vi.waitFor(() => expect(reader.serverSocket.writableLength).toBeGreaterThan(0), {
        interval: 5,
        timeout: 60_000,
      });
      expect(reader.serverSocket.timeout).toBe(60_000);
      minuteOver(reader.serverSocket);
      reader.socket.resume();
      expect((await reader.closed).length).toBeLessThan(8_000_000);
    }
    expect((await maria.delete(`/api/documents/${id}`)).status).toBe(200);
  });

  test("is not ended before it has started: the request still gets its response", async () => {
    const maria = await family();
    const sender = await connection();
    const head = `POST /api/auth/login HTTP/1.1\r\n${OWN}Origin: ${origin}\r\nContent-Type: application/json\r\n`;
    sender.socket.write(`${head}Cookie: ${cookieHeader(maria)}\r\nContent-Length: 2\r\n\r\n`);
    await vi.waitFor(() => expect(sender.serverSocket.timeout).toBe(60_000), { interval: 5 });
    minuteOver(sender.serverSocket);
    expect([sender.serverSocket.destroyed, sender.serverSocket.timeout]).toEqual([false, 60_000]);
    sender.socket.write("{}");
    await sender.waitForData(/HTTP\/1\.1 422/);
    sender.socket.destroy();
  });
});

describe("a request body that arrives very slowly ends the connection after a minute", () => {
  test.each([
    ["a cached page", "GET", "/"],
    ["a rendered page", "GET", "/login?anew"],
    ["/healthz", "GET", "/healthz"],
    ["/readyz", "GET", "/readyz"],
    ["robots.txt", "GET", "/robots.txt"],
    ["an unknown path", "GET", "/nothing-here"],
    ["a form", "POST", "/login"],
    ["an API call", "POST", "/api/auth/login"],
  ])("on %s", async (_, method, path) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const sender = await connection();
    const dispatched = new Promise((resolve) => server.once("request", resolve));
    sender.socket.write(`${method} ${path} HTTP/1.1\r\n${OWN}Origin: ${origin}\r\nContent-Length: 9\r\n\r\n{`);
    await dispatched;
    vi.advanceTimersByTime(60_000);
    await sender.closed;
    expect(sender.serverSocket.destroyed).toBe(true);
  });
});

describe("a request to switch protocols", () => {
  test.each(["h2c", "HTTP/2.0, h2c", "TLS/1.0", "websockets"])(
    "with Upgrade: %s is ignored, and the page is sent",
    async (offered) => {
      const visitor = await connection();
      const offer = `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: ${offered}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n`;
      visitor.socket.write(`GET / HTTP/1.1\r\n${OWN}${offer}\r\n`);
      await visitor.waitForData(/^HTTP\/1\.1 200 OK\r\n[^]*<\/html>/);
      visitor.socket.write(`GET /healthz HTTP/1.1\r\n${OWN}Connection: close\r\n\r\n`);
      expect(await visitor.closed).toMatch(/HTTP\/1\.1 200 OK[^]*HTTP\/1\.1 200 OK[^]*"ok"/);
    },
  );

  test("is ignored on a POST, whose body is validated as usual", async () => {
    const visitor = await connection();
    const head = `POST /api/auth/login HTTP/1.1\r\n${OWN}Origin: ${origin}\r\nContent-Type: application/json\r\n`;
    visitor.socket.write(`${head}Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\n{}`);
    await visitor.waitForData(/^HTTP\/1\.1 422[^]*"errors"/);
    expect(visitor.serverSocket.destroyed).toBe(false);
    visitor.socket.destroy();
  });

  test.each(["evil.example:443", host, "127.0.0.1:22"])(
    "with CONNECT %s gets 405, and the connection is closed",
    async (target) => {
      const visitor = await connection();
      visitor.socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
      expect(await visitor.closed).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n[^]*Allow: GET, HEAD, POST\r\n/);
    },
  );
});

describe("many pages or files requested at once by one address", () => {
  test.each(["/request-consultation", "/static/favicon.svg", "/robots.txt"])(
    "delay only that address: another address gets its own before most of them (%s)",
    async (path) => {
      const crowd = await family({ address: "127.0.9.1" });
      const other = await family({ address: "127.0.9.2" });
      let answered = 0;
      const pages = Array.from({ length: 90 }, async (_, index) => {
        const { status } = await crowd.get(`${path}?page=${index}`);
        answered += 1;
        return status;
      });
      await vi.waitFor(() => expect(answered).toBeGreaterThan(0), { interval: 1, timeout: 60_000 });
      expect((await other.get(`${path}?other=1`)).status).toBe(200);
      expect(answered).toBeLessThan(60);
      expect(new Set(await Promise.all(pages))).toEqual(new Set([200]));
    },
  );

  test("are all answered where the files do not exist, and the address gets its next page", async () => {
    const person = await family({ address: "127.0.9.3" });
    for (const path of ["/assets/none", "/static/none", "/portrait/none"]) {
      const responses = await Promise.all(Array.from({ length: 12 }, (_, index) => person.get(`${path}-${index}`)));
      expect([path, new Set(responses.map(({ status }) => status))]).toEqual([path, new Set([404])]);
    }
    expect((await person.get("/request-consultation")).status).toBe(200);
  });

  test("make no response warn of too many listeners, also that of the largest script", async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error) => warnings.push(message);
    process.on("warning", note);
    const page = await (await family()).get("/dashboard");
    const scripts = new Set(page.text.match(/\/assets\/[\w-]+\.js/g));
    expect(scripts.size).toBeGreaterThan(2);
    for (const script of scripts) expect((await visitor().get(script)).status).toBe(200);
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });

  test("don't block later requests when one is aborted", async () => {
    const asker = await connection();
    asker.socket.write(`GET /request-consultation?page=a HTTP/1.1\r\n${OWN}\r\n`);
    asker.socket.destroy();
    await asker.closed;
    for (let count = 0; count < 20; count += 1) expect((await visitor().get(`/register?x=${count}`)).status).toBe(200);
  });
});

describe("a connection that is closed for what it sends", () => {
  const BLOCK_BYTES = 64 * 1024;
  const blockOf = (request: string) => request.repeat(Math.floor(BLOCK_BYTES / request.length));

  /** Sends bytes at once. Returns how many requests and body chunks the site's parser took from them. */
  async function countParsed(bytes: string): Promise<{ requests: number; chunks: number }> {
    const parsed = { requests: 0, chunks: 0 };
    const count = (request: IncomingMessage) => {
      parsed.requests += 1;
      const push = request.push.bind(request);
      request.push = (chunk: unknown) => {
        parsed.chunks += chunk === null ? 0 : 1;
        return push(chunk);
      };
    };
    const events = ["request", "checkExpectation"] as const;
    for (const event of events) server.on(event, count);
    const sender = await connection();
    sender.socket.write(bytes);
    await sender.closed;
    for (const event of events) server.off(event, count);
    return parsed;
  }

  test.each([
    ["without a Host header", "GET / HTTP/1.1\r\n\r\n"],
    ["for another host", "GET /x HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["for a page", `GET / HTTP/1.1\r\n${OWN}\r\n`],
    ["with an unknown expectation", `GET / HTTP/1.1\r\n${OWN}Expect: x\r\n\r\n`],
    ["with a body", `GET / HTTP/1.1\r\n${OWN}Content-Length: 1\r\n\r\nx`],
    ["with a body, for another host", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx"],
  ])("has no more than 18 of its requests %s parsed", async (_, request) => {
    const { requests } = await countParsed(blockOf(request));
    expect(requests).toBeGreaterThan(0);
    expect(requests).toBeLessThanOrEqual(18);
  });

  test("has no more than 259 of a body's one-byte chunks parsed", async () => {
    const head = `POST /api/auth/login HTTP/1.1\r\n${OWN}Origin: ${origin}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    expect(await countParsed(head + blockOf("1\r\nx\r\n"))).toEqual({ requests: 1, chunks: 259 });
  });

  test("leaves its parser in order: the next connections' bodies are read whole", async () => {
    const head = `POST /api/auth/login HTTP/1.1\r\n${OWN}Origin: ${origin}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    await Promise.all(Array.from({ length: 10 }, () => countParsed(head + blockOf("1\r\nx\r\n"))));
    const headers = { Origin: origin, "Content-Type": "application/json" };
    // An empty body would get 422.
    const signIns = Array.from({ length: 20 }, () =>
      visitor().request("POST", "/api/auth/login", { headers, body: "{" }),
    );
    for (const { status } of await Promise.all(signIns)) expect(status).toBe(400);
  });
});

describe("a kept connection", () => {
  /** A connection whose client has begun to read a document and reads no further. */
  async function stalledReader() {
    const maria = await family();
    const id = await uploadOrFail(maria, textFile(8_000_000));
    const reader = await connection();
    reader.socket.once("data", () => reader.socket.pause());
    const head = `GET /api/documents/${id}/download HTTP/1.1\r\n${OWN}Cookie: ${cookieHeader(maria)}\r\n\r\n`;
    reader.socket.write(head);
    await vi.waitFor(() => expect(reader.serverSocket.writableLength).toBeGreaterThan(0), { interval: 5 });
    return reader;
  }

  /** Runs a client in a thread of its own: one of this thread is never ahead of the site. */
  async function inThread(client: string): Promise<unknown> {
    const code = `const { parentPort, workerData } = require("node:worker_threads"); (async () => { ${client} })()
      .then((result) => parentPort.postMessage(result));`;
    const worker = new Worker(code, { eval: true, workerData: { origin, own: OWN, port } });
    const [result] = await once(worker, "message");
    return result;
  }

  test("takes a form as soon as a static file has been read from it", async () => {
    const statuses = await inThread(`
      const http = require("node:http");
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      const send = (path, method, body) => new Promise((resolve, reject) => {
        const headers = { Origin: workerData.origin, "Content-Type": "application/json" };
        const request = http.request(workerData.origin + path, { agent, method, headers }, (response) =>
          response.resume().on("end", () => resolve(response.statusCode)));
        request.on("error", reject).end(body);
      });
      const statuses = new Set();
      for (let round = 0; round < 200; round += 1) {
        statuses.add(await send("/static/touch-icon.png", "GET"));
        statuses.add(await send("/api/auth/login", "POST", "{}").catch(({ code }) => code));
      }
      agent.destroy();
      return [...statuses];`);
    expect(statuses).toEqual([200, 422]);
  });

  test("is upgraded as soon as a page or file has been read from it: a socket without session gets 401", async () => {
    const statuses = await inThread(`
      const { connect } = require("node:net");
      const upgrade = "Connection: Upgrade\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: " +
        "A".repeat(22) + "==";
      const run = (round) => new Promise((resolve) => {
        const socket = connect(Number(workerData.port), "127.0.0.1");
        let text = "";
        let isUpgrading = false;
        socket.on("data", (part) => {
          text += part.toString("latin1");
          const [head] = text.split("\\r\\n\\r\\n");
          const length = Number(/content-length: (\\d+)/i.exec(head)?.[1] ?? Infinity);
          if (isUpgrading || !(text.includes("</html>") || text.length >= head.length + 4 + length)) return;
          isUpgrading = true;
          socket.write("GET /ws HTTP/1.1\\r\\n" + workerData.own + upgrade + "\\r\\n\\r\\n");
        });
        socket.on("error", () => {}).on("close", () => resolve(/401 Unauthorized/.test(text) ? 401 : "closed"));
        socket.write("GET " + (round % 2 ? "/static/touch-icon.png" : "/login?round=" + round) + " HTTP/1.1\\r\\n" + workerData.own + "\\r\\n");
      });
      const statuses = new Set();
      for (let round = 0; round < 100; round += 1) statuses.add(await run(round));
      return [...statuses];`);
    expect(statuses).toEqual([401]);
  });

  test.each([
    ["a form", `POST /login HTTP/1.1\r\n${OWN}Origin: ${origin}\r\nContent-Length: 5\r\n\r\n`, "request"],
    ["CONNECT", `CONNECT evil.example:443 HTTP/1.1\r\n${OWN}\r\n`, "connect"],
  ])("is closed when %s has waited for ten seconds behind a response that is not read", async (_, bytes, event) => {
    const reader = await stalledReader();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const arrived = once(server, event);
    reader.socket.write(bytes);
    await arrived;
    vi.advanceTimersByTime(9_999);
    expect(reader.serverSocket.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(reader.serverSocket.destroyed).toBe(true);
    vi.useRealTimers();
    reader.socket.resume();
    expect(await reader.closed).not.toContain("HTTP/1.1 405");
  });

  test.each([
    ["an upgrade", `GET /ws HTTP/1.1\r\n${OWN}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, "upgrade"],
    ["CONNECT", `CONNECT evil.example:443 HTTP/1.1\r\n${OWN}\r\n`, "connect"],
  ])("can be reset while %s waits for the response before it, and the site goes on", async (_, bytes, event) => {
    const reader = await stalledReader();
    const arrived = once(server, event);
    reader.socket.write(bytes);
    await arrived;
    reader.socket.resetAndDestroy();
    await vi.waitFor(() => expect(reader.serverSocket.destroyed).toBe(true), { interval: 5 });
    expect((await visitor().get("/healthz")).status).toBe(200);
  });
});
