import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { env } from "../env.server.ts";
import { clientIp } from "./client-ip.server.ts";
import { NetworkConcurrency } from "./network-concurrency.server.ts";
import { HTTP_STATUS } from "./outcome.ts";
import { addCommonHeaders } from "./protocol-handlers.server.ts";
import { isApiRequest } from "./request-guard.server.ts";

export const RETRY_AFTER_SECONDS = 5;
const RESTARTING_MESSAGE = "We are restarting. Please try again in a few seconds.";

const TOO_MANY_REQUESTS_MESSAGE = "Too many requests at once. Please try again in a few seconds.";

/**
 * Maximum requests in progress of one visitor behind a proxy, which sends the requests of all visitors on its own
 * connections. 150 for an IPv6 /56, 200 for a /48.
 */
const MAX_REQUESTS_PER_CLIENT_IP = 100;

const inFlightResponses = new Set<ServerResponse>();
const clientIpConcurrency = new NetworkConcurrency();
let hasShutdownStarted = false;

/** Returns whether the process is shutting down. It then finishes the running requests and accepts no new ones. */
export function isShuttingDown(): boolean {
  return hasShutdownStarted;
}

/**
 * Counts a request as running until its response closes. During a shutdown, responds with 503 and Retry-After and
 * returns false.
 */
export function admitInFlightRequest(request: IncomingMessage, response: ServerResponse): boolean {
  if (hasShutdownStarted) {
    writeRejection(request, response, HTTP_STATUS.unavailable, RESTARTING_MESSAGE);
    return false;
  }
  inFlightResponses.add(response);
  response.once("close", () => inFlightResponses.delete(response));
  return true;
}

/**
 * Counts a request or WebSocket handshake for its visitor. Returns a function that ends this, to be called once; null
 * for the 101st simultaneous one of an address behind a proxy. Without a proxy it counts nothing, because connections
 * are limited instead.
 */
export function reserveClientIpSlot(request: IncomingMessage): (() => void) | null {
  if (env.clientIpHeader === null || !env.isRateLimitingEnabled) return () => {};
  const ip = clientIp(request);
  if (clientIpConcurrency.findNetworkAtLimit(ip, 1, MAX_REQUESTS_PER_CLIENT_IP)) return null;
  clientIpConcurrency.add(ip, 1);
  return () => clientIpConcurrency.add(ip, -1);
}

/**
 * Counts a request for its visitor until its response closes. If there are too many (`reserveClientIpSlot`), responds
 * with 429 and Retry-After and returns false.
 */
export function admitRequestOfClientIp(request: IncomingMessage, response: ServerResponse): boolean {
  const release = reserveClientIpSlot(request);
  if (release) response.once("close", release);
  else {
    addCommonHeaders(request, response);
    writeRejection(request, response, HTTP_STATUS.tooMany, TOO_MANY_REQUESTS_MESSAGE);
  }
  return release !== null;
}

function writeRejection(request: IncomingMessage, response: ServerResponse, status: number, message: string): void {
  const [path = ""] = (request.url ?? "").split("?");
  const isApi = isApiRequest({ path });
  const type = isApi ? "application/json" : "text/plain";
  const headers = { "Retry-After": RETRY_AFTER_SECONDS, "Content-Type": `${type}; charset=utf-8` };
  response.writeHead(status, { ...headers, "Cache-Control": "no-store", Connection: "close" });
  response.end(isApi ? JSON.stringify({ message }) : `${message}\n`);
}

/**
 * Stops listening. Resolves when all running requests have finished or, after `timeoutMs`, have been aborted. Responses
 * that have not started get `Connection: close`.
 */
export async function drainRequests(server: Server, timeoutMs: number): Promise<void> {
  hasShutdownStarted = true;
  const serverClosed = new Promise((resolve) => server.once("close", resolve));
  server.close();
  const closeIdleConnections = () => setImmediate(() => server.closeIdleConnections());
  for (const response of inFlightResponses) {
    response.shouldKeepAlive = false;
    response.once("close", closeIdleConnections);
  }
  closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await serverClosed;
  clearTimeout(timer);
}
