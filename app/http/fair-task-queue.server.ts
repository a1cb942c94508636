import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "express";
import { clientIp, networksOf } from "./client-ip.server.ts";
import { isSafeMethod } from "./same-origin.server.ts";

/** Maximum requests of one network (an IPv4 address, an IPv6 /48) that are processed at the same time. */
const MAX_RUNNING_OF_NETWORK = 8;
/** Maximum consecutive ticks in which new connections and requests are only read, before the next queued request starts. */
const MAX_DEFERRED_TICKS = 64;
/**
 * Maximum connections and requests of one network that are read before tasks start. With more, the unanswered ones
 * could exceed `CONNECTION_LIMITS`.
 */
export const MAX_PRIORITY_READS = 64;

/** Who sent a task: an account, a device or an address (`requester`), and its widest network. */
export type TaskSource = { network: string; requester: string };

/**
 * Starts one task per event loop tick and takes the networks in turn, and in each network its requesters, so that a
 * requester with many tasks delays only its own. A network with `maxRunning` running tasks waits until one of them is
 * released. Node accepts one connection per tick. While connections arrive, no task starts for up to 64 ticks, so that
 * the requests of connections in the accept backlog are also queued fairly.
 */
export class FairTaskQueue {
  private readonly waiting = new Map<string, Map<string, (() => void)[]>>();
  private readonly running = new Map<string, number>();
  private readonly maxRunning: number;
  private isScheduled = false;
  private hasNewArrival = false;
  private deferredTicks = 0;

  constructor(maxRunning: number) {
    this.maxRunning = maxRunning;
  }

  add({ network, requester }: TaskSource, task: () => void): void {
    const requesters = this.waiting.get(network) ?? new Map<string, (() => void)[]>();
    requesters.set(requester, [...(requesters.get(requester) ?? []), task]);
    this.waiting.set(network, requesters);
    if ([...requesters.values()].flat().length <= MAX_PRIORITY_READS) this.markArrival();
    this.schedule();
  }

  /** Records that a connection or request has arrived in this tick. */
  markArrival(): void {
    this.hasNewArrival = true;
  }

  /** Counts a task of the network as running. Returns a function that releases it. Calling it again has no effect. */
  acquire({ network }: TaskSource): () => void {
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
    for (const [network, requesters] of this.waiting) {
      if (this.countRunning(network) >= this.maxRunning) continue;
      const [[requester, [task, ...others]] = ["", []]] = requesters;
      requesters.delete(requester);
      if (others.length > 0) requesters.set(requester, others);
      this.waiting.delete(network);
      if (requesters.size > 0) this.waiting.set(network, requesters);
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

/** Counts a request as running while it is processed, but not while it waits for what this process doesn't do. */
class RequestSlot {
  readonly request: IncomingMessage;
  private readonly source: TaskSource;
  private releaseTask: (() => void) | null = null;
  private isFinished = false;

  constructor(request: IncomingMessage, source: TaskSource) {
    this.request = request;
    this.source = source;
  }

  acquire(): void {
    if (!this.isFinished) this.releaseTask ??= queue.acquire(this.source);
  }

  release(): void {
    this.releaseTask?.();
    this.releaseTask = null;
  }

  finish(): void {
    this.isFinished = true;
    this.release();
  }

  /** Resolves in the request's turn, with the slot acquired. */
  waitForTurn(): Promise<void> {
    return new Promise((resolve) => {
      queue.add(this.source, () => {
        this.acquire();
        resolve();
      });
    });
  }
}

const slots = new AsyncLocalStorage<RequestSlot>();

/**
 * Express middleware that starts each request in its own tick, taking in turn the networks and in each of them the
 * requesters. `findRequester` returns the account or device of a Cookie header; all others of an address are one
 * requester. A request counts as running until its headers are written, so a client that reads slowly does not use up
 * its limit. Changing requests of strangers don't count: their own limits allow few that do any work. A request that the
 * client has aborted is not started.
 */
export function fairQueueMiddleware(
  findRequester: (cookieHeader: string | null) => Promise<{ key: string } | null>,
): RequestHandler {
  return async (request, response, next) => {
    const networks = networksOf(clientIp(request));
    const requester = await findRequester(request.headers.cookie ?? null);
    const slot = new RequestSlot(request, {
      network: networks.at(-1) ?? "",
      requester: requester?.key ?? networks[0] ?? "",
    });
    await slot.waitForTurn();
    if (response.closed) return slot.finish();
    if (!requester && !isSafeMethod(request.method)) {
      slot.finish();
      return next();
    }
    response.once("close", () => slot.finish());
    const writeHead: (...parameters: never[]) => unknown = response.writeHead.bind(response);
    Object.assign(response, {
      writeHead: (...parameters: never[]) => {
        slot.finish();
        return writeHead(...parameters);
      },
    });
    slots.run(slot, next);
  };
}

/**
 * Receives the body of the request in progress. While the client is still sending it, the request doesn't count as
 * running, and waits for its turn afterward. It must not hold anything that another request of its network waits for.
 */
export async function queueAfterReceiving<T>(receive: () => Promise<T>): Promise<T> {
  const slot = slots.getStore();
  if (!slot || slot.request.complete) return receive();
  slot.release();
  try {
    return await receive();
  } finally {
    await slot.waitForTurn();
  }
}

/**
 * Waits for another thread or machine, during which the request in progress doesn't count as running. It then goes on
 * at once, because it may hold a lock that the other requests of its network wait for.
 */
export async function runOutsideSlot<T>(operation: () => Promise<T>): Promise<T> {
  const slot = slots.getStore();
  slot?.release();
  try {
    return await operation();
  } finally {
    slot?.acquire();
  }
}
