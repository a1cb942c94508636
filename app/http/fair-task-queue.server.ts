import type { NextFunction, Request, Response } from "express";
import { clientIp, networksOf } from "./client-ip.server.ts";

/** Maximum requests of one network (an IPv4 address, an IPv6 /48) whose responses are prepared at the same time. */
const MAX_RUNNING_OF_NETWORK = 8;
/** Maximum consecutive ticks in which new connections and requests are only read, before the next queued request starts. */
const MAX_DEFERRED_TICKS = 64;
/**
 * Maximum connections and requests of one network that are read before tasks start. With more, the unanswered ones
 * could exceed `CONNECTION_LIMITS`.
 */
export const MAX_PRIORITY_READS = 64;

/**
 * Starts one task per event loop tick and takes the networks in turn, so that a network with many tasks delays only its
 * own. A network with `maxRunning` counted tasks in progress waits until one of them is released. Node accepts one
 * connection per tick. While connections arrive, no task starts for up to 64 ticks, so that the requests of connections
 * in the accept backlog are also queued fairly.
 */
export class FairTaskQueue {
  private readonly waiting = new Map<string, (() => void)[]>();
  private readonly running = new Map<string, number>();
  private readonly maxRunning: number;
  private isScheduled = false;
  private hasNewArrival = false;
  private deferredTicks = 0;

  constructor(maxRunning: number) {
    this.maxRunning = maxRunning;
  }

  add(network: string, task: () => void): void {
    const tasks = this.waiting.get(network) ?? [];
    tasks.push(task);
    this.waiting.set(network, tasks);
    if (tasks.length <= MAX_PRIORITY_READS) this.markArrival();
    this.schedule();
  }

  /** Records that a connection or request has arrived in this tick. */
  markArrival(): void {
    this.hasNewArrival = true;
  }

  /**
   * Counts a task of the network as in progress. Returns a function that releases it. Calling it again has no effect.
   */
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
      const isReading = this.hasNewArrival && this.deferredTicks < MAX_DEFERRED_TICKS;
      this.hasNewArrival = false;
      this.deferredTicks = isReading ? this.deferredTicks + 1 : 0;
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

/** Records that a connection has arrived in this tick whose request should be read before tasks start. */
export function markConnectionAccepted(): void {
  queue.markArrival();
}

/**
 * Express middleware that starts each request in its own tick, taking the networks in turn. A GET or HEAD request
 * counts as in progress until its headers are written, so a client that reads slowly does not use up its network's
 * limit. A request that the client has aborted is not started.
 */
export function fairQueueMiddleware(request: Request, response: Response, next: NextFunction): void {
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
