import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { env } from "../env.server.ts";
import { clientIp, networksOf } from "./client-ip.server.ts";
import { NetworkConcurrency } from "./network-concurrency.server.ts";

/** Maximum open connections of one peer (without a proxy in front; of an IPv6 /56 150, of a /48 200) and in all. */
export const CONNECTION_LIMITS = { address: 100, process: 2_000 };
/** Browsers and proxies don't pipeline requests; some other clients send a few. */
const MAX_PIPELINED_REQUESTS = 16;

type Connection = { address: string; isBusy: boolean; waiting: (() => void)[] };

const connections = new Map<Socket, Connection>();
/** Connections without a running request, ordered by the start of their idle time. */
const idle = new Set<Socket>();
const countByNetwork = new NetworkConcurrency();

/**
 * Counts a new connection until it closes. Beyond a limit, closes the longest-idle connection of the same network or of
 * the process; if all are busy, closes the new one. Behind a proxy all visitors share the proxy's address, so only the
 * limit of the process applies.
 */
export function admitConnection(socket: Socket): void {
  const address = env.clientIpHeader === null ? clientIp({ headers: {}, socket }) : "proxy";
  const isCounted = env.rateLimits && env.clientIpHeader === null;
  const fullNetwork = isCounted ? countByNetwork.findFull(address, 1, CONNECTION_LIMITS.address) : null;
  if (fullNetwork || connections.size >= CONNECTION_LIMITS.process) {
    const isReplaceable = (each: Socket) =>
      !fullNetwork || networksOf(connections.get(each)?.address ?? "").includes(fullNetwork);
    const replaced = [...idle].find(isReplaceable);
    if (!replaced) {
      socket.destroy();
      return;
    }
    forget(replaced);
    replaced.destroy();
  }
  connections.set(socket, { address, isBusy: false, waiting: [] });
  countByNetwork.add(address, 1);
  idle.add(socket);
  socket.once("close", () => forget(socket));
}

function forget(socket: Socket): void {
  const connection = connections.get(socket);
  if (!connection) return;
  connections.delete(socket);
  idle.delete(socket);
  countByNetwork.add(connection.address, -1);
}

/**
 * Calls `handle` when all earlier requests of the connection have finished: Node parses up to 64 KB of pipelined
 * requests in one tick and would start them all. Closes a connection with more than 16 waiting requests.
 */
export function enqueueRequest(
  { socket }: Pick<IncomingMessage, "socket">,
  response: { once(event: "close", listener: () => void): unknown },
  handle: () => void,
): void {
  const connection = connections.get(socket);
  // The connection was closed because it was beyond a limit.
  if (!connection) return;
  const start = () => {
    response.once("close", () => startNext(socket, connection));
    handle();
  };
  if (!connection.isBusy) {
    connection.isBusy = true;
    idle.delete(socket);
    start();
  } else if (connection.waiting.push(start) > MAX_PIPELINED_REQUESTS) {
    connection.waiting.length = 0;
    forget(socket);
    socket.destroy();
  }
}

/** Yields to other connections between two requests of one connection. */
function startNext(socket: Socket, connection: Connection): void {
  const next = connection.waiting.shift();
  if (next) setImmediate(() => socket.destroyed || next());
  else {
    connection.isBusy = false;
    if (connections.has(socket)) idle.add(socket);
  }
}

/**
 * Marks a connection as upgraded: it still counts and is never idle. Returns false while one of its requests is
 * running.
 */
export function markUpgraded(socket: Socket): boolean {
  idle.delete(socket);
  return connections.get(socket)?.isBusy === false;
}

const waitingForTick: (() => void)[] = [];

/**
 * Middleware that continues in an event loop tick of its own, so that quick requests are handled between two renders.
 */
export function waitForOwnTick(_request: unknown, _response: unknown, next: () => void): void {
  if (waitingForTick.push(next) === 1) setImmediate(continueNext);
}

function continueNext(): void {
  waitingForTick.shift()?.();
  if (waitingForTick.length > 0) setImmediate(continueNext);
}
