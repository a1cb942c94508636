import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { isApiRequest } from "./request-guard.server.ts";

const RETRY_AFTER_SECONDS = 5;
const RESTARTING = "We are restarting. Please try again in a few seconds.";

const inFlight = new Set<ServerResponse>();
let shuttingDown = false;

/** Whether the process is shutting down: it finishes running requests and accepts no new ones. */
export function isShuttingDown(): boolean {
  return shuttingDown;
}

/**
 * Counts a request as running until its response closes. During a shutdown responds with 503 and Retry-After, and
 * returns false.
 */
export function trackInFlightRequest(request: IncomingMessage, response: ServerResponse): boolean {
  if (shuttingDown) {
    const [path = ""] = (request.url ?? "").split("?");
    const isApi = isApiRequest({ path });
    const type = isApi ? "application/json" : "text/plain";
    const headers = { "Retry-After": RETRY_AFTER_SECONDS, "Content-Type": `${type}; charset=utf-8` };
    response.writeHead(503, { ...headers, "Cache-Control": "no-store", Connection: "close" });
    response.end(isApi ? JSON.stringify({ message: RESTARTING }) : `${RESTARTING}\n`);
    return false;
  }
  inFlight.add(response);
  response.once("close", () => inFlight.delete(response));
  return true;
}

/**
 * Stops listening and resolves when all running requests have finished, or are aborted after `timeoutMs`. Responses
 * that have not started get `Connection: close`.
 */
export async function drainRequests(server: Server, timeoutMs: number): Promise<void> {
  shuttingDown = true;
  const closed = new Promise((resolve) => server.once("close", resolve));
  server.close();
  const closeIdle = () => setImmediate(() => server.closeIdleConnections());
  for (const response of inFlight) {
    response.shouldKeepAlive = false;
    response.once("close", closeIdle);
  }
  closeIdle();
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  clearTimeout(timer);
}
