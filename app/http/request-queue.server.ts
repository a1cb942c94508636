import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { NextFunction, Request, Response } from "express";
import { env } from "../env.server.ts";
import { clientIp, networksOf } from "./client-ip.server.ts";
import { NetworkConcurrency } from "./network-concurrency.server.ts";

/** Maximum open connections of one peer (without a proxy in front; of an IPv6 /56 150, of a /48 200) and in all. */
export const CONNECTION_LIMITS = { address: 100, process: 2_000 };
/** Browsers and proxies don't pipeline requests; some other clients send a few. */
const MAX_PIPELINED_REQUESTS = 16;

type Connection = { peer: string; isBusy: boolean; waiting: (() => void)[] };

const connections = new Map<Socket, Connection>();
/** Connections without a running request, ordered by the start of their idle time. */
const idle = new Set<Socket>();
const countByNetwork = new NetworkConcurrency();

/**
 * Counts a new connection until it closes. Beyond a limit, closes the longest-idle connection of the same network or of
 * the process; if all are busy, closes the new one. Behind a proxy all visitors share the proxy's address, so only the
 * limit of the process applies.
 */
export function trackConnection(socket: Socket): void {
  const peer = env.clientIpHeader === null ? clientIp({ headers: {}, socket }) : "proxy";
  const isCounted = env.rateLimits && env.clientIpHeader === null;
  const fullNetwork = isCounted ? countByNetwork.findFull(peer, 1, CONNECTION_LIMITS.address) : null;
  if (fullNetwork || connections.size >= CONNECTION_LIMITS.process) {
    const isReplaceable = (each: Socket) =>
      !fullNetwork || networksOf(connections.get(each)?.peer ?? "").includes(fullNetwork);
    const replaced = [...idle].find(isReplaceable);
    if (!replaced) {
      socket.destroy();
      return;
    }
    forget(replaced);
    replaced.destroy();
  }
  connections.set(socket, { peer, isBusy: false, waiting: [] });
  if (env.clientIpHeader !== null || !countByNetwork.findFull(peer, 1, MAX_READ_FIRST)) queue.noteArrival();
  countByNetwork.add(peer, 1);
  idle.add(socket);
  socket.once("close", () => forget(socket));
}

function forget(socket: Socket): void {
  const connection = connections.get(socket);
  if (!connection) return;
  connections.delete(socket);
  idle.delete(socket);
  countByNetwork.add(connection.peer, -1);
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

/** Requests of one network (an IPv4 address, an IPv6 /48) whose answers are prepared at the same time. */
const MAX_RUNNING_OF_NETWORK = 8;
/** Ticks in a row in which new connections and requests are only read, before the next waiting request starts. */
const MAX_READING_TICKS = 64;
/** Connections and requests of one network that are read first: more would exceed `CONNECTION_LIMITS` unanswered. */
const MAX_READ_FIRST = 64;

/**
 * Starts one task per event loop tick, networks in rotation, so that a network with many tasks delays only itself. A
 * network with `maxRunning` counted tasks in progress waits until one of them is released. Node accepts one connection
 * per tick: while some arrive, no task starts for up to 64 ticks, because a connection that waits to be accepted behind
 * many others is known to no queue.
 */
export class FairTaskQueue {
  private readonly waiting = new Map<string, (() => void)[]>();
  private readonly running = new Map<string, number>();
  private readonly maxRunning: number;
  private isScheduled = false;
  private hasArrival = false;
  private readingTicks = 0;

  constructor(maxRunning: number) {
    this.maxRunning = maxRunning;
  }

  add(network: string, task: () => void): void {
    const tasks = this.waiting.get(network) ?? [];
    tasks.push(task);
    this.waiting.set(network, tasks);
    if (tasks.length <= MAX_READ_FIRST) this.noteArrival();
    this.schedule();
  }

  /** A connection or request has arrived in this tick. */
  noteArrival(): void {
    this.hasArrival = true;
  }

  /** Counts a task of the network as in progress. Returns the function that releases it; further calls change nothing. */
  acquire(network: string): () => void {
    this.running.set(network, this.countRunning(network) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const count = this.countRunning(network) - 1;
      if (count > 0) this.running.set(network, count);
      else this.running.delete(network);
      this.schedule();
    };
  }

  private countRunning(network: string): number {
    return this.running.get(network) ?? 0;
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.size === 0) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      const isReading = this.hasArrival && this.readingTicks < MAX_READING_TICKS;
      this.hasArrival = false;
      this.readingTicks = isReading ? this.readingTicks + 1 : 0;
      if (isReading) this.schedule();
      else this.startNext();
    });
  }

  private startNext(): void {
    for (const [network, tasks] of this.waiting) {
      if (this.countRunning(network) >= this.maxRunning) continue;
      const task = tasks.shift();
      this.waiting.delete(network);
      if (tasks.length > 0) this.waiting.set(network, tasks);
      this.schedule();
      task?.();
      return;
    }
  }
}

const queue = new FairTaskQueue(MAX_RUNNING_OF_NETWORK);

/**
 * Middleware that starts requests in a tick of their own, networks in rotation. A GET or HEAD counts as in progress until
 * its headers are written: a slow reader occupies none of its network's places. One that was given up is not started.
 */
export function waitForTurn(request: Request, response: Response, next: NextFunction): void {
  const network = networksOf(clientIp(request)).at(-1) ?? "";
  const isCounted = request.method === "GET" || request.method === "HEAD";
  queue.add(network, () => {
    if (response.closed) return;
    if (isCounted) {
      const release = queue.acquire(network);
      response.once("close", release);
      const writeHead: (...parameters: never[]) => unknown = response.writeHead.bind(response);
      Object.assign(response, {
        writeHead: (...parameters: never[]) => {
          release();
          return writeHead(...parameters);
        },
      });
    }
    next();
  });
}
