import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage } from "node:http";
import type { Request, RequestHandler } from "express";
import { clientIp, networksOf } from "../client-ip.server.ts";
import { isSafeMethod } from "../same-origin.server.ts";
import { FairTaskQueue, type ConcurrencyLimits, type TaskSource } from "./fair-task-queue.server.ts";

/**
 * Maximum requests that are processed at the same time, of one network (an IPv4 address, an IPv6 /48) and of one
 * requester in all networks. The difference lets the others of a network start at once.
 */
const MAX_RUNNING_REQUESTS: ConcurrencyLimits = { network: 8, requester: 6 };
/** How long a request whose client has left still counts as running, because its processing goes on. */
const ABORTED_REQUEST_MS = 500;
/** Node warns above ten; each limit of requests, the queue and a streamed file have listeners for the end of a response. */
const MAX_RESPONSE_LISTENERS = 20;
const requestQueue = new FairTaskQueue(MAX_RUNNING_REQUESTS);

/** Records that a connection has arrived in this tick whose request should be read before tasks start. */
export function noteConnectionArrival(): void {
  requestQueue.markArrival();
}

/** Counts a request as running, except while it waits for something outside of this process. */
class RequestSlot {
  private request: IncomingMessage | null;
  private readonly source: TaskSource;
  private releaseTask: (() => void) | null = null;

  constructor(request: IncomingMessage, source: TaskSource) {
    this.request = request;
    this.source = source;
  }

  /** Whether the client is still sending the body. */
  isReceiving(): boolean {
    return this.request?.complete === false;
  }

  acquire(): void {
    if (this.request) this.releaseTask ??= requestQueue.acquire(this.source);
  }

  release(): void {
    this.releaseTask?.();
    this.releaseTask = null;
  }

  /** Stops counting: the headers of the response are written, or nothing is processed. */
  finish(): void {
    this.request = null;
    this.release();
  }

  /** Stops counting, after a while if the request is running: the client has left before the response. */
  abort(): void {
    if (this.releaseTask) setTimeout(() => this.finish(), ABORTED_REQUEST_MS).unref();
    else this.request = null;
  }

  /** Resolves in the request's turn, with the slot acquired. */
  waitForSlot(isArrival: boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const start = () => {
      if (this.request) this.acquire();
      else setTimeout(requestQueue.acquire(this.source), ABORTED_REQUEST_MS).unref();
      resolve();
    };
    requestQueue.add(this.source, start, isArrival);
    return promise;
  }
}

const requestSlots = new AsyncLocalStorage<RequestSlot>();

/** The account of a request, or with `isPerNetwork` its account in its network alone, and its session. */
export type RequestOwner = { key: string; session: string; isPerNetwork: boolean };

/** Returns who sent a request. `owner`: see `fairQueueMiddleware`. */
export function toTaskSource(ip: string, owner: RequestOwner | null): TaskSource {
  const [address = "", ...wider] = networksOf(ip);
  const network = wider.at(-1) ?? address;
  const requester = owner === null ? address : owner.isPerNetwork ? `${owner.key} ${network}` : owner.key;
  return { network, requester, session: owner?.session ?? "" };
}

/** Runs an operation of a socket in its turn among the requests. It counts as running until it settles. */
export async function runInTurn<T>(source: TaskSource, operation: () => Promise<T> | T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<() => void>();
  requestQueue.add(source, () => resolve(requestQueue.acquire(source)));
  const release = await promise;
  try {
    return await operation();
  } finally {
    release();
  }
}

/**
 * Express middleware that starts each request in its own tick, taking in turn the networks and in each of them the
 * requesters. `findOwner` returns the account of a request without a query; all others of an address are one requester.
 * A request counts as running until its headers are written, so a client that reads slowly does not use up its limit. A
 * request whose client has left before its turn is not started.
 *
 * Changing requests of strangers don't count: eight at a time, they would be answered more slowly than connections are
 * accepted, and exceed `CONNECTION_LIMITS`.
 */
export function fairQueueMiddleware(findOwner: (request: Request) => Promise<RequestOwner | null>): RequestHandler {
  return async (request, response, next) => {
    // Ends the slot of an earlier queue of the same request: if several waited for a second one while each holds one, none
    // would ever get it.
    requestSlots.getStore()?.finish();
    const owner = await findOwner(request);
    const slot = new RequestSlot(request, toTaskSource(clientIp(request), owner));
    await slot.waitForSlot(true);
    if (response.closed) return slot.finish();
    if (owner === null && !isSafeMethod(request.method)) {
      slot.finish();
      return next();
    }
    response.setMaxListeners(MAX_RESPONSE_LISTENERS);
    response.once("close", () => slot.abort());
    const writeHead: (...parameters: never[]) => unknown = response.writeHead.bind(response);
    Object.assign(response, {
      writeHead: (...parameters: never[]) => {
        slot.finish();
        return writeHead(...parameters);
      },
    });
    requestSlots.run(slot, next);
  };
}

/**
 * Receives the body of the request in progress. While the client is still sending it, the request doesn't count as
 * running, and waits for its next turn afterward. It must not hold anything that another request of its network waits
 * for.
 */
export function receiveThenRequeue<T>(receive: () => Promise<T>): Promise<T> {
  return requestSlots.getStore()?.isReceiving() ? runWithSlotReleasedThenRequeue(receive) : receive();
}

/**
 * Waits, during which the request in progress doesn't count as running, and then for its next turn. The request must
 * not hold anything that another request of its network waits for.
 */
export async function runWithSlotReleasedThenRequeue<T>(operation: () => Promise<T>): Promise<T> {
  const slot = requestSlots.getStore();
  slot?.release();
  try {
    return await operation();
  } finally {
    await slot?.waitForSlot(false);
  }
}

/**
 * Waits for another thread or machine, during which the request in progress doesn't count as running. It then goes on
 * at once, because it may hold a lock that the other requests of its network wait for.
 */
export async function runWithSlotReleased<T>(operation: () => Promise<T>): Promise<T> {
  const slot = requestSlots.getStore();
  slot?.release();
  try {
    return await operation();
  } finally {
    slot?.acquire();
  }
}
