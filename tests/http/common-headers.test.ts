// Proves the headers that every response has.
import { connect } from "node:net";
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { environmentOverrides } from "../support/environment-overrides.ts";
import { createPeople } from "../support/people.ts";
import { cookieHeader } from "../support/signaling-client.ts";
import { PUBLIC_SITE } from "../support/test-environment.ts";

Object.assign(environmentOverrides, PUBLIC_SITE);
const { environment, server } = await import("../support/site.ts");
const ORIGIN = "https://practice.example";
const people = createPeople(ORIGIN, environment.PORT);
const maria = await people.family();
const HOST = "Host: practice.example\r\n";
const COOKIE = `Cookie: ${cookieHeader(maria)}\r\n`;
const LAST = "Connection: close\r\n";
const SOCKET = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n";
const KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
const asset = readdirSync("build/client/assets").find((name) => name.endsWith(".js"));
const cached = await people.visitor().get("/");

const COMMON = [
  "x-content-type-options: nosniff",
  "referrer-policy: same-origin",
  "cross-origin-opener-policy: same-origin",
  "x-frame-options: deny",
  "strict-transport-security: max-age=63072000; includesubdomains",
];

/** The head of the answer to these very bytes, in small letters, line by line. */
function headOf(bytes: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(environment.PORT), "127.0.0.1", () => socket.write(bytes));
    let received = "";
    socket.on("data", (part: Buffer) => {
      received += part.toString("latin1");
      if (!received.includes("\r\n\r\n")) return;
      socket.destroy();
      resolve(received.slice(0, received.indexOf("\r\n\r\n")).toLowerCase().split("\r\n"));
    });
    socket.on("error", reject).on("end", () => reject(new Error(`No head came: ${received}`)));
  });
}

const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\n${HOST}${more}${LAST}\r\n`;

describe("on a public site, every kind of response has the common headers, each once", () => {
  test.each([
    ["a cached page", 200, get("/")],
    ["an unmodified page", 304, get("/", `If-None-Match: ${cached.headers.etag}\r\n`)],
    ["a rendered page", 200, get("/login?anew")],
    ["a page for a signed-in user", 200, get("/dashboard", COOKIE)],
    ["a page's .data response", 200, get("/dashboard.data", COOKIE)],
    ["a .data response that redirects a visitor to sign-in", 202, get("/dashboard.data")],
    ["a .data request for a file", 404, get("/intake-form.txt.data", COOKIE)],
    ["a redirect", 302, get("/dashboard")],
    ["an unknown page", 404, get("/nothing-here")],
    ["a missing file of a signed-in user", 404, get("/intake-form.txt", COOKIE)],
    ["an API call", 200, get("/api/auth/me", COOKIE)],
    ["an API call without a session", 401, get("/api/auth/me")],
    ["an unknown API path", 404, get("/api/nothing-here", COOKIE)],
    ["an invalid API query", 400, get("/api/appointments/availability", COOKIE)],
    ["a build asset", 200, get(`/assets/${asset}`)],
    ["a compressed build asset", 200, get(`/assets/${asset}`, "Accept-Encoding: br\r\n")],
    ["a missing build asset", 404, get("/assets/nothing-here.js")],
    ["the favicon", 200, get("/favicon.ico")],
    ["robots.txt", 200, get("/robots.txt")],
    ["/healthz", 200, get("/healthz")],
    ["/readyz", 200, get("/readyz")],
    ["an unknown Host header", 421, `GET / HTTP/1.1\r\nHost: evil.example\r\n${LAST}\r\n`],
    ["an unknown method", 405, `PROPFIND / HTTP/1.1\r\n${HOST}${LAST}\r\n`],
    ["a path of 9 KB", 414, get(`/${"a".repeat(9000)}`)],
    ["a malformed path", 400, get("/%ff")],
    ["a form from another origin", 403, `POST /login HTTP/1.1\r\n${HOST}Origin: https://evil.example\r\n${LAST}\r\n`],
    ["an upload without a session", 401, `POST /api/documents HTTP/1.1\r\n${HOST}Origin: ${ORIGIN}\r\n${LAST}\r\n`],
    ["an unknown Expect header", 417, get("/", "Expect: the-moon\r\n")],
    ["a CONNECT request", 405, `CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n`],
    ["bytes that are not HTTP", 400, "HELO practice.example\r\n\r\n"],
    ["headers of 17 KB", 431, get("/", `X: ${"a".repeat(17_000)}\r\n`)],
    ["a WebSocket without a session", 401, `GET /ws HTTP/1.1\r\n${HOST}Origin: ${ORIGIN}\r\n${SOCKET}${KEY}\r\n`],
    [
      "a WebSocket from another origin",
      403,
      `GET /ws HTTP/1.1\r\n${HOST}Origin: https://evil.example\r\n${SOCKET}${KEY}\r\n`,
    ],
    ["a WebSocket at a malformed path", 400, `GET // HTTP/1.1\r\n${HOST}${SOCKET}${KEY}\r\n`],
    ["a WebSocket at another path", 404, `GET / HTTP/1.1\r\n${HOST}${SOCKET}${KEY}\r\n`],
    ["a WebSocket upgrade by POST", 405, `POST /ws HTTP/1.1\r\n${HOST}${SOCKET}${KEY}\r\n`],
    ["a WebSocket with an unknown Host header", 421, `GET /ws HTTP/1.1\r\nHost: evil.example\r\n${SOCKET}${KEY}\r\n`],
    ["a WebSocket without a key", 400, `GET /ws HTTP/1.1\r\n${HOST}${COOKIE}Origin: ${ORIGIN}\r\n${SOCKET}\r\n`],
  ])("%s", async (_, status, bytes) => {
    const [first = "", ...lines] = await headOf(bytes);
    expect(first).toContain(` ${status} `);
    expect(COMMON.filter((line) => !lines.includes(line))).toEqual([]);
    const names = lines.map((line) => line.slice(0, line.indexOf(":")));
    for (const once of ["content-security-policy", "permissions-policy", "cross-origin-resource-policy"]) {
      expect([once, names.filter((name) => name === once).length]).toEqual([once, 1]);
    }
    expect(names.filter((name, at) => name !== "set-cookie" && names.indexOf(name) !== at)).toEqual([]);
    expect(lines.find((line) => line.startsWith("content-security-policy"))).toMatch(
      /default-src 'none'.*frame-ancestors/,
    );
  });

  test.each([
    ["to a signed-in user", get("/api/auth/me", COOKIE)],
    ["to a visitor", get("/api/auth/me")],
    ["with 400", get("/api/appointments/availability", COOKIE)],
    ["with 404", get("/api/nothing-here")],
  ])("an API response %s has Cache-Control: private, no-store", async (_, bytes) => {
    expect(await headOf(bytes)).toContain("cache-control: private, no-store");
  });

  test("a request that times out (408)", async () => {
    const late = new Promise<void>((resolve) => {
      server.once("connection", (socket) => {
        server.emit("clientError", Object.assign(new Error("late"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
        resolve();
      });
    });
    const [first, ...lines] = await headOf("");
    await late;
    expect(first).toContain(" 408 ");
    expect(COMMON.filter((line) => !lines.includes(line))).toEqual([]);
  });
});

test("scripts, styles, SVG and text files name UTF-8 as their character set", async () => {
  const style = readdirSync("build/client/assets").find((name) => name.endsWith(".css"));
  const paths = [`/assets/${asset}`, `/assets/${style}`, "/static/favicon.svg", "/static/third-party-notices.txt"];
  for (const path of paths) {
    const types = (await headOf(get(path))).filter((line) => line.startsWith("content-type:"));
    expect([path, types]).toEqual([path, [expect.stringMatching(/;charset=utf-8$/)]]);
  }
});
