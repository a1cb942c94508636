// The load generator, in a process of its own so that it takes no time of the measured one. No pipelining.
import { connect, type Socket } from "node:net";

/**
 * `requests` are complete HTTP/1.1 requests, sent in rotation for `seconds` or until `maxRequests` are sent: at a rate
 * of `perSecond`, or without it each as soon as the previous response has arrived.
 */
export type LoadRequest = {
  port: number;
  requests: string[];
  connections: number;
  seconds?: number;
  maxRequests?: number;
  perSecond?: number;
  /** expected sizes of the bodies, by request */
  sizes?: number[];
};
export type LoadResult = {
  responses: number;
  seconds: number;
  /** bytes of the bodies as transferred, by request */
  sizes: number[];
  /** responses with a body of another size than expected */
  mismatched: number;
  statuses: Record<string, number>;
  /** milliseconds, as are the others */
  p50: number;
  p95: number;
  p99: number;
};

/** The compressed size of a page with a nonce varies by a few bytes. */
const TOLERANCE = 0.02;
const HEADERS_END = "\r\n\r\n";
const EMPTY = Buffer.alloc(0);
const LAST_CHUNK = Buffer.from("0\r\n\r\n");

/** A keep-alive connection with at most one request in flight. */
class KeepAliveConnection {
  readonly #socket: Socket;
  #received: Buffer = EMPTY;
  #bodyStart = -1;
  #length = 0;
  #status = "";
  #onResponse: (status: string, bytes: number) => void = () => {};
  #onError: (error: Error) => void = () => {};

  constructor(socket: Socket) {
    this.#socket = socket.setNoDelay(true);
    socket.on("data", (part: Buffer) => this.#onData(part));
    socket.on("error", (error) => this.#onError(error));
    socket.on("close", () => this.#onError(new Error("The server closed a connection.")));
  }

  send(request: Buffer, onResponse: (status: string, bytes: number) => void, onError: (error: Error) => void) {
    this.#received = EMPTY;
    this.#bodyStart = -1;
    this.#onResponse = onResponse;
    this.#onError = onError;
    this.#socket.write(request);
  }

  close() {
    this.#onError = () => {};
    this.#socket.destroy();
  }

  #onData(part: Buffer) {
    this.#received = this.#received.length === 0 ? part : Buffer.concat([this.#received, part]);
    if (this.#bodyStart < 0) this.#readHead();
    if (this.#bodyStart < 0) return;
    const bytes = this.#received.length - this.#bodyStart;
    const isComplete = this.#length >= 0 ? bytes >= this.#length : this.#received.subarray(-5).equals(LAST_CHUNK);
    if (isComplete) this.#onResponse(this.#status, bytes);
  }

  #readHead() {
    const end = this.#received.indexOf(HEADERS_END);
    if (end < 0) return;
    const head = this.#received.toString("latin1", 0, end);
    this.#status = head.slice(9, 12);
    this.#bodyStart = end + HEADERS_END.length;
    // A body without a length is chunked.
    this.#length = Number(/\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? -1);
  }
}

async function run({
  port,
  requests,
  connections: connectionCount,
  seconds = Infinity,
  maxRequests = Infinity,
  perSecond,
  sizes: expected,
}: LoadRequest): Promise<LoadResult> {
  const texts = requests.map((text) => Buffer.from(text));
  const connections = await Promise.all(Array.from({ length: connectionCount }, () => open(port)));
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  const sizes: number[] = [];
  let mismatched = 0;
  let sent = 0;
  const start = performance.now();
  const end = start + seconds * 1000;

  const sendRequest = (connection: KeepAliveConnection) =>
    new Promise<void>((resolve, reject) => {
      const index = sent++ % texts.length;
      const sentAt = performance.now();
      const onResponse = (status: string, size: number) => {
        times.push(performance.now() - sentAt);
        statuses[status] = (statuses[status] ?? 0) + 1;
        sizes[index] ??= size;
        const expectedSize = expected?.[index] ?? size;
        if (Math.abs(size - expectedSize) > expectedSize * TOLERANCE) mismatched += 1;
        resolve();
      };
      connection.send(texts[index] as Buffer, onResponse, reject);
    });
  const hasMore = (time: number) => time < end && sent < maxRequests;
  const sendContinuously = async (connection: KeepAliveConnection) => {
    while (hasMore(performance.now())) await sendRequest(connection);
  };
  const sendAtRate = async (connection: KeepAliveConnection, index: number) => {
    const step = (1000 * connections.length) / (perSecond as number);
    for (let next = start + (step * index) / connections.length; hasMore(next); next += step) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
      await sendRequest(connection);
    }
  };
  await Promise.all(connections.map(perSecond ? sendAtRate : sendContinuously));
  const elapsedSeconds = (performance.now() - start) / 1000;
  for (const connection of connections) connection.close();
  times.sort((one, other) => one - other);
  const percentile = (quantile: number) => times[Math.min(times.length - 1, Math.floor(times.length * quantile))] ?? 0;
  return {
    responses: times.length,
    seconds: elapsedSeconds,
    sizes,
    mismatched,
    statuses,
    p50: percentile(0.5),
    p95: percentile(0.95),
    p99: percentile(0.99),
  };
}

function open(port: number): Promise<KeepAliveConnection> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(new KeepAliveConnection(socket)));
    socket.once("error", reject);
  });
}

process.on("message", (request: LoadRequest) => {
  run(request).then(
    (load) => process.send?.({ load }),
    (error: Error) => process.send?.({ failed: error.message }),
  );
});
process.once("disconnect", () => process.exit());
