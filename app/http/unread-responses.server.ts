import type { Socket } from "node:net";
import { listConnections } from "./connections.server.ts";

/**
 * After this time a response must have reached an average of `MIN_BYTES_PER_SECOND`. Phones on the slowest networks
 * read ten times as fast.
 */
const RATE_CHECK_GRACE_MS = 30_000;
const MIN_BYTES_PER_SECOND = 1_024;
const RATE_CHECK_INTERVAL_MS = 10_000;
/** Maximum total size of what waits in this process until its clients read it. */
export const MAX_UNREAD_BYTES = 32 * 1024 * 1024;
/** A few responses are made in this time. */
const SIZE_CHECK_INTERVAL_MS = 100;

type UnreadBytes = { socket: Socket; bytes: number };
type Client = { bytes: number; unread: UnreadBytes[] };

/** Closes connections whose clients have read less than 1 KiB/s of a response on average after 30 s. */
export function closeSlowReaders(): void {
  const now = performance.now();
  for (const { socket, exchange } of listConnections()) {
    if (!exchange || now - exchange.startedAt < RATE_CHECK_GRACE_MS) continue;
    const bytes = socket.bytesWritten - socket.writableLength - exchange.bytesBefore;
    if (bytes < (MIN_BYTES_PER_SECOND * (now - exchange.startedAt)) / 1000) socket.destroy();
  }
}

/**
 * Closes connections while more than `MAX_UNREAD_BYTES` wait to be read, so that clients that read nothing don't use up
 * the memory: first of the client with the most unread bytes, its largest response first.
 */
export function limitUnreadBytes(): void {
  const byClient = new Map<string, Client>();
  let total = 0;
  for (const { socket, client } of listConnections()) {
    const bytes = socket.writableLength;
    if (bytes === 0) continue;
    const known = byClient.get(client) ?? { bytes: 0, unread: [] };
    byClient.set(client, known);
    known.bytes += bytes;
    known.unread.push({ socket, bytes });
    total += bytes;
  }
  if (total <= MAX_UNREAD_BYTES) return;
  const clients = [...byClient.values()];
  for (const { unread } of clients) unread.sort((a, b) => a.bytes - b.bytes);
  while (total > MAX_UNREAD_BYTES) {
    const largest = clients.reduce((one, other) => (other.bytes > one.bytes ? other : one));
    const closed = largest.unread.pop();
    if (!closed) return;
    closed.socket.destroy();
    largest.bytes -= closed.bytes;
    total -= closed.bytes;
  }
}

/** Runs both checks periodically for the rest of the process. */
export function startUnreadResponseChecks(): void {
  setInterval(closeSlowReaders, RATE_CHECK_INTERVAL_MS).unref();
  setInterval(limitUnreadBytes, SIZE_CHECK_INTERVAL_MS).unref();
}
