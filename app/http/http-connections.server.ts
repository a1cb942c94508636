import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { env } from "../env.server.ts";
import { hasDeclaredBody } from "./body-limits.server.ts";
import { clientIp, networksOf } from "./client-ip.server.ts";
import { NetworkConcurrency } from "./network-concurrency.server.ts";
import { noteConnectionArrival } from "./fair-queue/fair-queue-middleware.server.ts";
import { MAX_PRIORITY_READS } from "./fair-queue/fair-task-queue.server.ts";

/**
 * Maximum open connections of one peer, if there is no proxy in front (150 for an IPv6 /56, 200 for a /48), and of the
 * process.
 */
export const CONNECTION_LIMITS = { address: 100, process: 2_000 };
/**
 * Maximum number of waiting requests on one connection. Browsers and proxies don't pipeline requests; some other
 * clients send a few.
 */
const MAX_PIPELINED_REQUESTS = 16;
/** Maximum number of waiting requests of the process, without the first of each connection. */
const MAX_QUEUED_REQUESTS = 512;
/**
 * When no connection is left, a client is disconnected if its response takes longer than this, or if it has
 * `UNREAD_RESPONSE_THRESHOLD` unread responses.
 */
const MAX_RESPONSE_READ_MS = 5_000;
const UNREAD_RESPONSE_THRESHOLD = 20;
/**
 * How long a body or an upgrade may wait for the response before it to close. The client has read that response whole,
 * which is milliseconds before.
 */
const MAX_PRECEDING_RESPONSE_WAIT_MS = 10_000;

type HttpExchange = {
  request: IncomingMessage;
  response: ServerResponse;
  startedAt: number;
  bytesWrittenBefore: number;
  /** The response has closed. The next request starts in a later tick. */
  isFinished: boolean;
};
/** `currentExchange` is the latest request that was started, or null while the connection is idle. */
type Connection = {
  peer: string;
  currentExchange: HttpExchange | null;
  queuedRequests: (() => void)[];
  isUpgraded: boolean;
};

const connections = new Map<Socket, Connection>();
/** Connections without a running request, ordered by the start of their idle time. */
const idleSockets = new Set<Socket>();
const connectionConcurrency = new NetworkConcurrency();
let queuedCount = 0;
const downloadResponses = new WeakSet<ServerResponse>();

/**
 * Counts a new connection until it closes. Beyond a limit, closes the longest-idle connection of the same network (or
 * of the process). If none is idle, closes one whose client reads its response slowly. If there is none of those
 * either, closes the new connection. Behind a proxy all visitors share the proxy's address, so only the limit of the
 * process applies.
 */
export function admitConnection(socket: Socket): void {
  const peerAddress = env.clientIpHeader === null ? clientIp({ headers: {}, socket }) : "proxy";
  const isCounted = env.isRateLimitingEnabled && env.clientIpHeader === null;
  const networkAtLimit = isCounted
    ? connectionConcurrency.findNetworkAtLimit(peerAddress, 1, CONNECTION_LIMITS.address)
    : null;
  if (networkAtLimit || connections.size >= CONNECTION_LIMITS.process) {
    const isReplaceable = (each: Socket) =>
      !networkAtLimit || networksOf(connections.get(each)?.peer ?? "").includes(networkAtLimit);
    const replaceableSocket = [...idleSockets].find(isReplaceable) ?? findSlowReader(isReplaceable);
    if (!replaceableSocket) {
      socket.destroy();
      return;
    }
    destroyConnection(replaceableSocket);
  }
  connections.set(socket, { peer: peerAddress, currentExchange: null, queuedRequests: [], isUpgraded: false });
  if (env.clientIpHeader !== null || !connectionConcurrency.findNetworkAtLimit(peerAddress, 1, MAX_PRIORITY_READS))
    noteConnectionArrival();
  connectionConcurrency.add(peerAddress, 1);
  idleSockets.add(socket);
  socket.once("close", () => untrackConnection(socket));
}

/** Marks a response as a download. It may take a long time, has its own limits, and is never treated as read slowly. */
export function markDownload(response: ServerResponse): void {
  downloadResponses.add(response);
}

/** Returns the connection with the oldest unfinished response of the slow client that has the most of them. */
function findSlowReader(isReplaceable: (socket: Socket) => boolean): Socket | null {
  const slowReadsByClient = new Map<string, { count: number; socket: Socket; startedAt: number }>();
  for (const [socket, { currentExchange }] of connections) {
    if (!isUnfinishedResponse(currentExchange) || !isReplaceable(socket)) continue;
    const client = clientIp(currentExchange.request);
    const clientStats = slowReadsByClient.get(client);
    if (!clientStats) slowReadsByClient.set(client, { count: 1, socket, startedAt: currentExchange.startedAt });
    else {
      clientStats.count += 1;
      if (currentExchange.startedAt < clientStats.startedAt)
        Object.assign(clientStats, { socket, startedAt: currentExchange.startedAt });
    }
  }
  const now = performance.now();
  const slowClients = [...slowReadsByClient.values()].filter(
    ({ count, startedAt }) => count >= UNREAD_RESPONSE_THRESHOLD || now - startedAt > MAX_RESPONSE_READ_MS,
  );
  return slowClients.toSorted((a, b) => b.count - a.count)[0]?.socket ?? null;
}

function isUnfinishedResponse(exchange: HttpExchange | null): exchange is HttpExchange {
  return exchange !== null && exchange.response.headersSent && !downloadResponses.has(exchange.response);
}

/** A connection whose client is reading a response that is not a download. */
type ReadingConnection = { socket: Socket; exchange: HttpExchange };

export function* readingConnections(): Generator<ReadingConnection> {
  for (const [socket, { currentExchange: exchange }] of connections)
    if (isUnfinishedResponse(exchange)) yield { socket, exchange };
}

/** Node's HTTP parser of a connection. tests/http/connections.test.ts holds these undocumented properties. */
type Parser = { onIncoming: () => number; [ON_BODY_CALLBACK_INDEX]: unknown };
/** Index of the parser's callback for a chunk of a body (`HTTPParser.kOnBody`). */
const ON_BODY_CALLBACK_INDEX = 3;
/** Tells the parser that a connection is upgraded, so that it stops after this request's headers. */
const UPGRADED_RESULT = 2;

/**
 * Closes a connection whose client exceeds a limit. Destroying its socket is not enough: Node's parser would finish the
 * up to 64 KB that it has read, with thousands of requests or chunks.
 */
export function destroyConnection(socket: Socket): void {
  untrackConnection(socket);
  const { parser } = socket as Socket & { parser?: Parser | null };
  const onBody = parser?.[ON_BODY_CALLBACK_INDEX];
  if (parser && onBody) {
    parser.onIncoming = () => UPGRADED_RESULT;
    parser[ON_BODY_CALLBACK_INDEX] = null;
    // Node uses a parser again after the socket's close event, which comes later than this: no caller runs in
    // between.
    setImmediate(() => (parser[ON_BODY_CALLBACK_INDEX] = onBody));
  }
  socket.destroy();
}

function untrackConnection(socket: Socket): void {
  const connection = connections.get(socket);
  if (!connection) return;
  connections.delete(socket);
  idleSockets.delete(socket);
  connectionConcurrency.add(connection.peer, -1);
  queuedCount -= countQueuedBeyondFirst(connection);
  connection.queuedRequests.length = 0;
}

/** The client of the first one may have read the response before it whole. */
const countQueuedBeyondFirst = ({ queuedRequests }: Connection) => Math.max(0, queuedRequests.length - 1);

/**
 * Calls `handle` in a tick after all earlier requests of the connection have finished. Node parses up to 64 KB of
 * pipelined requests in one tick and would otherwise start them all. Closes a connection with more than 16 waiting
 * requests or one that the process has no room for. A body behind a request without a response closes it, too: no
 * browser or proxy sends that, and no limit would apply. A client that has read a response whole may be ahead of the
 * server, which has not closed it.
 */
export function enqueueRequest(request: IncomingMessage, response: ServerResponse, handle: () => void): void {
  const { socket } = request;
  const connection = connections.get(socket);
  // A connection that is no longer writable was told to close.
  if (!connection || !socket.writable) {
    destroyConnection(socket);
    return;
  }
  const { currentExchange, queuedRequests } = connection;
  const hasBody = hasDeclaredBody(request);
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    clearTimeout(timer);
    const running = { request, response, startedAt: performance.now(), bytesWrittenBefore: socket.bytesWritten };
    connection.currentExchange = { ...running, isFinished: false };
    response.once("close", () => startNextRequest(socket, connection));
    handle();
  };
  const isNext = queuedRequests.length === 0 && currentExchange?.response.headersSent;
  if (currentExchange === null) {
    idleSockets.delete(socket);
    start();
    return;
  }
  const isQueueFull =
    queuedRequests.length > 0 &&
    (queuedRequests.length >= MAX_PIPELINED_REQUESTS || queuedCount >= MAX_QUEUED_REQUESTS);
  if (isQueueFull || (hasBody && !isNext)) {
    destroyConnection(socket);
    return;
  }
  if (queuedRequests.push(start) > 1) queuedCount += 1;
  if (hasBody) timer = setTimeout(() => destroyConnection(socket), MAX_PRECEDING_RESPONSE_WAIT_MS);
}

/** Starts the next request of a connection in a later tick, so that other connections are served in between. */
function startNextRequest(socket: Socket, connection: Connection): void {
  if (connection.currentExchange) connection.currentExchange.isFinished = true;
  setImmediate(() => {
    queuedCount -= Math.min(1, countQueuedBeyondFirst(connection));
    const next = connection.queuedRequests.shift();
    if (next) return socket.writable && next();
    connection.currentExchange = null;
    if (connections.has(socket) && !connection.isUpgraded) idleSockets.add(socket);
  });
}

/**
 * Calls `handle` when the response before an upgrade has closed. From then on the connection is still counted but never
 * idle. A response that the client has not read whole does not go on, because Node has removed its listeners. Closes a
 * connection on which the upgrade would wait behind a request without a response.
 */
export function enqueueUpgrade(socket: Socket, handle: () => void): void {
  const connection = connections.get(socket);
  const { currentExchange = null, queuedRequests = [] } = connection ?? {};
  if (!connection || !socket.writable || queuedRequests.length > 0 || currentExchange?.response.headersSent === false) {
    destroyConnection(socket);
    return;
  }
  // Node has removed its listener, and a reset would end the process.
  socket.on("error", () => socket.destroy());
  connection.isUpgraded = true;
  idleSockets.delete(socket);
  if (currentExchange === null || currentExchange.isFinished) {
    handle();
    return;
  }
  const timer = setTimeout(() => destroyConnection(socket), MAX_PRECEDING_RESPONSE_WAIT_MS);
  currentExchange.response.once("close", () => {
    clearTimeout(timer);
    if (socket.writable) handle();
  });
}
