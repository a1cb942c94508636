// Proves how long connections may be idle, slow or stalled, and how many downloads are open at once.
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { textFile, uploadOrFail } from "../support/uploads.ts";
import { family, origin, server, visitor } from "../support/site.ts";
import { cookieHeader } from "../support/signalling-client.ts";

const { host, port } = new URL(origin);
const OWN = `Host: ${host}\r\n`;

afterEach(() => vi.useRealTimers());

/** A connection to the site: what it hears, and the same connection as the site has it. */
async function connection() {
  const theirs = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const socket = connect(Number(port), "127.0.0.1");
  let heard = "";
  socket.on("data", (part: Buffer) => (heard += part.toString("latin1")));
  socket.on("error", () => {});
  const closed = new Promise<string>((resolve) => socket.once("close", () => resolve(heard)));
  const hears = (pattern: RegExp) => vi.waitFor(() => expect(heard).toMatch(pattern), { interval: 5, timeout: 10_000 });
  return { socket, theirs: await theirs, closed, hears, heard: () => heard };
}

describe("a proxy that keeps its connection to us", () => {
  test("is never the second to close it: we keep an idle one longer than any proxy does", async () => {
    expect(server.keepAliveTimeout).toBeGreaterThan(600_000);
    const proxy = await connection();
    for (let times = 1; times <= 3; times += 1) {
      proxy.socket.write(`GET /healthz HTTP/1.1\r\n${OWN}\r\n`);
      await proxy.hears(new RegExp(`(HTTP/1.1 200[^]*"ok"[^]*){${times}}`));
      // The timers of connections are Node's own and obey no fake clock: what the connection itself waits for is read.
      await vi.waitFor(() => expect(proxy.theirs.timeout).toBeGreaterThan(600_000), { interval: 5 });
    }
    expect(proxy.heard()).toContain("Keep-Alive: timeout=620\r\n");
    proxy.socket.destroy();
  });

  test("may take a minute for the headers of a request, and not longer", () => {
    expect(server.headersTimeout).toBe(60_000);
  });
});

describe("an answer that moves no byte for a minute", () => {
  /** The minute is over; what Node does then is what it does here. */
  const minuteOver = (socket: Socket) => socket.emit("timeout");

  test("is ended, whoever does not read it, and the file behind it is let go", async () => {
    const maria = await family();
    const id = await uploadOrFail(maria, textFile(8_000_000));
    for (const path of [`/api/documents/${id}/download`, `/documents/archive.zip?id=${id}`]) {
      const reader = await connection();
      reader.socket.once("data", () => reader.socket.pause());
      reader.socket.write(`GET ${path} HTTP/1.1\r\n${OWN}Cookie: ${cookieHeader(maria)}\r\n\r\n`);
      await vi.waitFor(() => expect(reader.theirs.writableLength).toBeGreaterThan(0), { interval: 5, timeout: 60_000 });
      expect(reader.theirs.timeout).toBe(60_000);
      minuteOver(reader.theirs);
      reader.socket.resume();
      expect((await reader.closed).length).toBeLessThan(8_000_000);
    }
    expect((await maria.delete(`/api/documents/${id}`)).status).toBe(200);
  });

  test("is waited for while it has not begun: its work has a limit of its own", async () => {
    const maria = await family();
    const sender = await connection();
    const head = `POST /api/auth/login HTTP/1.1\r\n${OWN}Origin: ${origin}\r\nContent-Type: application/json\r\n`;
    sender.socket.write(`${head}Cookie: ${cookieHeader(maria)}\r\nContent-Length: 2\r\n\r\n`);
    await vi.waitFor(() => expect(sender.theirs.timeout).toBe(60_000), { interval: 5 });
    minuteOver(sender.theirs);
    expect([sender.theirs.destroyed, sender.theirs.timeout]).toEqual([false, 60_000]);
    sender.socket.write("{}");
    await sender.hears(/HTTP\/1\.1 422/);
    sender.socket.destroy();
  });
});

describe("a body that dribbles in is cut off after a minute", () => {
  test.each([
    ["a page from memory", "GET", "/"],
    ["a page that is made", "GET", "/login?anew"],
    ["health", "GET", "/healthz"],
    ["readiness", "GET", "/readyz"],
    ["a file of the build", "GET", "/robots.txt"],
    ["an address of nobody", "GET", "/nothing-here"],
    ["a form", "POST", "/login"],
    ["a call", "POST", "/api/auth/login"],
  ])("on %s", async (_, method, path) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const sender = await connection();
    const dispatched = new Promise((resolve) => server.once("request", resolve));
    sender.socket.write(`${method} ${path} HTTP/1.1\r\n${OWN}Origin: ${origin}\r\nContent-Length: 9\r\n\r\n{`);
    await dispatched;
    vi.advanceTimersByTime(60_000);
    await sender.closed;
    expect(sender.theirs.destroyed).toBe(true);
  });
});

describe("an offer of another protocol", () => {
  test.each(["h2c", "HTTP/2.0, h2c", "TLS/1.0", "websockets"])(
    "%s is left alone, and the page comes",
    async (offered) => {
      const visitor = await connection();
      const offer = `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: ${offered}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n`;
      visitor.socket.write(`GET / HTTP/1.1\r\n${OWN}${offer}\r\n`);
      await visitor.hears(/^HTTP\/1\.1 200 OK\r\n[^]*<\/html>/);
      visitor.socket.write(`GET /healthz HTTP/1.1\r\n${OWN}Connection: close\r\n\r\n`);
      expect(await visitor.closed).toMatch(/HTTP\/1\.1 200 OK[^]*HTTP\/1\.1 200 OK[^]*"ok"/);
    },
  );

  test("with a form leaves the form what it is", async () => {
    const visitor = await connection();
    const head = `POST /api/auth/login HTTP/1.1\r\n${OWN}Origin: ${origin}\r\nContent-Type: application/json\r\n`;
    visitor.socket.write(`${head}Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\n{}`);
    await visitor.hears(/^HTTP\/1\.1 422[^]*"errors"/);
    expect(visitor.theirs.destroyed).toBe(false);
    visitor.socket.destroy();
  });

  test.each(["evil.example:443", host, "127.0.0.1:22"])(
    "CONNECT %s is 405, and nothing is connected",
    async (target) => {
      const visitor = await connection();
      visitor.socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
      expect(await visitor.closed).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n[^]*Allow: GET, HEAD, POST\r\n/);
    },
  );
});

describe("many pages that one address asks for at once", () => {
  test("delay only that address: somebody else's page comes before most of them", async () => {
    const crowd = await family({ address: "127.0.9.1" });
    const other = await family({ address: "127.0.9.2" });
    let answered = 0;
    const pages = Array.from({ length: 90 }, async (_, index) => {
      const { status } = await crowd.get(`/request-consultation?page=${index}`);
      answered += 1;
      return status;
    });
    await vi.waitFor(() => expect(answered).toBeGreaterThan(0), { interval: 1, timeout: 60_000 });
    expect((await other.get("/request-consultation?other=1")).status).toBe(200);
    expect(answered).toBeLessThan(60);
    expect(new Set(await Promise.all(pages))).toEqual(new Set([200]));
  });

  test("that are given up are not prepared, and the next ones are", async () => {
    const asker = await connection();
    asker.socket.write(`GET /request-consultation?page=a HTTP/1.1\r\n${OWN}\r\n`);
    asker.socket.destroy();
    await asker.closed;
    for (let count = 0; count < 20; count += 1) expect((await visitor().get(`/register?x=${count}`)).status).toBe(200);
  });
});
