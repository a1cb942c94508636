import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { COMMON_HEADERS, NON_HTML_CSP } from "./headers.server.ts";

/** A sender that is still writing gets this long to read its answer before the connection is reset. */
const LINGER_MS = 2_000;

/**
 * Answers on the connection itself, where there is no response object: upgrades, CONNECT, and what Node's parser
 * refuses. Carries what every answer carries, and ends the connection.
 */
export function refuseSocket(
  socket: Duplex,
  status: number,
  message: string,
  more: Readonly<Record<string, string>> = {},
): void {
  // Reset by the other side meanwhile: there is nobody left to tell.
  socket.on("error", () => socket.destroy());
  const body = `${message}\n`;
  const headers = {
    ...COMMON_HEADERS,
    "Content-Security-Policy": NON_HTML_CSP,
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    Connection: "close",
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
}
