import type { IncomingMessage, Server, ServerResponse } from "node:http";

const RETRY_SECONDS = 5;

const underWay = new Set<ServerResponse>();
let isEnding = false;

/** Whether the process has been told to end: it finishes what it began and begins nothing. */
export function isStopping(): boolean {
  return isEnding;
}

/** Counts a request among those that the end waits for. Once the end has begun it is refused, with when to come back. */
export function admit(_request: IncomingMessage, response: ServerResponse): boolean {
  if (isEnding) {
    const headers = { "Retry-After": RETRY_SECONDS, "Content-Type": "text/plain; charset=utf-8" };
    response.writeHead(503, { ...headers, "Cache-Control": "no-store", Connection: "close" });
    response.end("We are restarting. Please try again in a few seconds.\n");
    return false;
  }
  underWay.add(response);
  response.once("close", () => underWay.delete(response));
  return true;
}

/**
 * Takes no more connections, and ends when the last request has its answer; those that still run after `mostMs` are cut.
 * An answer that has not begun tells its browser that the connection ends with it.
 */
export async function finishRequests(server: Server, mostMs: number): Promise<void> {
  isEnding = true;
  const closed = new Promise((resolve) => server.once("close", resolve));
  server.close();
  const closeIdle = () => setImmediate(() => server.closeIdleConnections());
  for (const response of underWay) {
    response.shouldKeepAlive = false;
    response.once("close", closeIdle);
  }
  closeIdle();
  const patience = setTimeout(() => server.closeAllConnections(), mostMs);
  await closed;
  clearTimeout(patience);
}
