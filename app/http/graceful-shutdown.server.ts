import type { IncomingMessage, Server, ServerResponse } from "node:http";

const RETRY_AFTER_SECONDS = 5;

const inFlight = new Set<ServerResponse>();
let shuttingDown = false;

/** Whether the process has been told to end: it finishes what it began and begins nothing. */
export function isShuttingDown(): boolean {
  return shuttingDown;
}

/** Counts a request among those that the end waits for. Once the end has begun it is refused, with when to come back. */
export function trackRequest(_request: IncomingMessage, response: ServerResponse): boolean {
  if (shuttingDown) {
    const headers = { "Retry-After": RETRY_AFTER_SECONDS, "Content-Type": "text/plain; charset=utf-8" };
    response.writeHead(503, { ...headers, "Cache-Control": "no-store", Connection: "close" });
    response.end("We are restarting. Please try again in a few seconds.\n");
    return false;
  }
  inFlight.add(response);
  response.once("close", () => inFlight.delete(response));
  return true;
}

/**
 * Takes no more connections, and ends when the last request has its answer; those that still run after `mostMs` are cut.
 * An answer that has not begun tells its browser that the connection ends with it.
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
