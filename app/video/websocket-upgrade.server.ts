import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { findUnrestrictedSession } from "../accounts/sessions/session.server.ts";
import { createHttpRequestLimiter, findCachedRequestOwner } from "../accounts/sessions/http-request-limit.server.ts";
import type { Session } from "../accounts/sessions/session-store.server.ts";
import { recordRefusedAttempt } from "../audit/record-refusals.server.ts";
import { clientIp } from "../http/client-ip.server.ts";
import { runInTurn, toTaskSource } from "../http/fair-queue/fair-queue-middleware.server.ts";
import { reserveClientIpSlot, RETRY_AFTER_SECONDS } from "../http/in-flight-requests.server.ts";
import { logError } from "../http/errors.server.ts";
import { HTTP_STATUS, type Refusal } from "../http/outcome.ts";
import { createNetworkLimiter } from "../http/rate-limit.server.ts";
import { pickOwnCookies } from "../http/request-cookies.server.ts";
import { hostErrorStatus, isAllowedHost, isSameOriginOrSessionless } from "../http/same-origin.server.ts";
import { rejectSocket } from "../http/reject-socket.server.ts";
import { isAcceptingSockets, completeUpgrade } from "./signaling.server.ts";
import { SOCKET_PATH } from "./signaling-protocol.ts";

const HANDSHAKE_WINDOW_SECONDS = 60;
/**
 * Limits handshakes per account, and for all anonymous clients together, behind one address. Failed handshakes count
 * too, because each one looks up a session.
 */
const handshakeLimiter = createHttpRequestLimiter("socket-handshakes", 300, HANDSHAKE_WINDOW_SECONDS);
/**
 * Limits handshakes per session in each network, so that a copied session used elsewhere does not exhaust the owner's
 * limit. A phone whose connection keeps failing retries at most three times a second at first, then every few seconds.
 */
const sessionHandshakeLimiter = createNetworkLimiter(
  "socket-handshakes-session",
  120,
  HANDSHAKE_WINDOW_SECONDS,
  "process",
);

const REJECTION_MESSAGES: Record<number, string> = {
  400: "That address can't be read.",
  401: "Please sign in.",
  403: "This request did not come from our own pages.",
  404: "Not found.",
  405: "That method is not allowed.",
  421: "This site does not answer under that address.",
  429: "Too many requests at once. Please wait a minute and try again.",
};

/**
 * Handles the upgrade of /ws: checks host, rate limits, path, method and origin, then, in the turn of its visitor among
 * the requests, the session. Refuses with an HTTP status.
 */
export async function handleWebSocketUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  const destroySocket = () => socket.destroy();
  socket.on("error", destroySocket);
  const release = reserveClientIpSlot(request);
  const authorization = release ? await authorizeUpgrade(request).catch(() => 503) : 429;
  release?.();
  if (socket.destroyed) return;
  if (typeof authorization === "number" || "reason" in authorization) {
    const status = typeof authorization === "number" ? authorization : HTTP_STATUS[authorization.reason];
    if (status === 403)
      void recordCrossOriginUpgrade(request).catch((error: unknown) => logError(error, "recording a refusal"));
    const message = REJECTION_MESSAGES[status] ?? "This address takes no calls just now.";
    return rejectSocket(socket, status, message, rejectionHeaders(authorization));
  }
  socket.off("error", destroySocket);
  completeUpgrade(request, socket, head, authorization, toTaskSource(clientIp(request), null).network);
}

function rejectionHeaders(rejection: number | Refusal): Record<string, string> {
  if (rejection === 405) return { Allow: "GET" };
  if (rejection === 429) return { "Retry-After": String(RETRY_AFTER_SECONDS) };
  return typeof rejection === "number" ? {} : { "Retry-After": String(rejection.retryAfterSeconds) };
}

/** Records that a page of another site tried to use the person's session. */
async function recordCrossOriginUpgrade(request: IncomingMessage): Promise<void> {
  const session = await runUpgradeInFairQueue(request, () => findUnrestrictedSession(request.headers.cookie ?? null));
  if (session) await recordRefusedAttempt(session.person.id, { action: "socket-refused" });
}

async function authorizeUpgrade(request: IncomingMessage): Promise<Session | Refusal | number> {
  return (
    (await consumeLimitAndFindUpgradeRefusal(request)) ??
    (await runUpgradeInFairQueue(request, () => authorizeSession(request)))
  );
}

async function runUpgradeInFairQueue<T>(request: IncomingMessage, operation: () => Promise<T>): Promise<T> {
  const owner = await findCachedRequestOwner({ headers: request.headers, path: SOCKET_PATH, method: "GET" });
  return runInTurn(toTaskSource(clientIp(request), owner), operation);
}

/** Checks what needs no query. Returns null for a handshake whose session is to be checked. */
async function consumeLimitAndFindUpgradeRefusal(request: IncomingMessage): Promise<Refusal | number | null> {
  if (!isAllowedHost(request)) return hostErrorStatus(request);
  if (request.headers.cookie !== undefined) request.headers.cookie = pickOwnCookies(request.headers.cookie);
  const rateLimitRefusal = await handshakeLimiter.consume(clientIp(request), request.headers.cookie ?? null);
  if (rateLimitRefusal) return rateLimitRefusal;
  const url = URL.parse(request.url ?? "/", "http://path.invalid");
  if (!url) return 400;
  if (url.pathname !== SOCKET_PATH) return 404;
  if (request.method !== "GET") return 405;
  return request.headers.origin !== undefined && !isSameOriginOrSessionless(request) ? 403 : null;
}

async function authorizeSession(request: IncomingMessage): Promise<Session | Refusal | number> {
  if (request.socket.destroyed) return 503;
  const { origin, cookie = null } = request.headers;
  const session = await findUnrestrictedSession(cookie);
  if (!session) return 401;
  // Browsers always send Origin with an upgrade: a signed-in request without one is not trusted.
  if (origin === undefined) return 403;
  const sessionRefusal = await sessionHandshakeLimiter.consume(clientIp(request), session.sid);
  if (sessionRefusal) return sessionRefusal;
  return isAcceptingSockets() ? session : 503;
}
