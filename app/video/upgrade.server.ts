import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { findVisit } from "../accounts/session.server.ts";
import { isOwnHost, isOwnRequest } from "../http/own-site.server.ts";
import { SOCKET_PATH } from "./signals.ts";

/**
 * The door of the video visits' socket, judged as every other: our Host and Origin first, then a live session. Behind
 * it nothing is built yet, so who may come in hears 501.
 */
export async function answerUpgrade(request: IncomingMessage, socket: Duplex): Promise<void> {
  socket.on("error", () => socket.destroy());
  const status = await verdict(request).catch(() => 503);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

async function verdict(request: IncomingMessage): Promise<number> {
  if (!isOwnHost(request.headers)) return 421;
  if (new URL(request.url ?? "/", "http://path.invalid").pathname !== SOCKET_PATH) return 404;
  // Browsers always name their Origin here; a program that doesn't can't be told from another site's.
  if (request.headers.origin === undefined || !isOwnRequest(request)) return 403;
  return (await findVisit(request.headers.cookie ?? null)) ? 501 : 401;
}
