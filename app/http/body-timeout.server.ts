import type { IncomingMessage, ServerResponse } from "node:http";
import { drainAfterResponse } from "./drain-request.server.ts";

const BODY_TIMEOUT_MS = 60_000;

/**
 * Ends a request whose body has not come within a minute, unless it may take its time (`isLong`). Node has one such limit
 * for all requests of a server, so the server's own is that of the longest, and this one holds for the rest. It stands
 * before everything else: a page from memory and `/healthz` are answered long before a body is over, with GET as well.
 */
export function bodyTimeout(request: IncomingMessage, response: ServerResponse, isExempt: boolean): void {
  const { headers, socket } = request;
  if (headers["transfer-encoding"] === undefined && !(Number(headers["content-length"] ?? 0) > 0)) return;
  drainAfterResponse(request, response);
  if (isExempt) return;
  const timer = setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, BODY_TIMEOUT_MS);
  const clear = () => clearTimeout(timer);
  request.once("end", clear);
  request.once("close", clear);
}
