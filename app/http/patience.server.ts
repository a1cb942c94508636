import type { IncomingMessage, ServerResponse } from "node:http";
import { swallowLeftover } from "./leftover.server.ts";

const LONGEST_BODY_MS = 60_000;

/**
 * Ends a request whose body has not come within a minute, unless it may take its time (`isLong`). Node has one such limit
 * for all requests of a server, so the server's own is that of the longest, and this one holds for the rest. It stands
 * before everything else: a page from memory and `/healthz` are answered long before a body is over, with GET as well.
 */
export function limitBodyTime(request: IncomingMessage, response: ServerResponse, isLong: boolean): void {
  const { headers, socket } = request;
  if (headers["transfer-encoding"] === undefined && !(Number(headers["content-length"] ?? 0) > 0)) return;
  swallowLeftover(request, response);
  if (isLong) return;
  const end = setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, LONGEST_BODY_MS);
  const stop = () => clearTimeout(end);
  request.once("end", stop);
  request.once("close", stop);
}
