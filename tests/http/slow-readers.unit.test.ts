// Proves from when on, and below which rate, a client that reads a response slowly is disconnected, or replaced, and how
// many requests and unread bytes wait in the process.
import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testEnvironment } from "../support/test-environment.ts";

const folder = temporaryFolder("slow-readers");
Object.assign(process.env, await testEnvironment(`file:${folder}/none.db`, folder));
const { CONNECTION_LIMITS, enqueueRequest, markDownload, admitConnection } =
  await import("../../app/http/http-connections.server.ts");
const { closeSlowReaders, closeResponsesAboveUnreadLimit, MAX_UNREAD_BYTES } =
  await import("../../app/http/slow-reader-limits.server.ts");

const KIB = 1_024;

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

/** A connection whose client has read `before` bytes of earlier responses; `start` begins another response. */
function reader(before = 0, remoteAddress = "203.0.113.1") {
  const events = new EventEmitter();
  const socket = Object.assign(events, {
    remoteAddress,
    bytesWritten: before,
    writable: true,
    writableLength: 0,
    isClosed: false,
    destroyed: false,
    destroy: () => {
      socket.isClosed = socket.destroyed = true;
      events.emit("close");
    },
  });
  admitConnection(socket as unknown as Socket);
  const start = ({ headersSent = true } = {}) => {
    const response = Object.assign(new EventEmitter(), { headersSent }) as unknown as ServerResponse;
    enqueueRequest({ socket, headers: {}, rawHeaders: [] } as unknown as IncomingMessage, response, () => {});
    return response;
  };
  return { socket, start };
}

/** Whether a client that has read so many bytes of its response is disconnected after so many milliseconds. */
function isClosedAfter(milliseconds: number, { socket }: ReturnType<typeof reader>, bytes: number) {
  socket.bytesWritten += bytes;
  vi.advanceTimersByTime(milliseconds);
  closeSlowReaders();
  const { isClosed } = socket;
  if (!isClosed) socket.destroy();
  return isClosed;
}

test.each([
  [29_999, 0, "stays connected"],
  [30_000, 30 * KIB - 1, "is disconnected"],
  [30_000, 30 * KIB, "stays connected"],
  [60_000, 60 * KIB - 1, "is disconnected"],
  [60_000, 60 * KIB, "stays connected"],
])("after %i ms, a client that has read %i bytes %s", (milliseconds, bytes, what) => {
  const client = reader();
  client.start();
  expect(isClosedAfter(milliseconds, client, bytes)).toBe(what === "is disconnected");
});

test("bytes of an earlier response, or that still wait in the server, don't count as read", () => {
  const [earlier, waiting] = [reader(1_000 * KIB), reader()];
  earlier.start();
  expect(isClosedAfter(30_000, earlier, 30 * KIB - 1)).toBe(true);
  waiting.start();
  waiting.socket.writableLength = 1;
  expect(isClosedAfter(30_000, waiting, 30 * KIB)).toBe(true);
});

test("a download, a response that is still being made, and an idle connection are never read too slowly", () => {
  const [download, unanswered, idle] = [reader(), reader(), reader()];
  markDownload(download.start());
  unanswered.start({ headersSent: false });
  for (const client of [download, unanswered, idle]) expect(isClosedAfter(3_600_000, client, 0)).toBe(false);
});

describe("unread responses", () => {
  /** Two clients of one network and one of another, with so many unread bytes each. */
  function readers(...sizes: [number, number, number]) {
    const addresses = ["2001:db8:1:1::1", "2001:db8:1:2::1", "203.0.113.2"];
    return sizes.map((bytes, index) => {
      const client = reader(0, addresses[index]);
      const response = client.start();
      client.socket.writableLength = bytes;
      return { ...client, response };
    });
  }
  const closed = (clients: ReturnType<typeof readers>) => {
    closeResponsesAboveUnreadLimit();
    return clients.map(({ socket }) => socket.isClosed);
  };
  const { old, all } = MAX_UNREAD_BYTES;

  test("beyond 32 MB after 2 s: the network with the most is disconnected, its largest response first", () => {
    const clients = readers(old / 2 - KIB, 2 * KIB, old / 2 - KIB);
    vi.advanceTimersByTime(2_000);
    expect(closed(clients)).toEqual([false, false, false]);
    clients[1]!.socket.writableLength += 1;
    expect(closed(clients)).toEqual([true, false, false]);
    expect(closed(clients)).toEqual([true, false, false]);
    for (const { socket } of clients.slice(1)) socket.destroy();
  });

  test("of less than 2 s are disconnected only beyond 64 MB", () => {
    const clients = readers(all / 2, KIB, all / 2 - KIB);
    vi.advanceTimersByTime(1_999);
    expect(closed(clients)).toEqual([false, false, false]);
    clients[2]!.socket.writableLength += 1;
    expect(closed(clients)).toEqual([true, false, false]);
    for (const { socket } of clients.slice(1)) socket.destroy();
  });

  test("of less than 2 s don't count toward the 32 MB of older ones, which are read slowly but read", () => {
    const [slow, ...others] = readers(100 * KIB, KIB, 0);
    vi.advanceTimersByTime(2_000);
    const fresh = readers(old / 2, old / 2, old / 4);
    expect(closed([slow!, ...others, ...fresh])).toEqual([false, false, false, false, false, false]);
    for (const { socket } of [slow!, ...others, ...fresh]) socket.destroy();
  });

  test("of downloads don't count", () => {
    const clients = readers(all, KIB, KIB);
    for (const { response } of clients) markDownload(response);
    vi.advanceTimersByTime(60_000);
    expect(closed(clients)).toEqual([false, false, false]);
    for (const { socket } of clients) socket.destroy();
  });
});

test.each([
  ["one response for 5 s", 1, 5_000, "is refused"],
  ["one response for longer than 5 s", 1, 5_001, "takes its place"],
  ["19 responses", 19, 0, "is refused"],
  ["20 responses", 20, 0, "takes the place of the oldest"],
])("without a free connection, while a client is reading %s, the next one %s", (_, count, milliseconds, what) => {
  const usual = CONNECTION_LIMITS.process;
  const readers = Array.from({ length: count }, () => reader());
  for (const { start } of readers.toReversed()) {
    vi.advanceTimersByTime(1);
    start();
  }
  vi.advanceTimersByTime(milliseconds);
  CONNECTION_LIMITS.process = count;
  const next = reader();
  CONNECTION_LIMITS.process = usual;
  const isRefused = what === "is refused";
  expect([next.socket.isClosed, readers.at(-1)?.socket.isClosed]).toEqual([isRefused, !isRefused]);
  for (const { socket } of readers.slice(0, -1)) expect(socket.isClosed).toBe(false);
  for (const { socket } of [next, ...readers]) if (!socket.isClosed) socket.destroy();
});

test("512 requests wait in the process, and the first behind each response; one more closes its connection", () => {
  const clients = Array.from({ length: 36 }, () => reader());
  const send = (count: number, { start }: ReturnType<typeof reader>) => Array.from({ length: count }, () => start());
  // A response in progress, one that waits without being counted, and 15 that are.
  for (const client of clients.slice(0, 34)) send(17, client);
  const [almost, full] = clients.slice(34);
  send(4, almost!);
  send(2, full!);
  expect(clients.filter(({ socket }) => socket.isClosed)).toEqual([]);
  send(1, full!);
  expect(clients.filter(({ socket }) => socket.isClosed)).toEqual([full]);
  clients[0]!.socket.destroy();
  const next = reader();
  send(17, next);
  expect(next.socket.isClosed).toBe(false);
  for (const { socket } of [next, ...clients]) socket.destroy();
});
