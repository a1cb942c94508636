import type { Socket } from "node:net";
import { sum } from "../sum.ts";
import { clientIp, networksOf } from "./client-ip.server.ts";
import { readingConnections } from "./http-connections.server.ts";

/**
 * After this time a response must have reached an average of `MIN_BYTES_PER_SECOND`. Phones on the slowest networks
 * read ten times as fast.
 */
const RATE_CHECK_GRACE_MS = 30_000;
const MIN_BYTES_PER_SECOND = 1_024;
const RATE_CHECK_INTERVAL_MS = 10_000;
/**
 * Maximum total size of what waits in this process until its clients read it: of responses that began
 * `MAX_FAST_READ_MS` ago or earlier, and of all.
 */
export const MAX_UNREAD_BYTES = { old: 32 * 1024 * 1024, all: 64 * 1024 * 1024 };
const MAX_FAST_READ_MS = 2_000;
/** A few responses are made in this time. */
const SIZE_CHECK_INTERVAL_MS = 100;

type UnreadResponse = { socket: Socket; network: string; isOld: boolean };

/** Closes connections whose clients have read less than 1 KiB/s of a response on average after 30 s. */
export function closeSlowReaders(): void {
  const now = performance.now();
  for (const { socket, exchange } of readingConnections()) {
    if (now - exchange.startedAt < RATE_CHECK_GRACE_MS) continue;
    const bytes = socket.bytesWritten - socket.writableLength - exchange.bytesWrittenBefore;
    if (bytes < (MIN_BYTES_PER_SECOND * (now - exchange.startedAt)) / 1000) socket.destroy();
  }
}

/**
 * Closes connections while more than `MAX_UNREAD_BYTES` wait to be read, so that clients that read nothing don't use up
 * the memory: first of the network with the most unread bytes, its largest response first. Downloads have their own
 * limits and don't count.
 */
export function closeResponsesAboveUnreadLimit(): void {
  let totalUnreadBytes = 0;
  for (const { socket } of readingConnections()) totalUnreadBytes += socket.writableLength;
  if (totalUnreadBytes <= MAX_UNREAD_BYTES.old) return;
  const now = performance.now();
  const unread: UnreadResponse[] = [];
  for (const { socket, exchange } of readingConnections()) {
    if (socket.writableLength === 0) continue;
    const network = networksOf(clientIp(exchange.request)).at(-1) ?? "";
    unread.push({ socket, network, isOld: now - exchange.startedAt >= MAX_FAST_READ_MS });
  }
  const oldResponses = unread.filter(({ isOld }) => isOld);
  const closedBytes = closeLargestResponses(oldResponses, unreadBytes(oldResponses) - MAX_UNREAD_BYTES.old);
  const isOpen = ({ socket }: UnreadResponse) => !socket.destroyed;
  closeLargestResponses(unread.filter(isOpen), totalUnreadBytes - closedBytes - MAX_UNREAD_BYTES.all);
}

function unreadBytes(responses: readonly UnreadResponse[]): number {
  return sum(responses.map(({ socket }) => socket.writableLength));
}

/** Closes connections with together at least `excessBytes` unread bytes. Returns how many unread bytes they had. */
function closeLargestResponses(responses: readonly UnreadResponse[], excessBytes: number): number {
  const bySize = responses.toSorted((a, b) => a.socket.writableLength - b.socket.writableLength);
  const networks = [...Map.groupBy(bySize, ({ network }) => network).values()].map((unread) => ({
    unread,
    bytes: unreadBytes(unread),
  }));
  let closedBytes = 0;
  while (closedBytes < excessBytes && networks.length > 0) {
    const largestNetwork = networks.reduce((one, other) => (other.bytes > one.bytes ? other : one));
    const socket = largestNetwork.unread.pop()?.socket;
    if (!socket) break;
    largestNetwork.bytes -= socket.writableLength;
    closedBytes += socket.writableLength;
    socket.destroy();
  }
  return closedBytes;
}

/** Runs both checks periodically for the rest of the process. */
export function startSlowReaderChecks(): void {
  setInterval(closeSlowReaders, RATE_CHECK_INTERVAL_MS).unref();
  setInterval(closeResponsesAboveUnreadLimit, SIZE_CHECK_INTERVAL_MS).unref();
}
