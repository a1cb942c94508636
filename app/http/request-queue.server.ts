import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { env } from "../env.server.ts";
import { clientIp } from "./client-ip.server.ts";

/** Open connections: of one peer where no proxy stands in front, and of the whole process. */
export const CONNECTION_LIMITS = { address: 100, process: 2_000 };
/** Browsers and proxies pipeline no requests at all; some programs send a few. */
const MAX_PIPELINED_REQUESTS = 16;

type Connection = { address: string; isBusy: boolean; waiting: (() => void)[] };

const connections = new Map<Socket, Connection>();
/** Connections without a request, the one that is idle for the longest time first. */
const idle = new Set<Socket>();
const countByAddress = new Map<string, number>();

/**
 * Counts a new connection until it closes. One too many closes the connection that has been idle for the longest time,
 * of the same peer or of the process; where all are busy the new one is closed. Behind a proxy all visitors have the
 * proxy's address, so that only the limit of the process holds.
 */
export function admitConnection(socket: Socket): void {
  const address = env.clientIpHeader === null ? clientIp({ headers: {}, socket }) : "proxy";
  const count = countByAddress.get(address) ?? 0;
  const isAddressFull = env.rateLimits && env.clientIpHeader === null && count >= CONNECTION_LIMITS.address;
  if (isAddressFull || connections.size >= CONNECTION_LIMITS.process) {
    const replaced = [...idle].find((each) => !isAddressFull || connections.get(each)?.address === address);
    if (!replaced) {
      socket.destroy();
      return;
    }
    forget(replaced);
    replaced.destroy();
  }
  connections.set(socket, { address, isBusy: false, waiting: [] });
  countByAddress.set(address, (countByAddress.get(address) ?? 0) + 1);
  idle.add(socket);
  socket.once("close", () => forget(socket));
}

function forget(socket: Socket): void {
  const connection = connections.get(socket);
  if (!connection) return;
  connections.delete(socket);
  idle.delete(socket);
  const count = (countByAddress.get(connection.address) ?? 1) - 1;
  if (count > 0) countByAddress.set(connection.address, count);
  else countByAddress.delete(connection.address);
}

/**
 * Starts `handle` when all earlier requests of the connection are answered: Node parses up to 64 KB of pipelined requests
 * in one turn of the event loop and would start them all. A connection with more than 16 waiting requests is closed.
 */
export function enqueueRequest(
  { socket }: Pick<IncomingMessage, "socket">,
  response: { once(event: "close", listener: () => void): unknown },
  handle: () => void,
): void {
  const connection = connections.get(socket);
  // Closed meanwhile, as one too many.
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

/** Others get a turn of the event loop between two requests of one connection. */
function startNext(socket: Socket, connection: Connection): void {
  const next = connection.waiting.shift();
  if (next) setImmediate(() => socket.destroyed || next());
  else {
    connection.isBusy = false;
    if (connections.has(socket)) idle.add(socket);
  }
}

/** A connection that leaves HTTP is counted on, and never idle. False while a request on it has no answer yet. */
export function canUpgrade(socket: Socket): boolean {
  idle.delete(socket);
  return connections.get(socket)?.isBusy === false;
}

const turns: (() => void)[] = [];

/** Resolves in a turn of the event loop that no other caller shares: what is quick is answered between two renders. */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (turns.push(resolve) === 1) setImmediate(startTurn);
  });
}

function startTurn(): void {
  turns.shift()?.();
  if (turns.length > 0) setImmediate(startTurn);
}
