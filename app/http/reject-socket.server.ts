import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { COMMON_HEADERS, NON_HTML_CSP } from "./security-headers.server.ts";

/** How long a client that is still sending has to read the response before the connection is reset. */
const LINGER_MS = 2_000;

/**
 * Writes a response directly to a socket when there is no response object: for upgrades, CONNECT, and requests that
 * Node's parser rejects. Adds the common headers and closes the connection. Without a message, the response has no
 * body.
 */
export function rejectSocket(
  socket: Duplex,
  status: number,
  message: string | null,
  extraHeaders: Readonly<Record<string, string>> = {},
): void {
  // An error means that the client has reset the connection.
  socket.on("error", () => socket.destroy());
  const body = message === null ? "" : `${message}\n`;
  const headers = {
    ...COMMON_HEADERS,
    "Content-Security-Policy": NON_HTML_CSP,
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    Connection: "close",
    ...extraHeaders,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
}
