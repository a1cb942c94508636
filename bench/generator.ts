// The load: runs as a process of its own, so that it never takes the measured process's thread. No pipelining.
import { connect, type Socket } from "node:net";

/**
 * `requests` are whole HTTP/1.1 requests, sent in turn, for a number of seconds or until so many are sent.
 * With `perSecond` they leave at that pace, else as fast as answers come.
 */
export type Order = {
  port: number;
  requests: string[];
  connections: number;
  seconds?: number;
  most?: number;
  perSecond?: number;
  /** of the bodies to expect, request by request */
  sizes?: number[];
};
export type Load = {
  answers: number;
  seconds: number;
  /** of the bodies as sent over the wire, request by request */
  sizes: number[];
  /** answers that were not of the size to expect */
  odd: number;
  statuses: Record<string, number>;
  p50: number;
  p95: number;
  p99: number;
};

/** Pages with a nonce differ by a few bytes once compressed. */
const TOLERANCE = 0.02;
const HEAD_END = "\r\n\r\n";
const NOTHING = Buffer.alloc(0);
const LAST_CHUNK = Buffer.from("0\r\n\r\n");

/** One keep-alive connection with at most one question open. */
class Line {
  readonly #socket: Socket;
  #heard: Buffer = NOTHING;
  #bodyStart = -1;
  #length = 0;
  #status = "";
  #answered: (status: string, bytes: number) => void = () => {};
  #failed: (error: Error) => void = () => {};

  constructor(socket: Socket) {
    this.#socket = socket.setNoDelay(true);
    socket.on("data", (part: Buffer) => this.#hear(part));
    socket.on("error", (error) => this.#failed(error));
    socket.on("close", () => this.#failed(new Error("The server closed a connection.")));
  }

  ask(request: Buffer, answered: (status: string, bytes: number) => void, failed: (error: Error) => void) {
    this.#heard = NOTHING;
    this.#bodyStart = -1;
    this.#answered = answered;
    this.#failed = failed;
    this.#socket.write(request);
  }

  end() {
    this.#failed = () => {};
    this.#socket.destroy();
  }

  #hear(part: Buffer) {
    this.#heard = this.#heard.length === 0 ? part : Buffer.concat([this.#heard, part]);
    if (this.#bodyStart < 0) this.#readHead();
    if (this.#bodyStart < 0) return;
    const bytes = this.#heard.length - this.#bodyStart;
    const isWhole = this.#length >= 0 ? bytes >= this.#length : this.#heard.subarray(-5).equals(LAST_CHUNK);
    if (isWhole) this.#answered(this.#status, bytes);
  }

  #readHead() {
    const end = this.#heard.indexOf(HEAD_END);
    if (end < 0) return;
    const head = this.#heard.toString("latin1", 0, end);
    this.#status = head.slice(9, 12);
    this.#bodyStart = end + HEAD_END.length;
    // Without a length the body comes in chunks.
    this.#length = Number(/\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? -1);
  }
}

async function run({
  port,
  requests,
  connections,
  seconds = Infinity,
  most = Infinity,
  perSecond,
  sizes: expected,
}: Order): Promise<Load> {
  const texts = requests.map((text) => Buffer.from(text));
  const lines = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  const sizes: number[] = [];
  let odd = 0;
  let sent = 0;
  const start = performance.now();
  const end = start + seconds * 1000;

  const ask = (line: Line) =>
    new Promise<void>((resolve, reject) => {
      const index = sent++ % texts.length;
      const asked = performance.now();
      const answered = (status: string, size: number) => {
        times.push(performance.now() - asked);
        statuses[status] = (statuses[status] ?? 0) + 1;
        sizes[index] ??= size;
        const wanted = expected?.[index] ?? size;
        if (Math.abs(size - wanted) > wanted * TOLERANCE) odd += 1;
        resolve();
      };
      line.ask(texts[index] as Buffer, answered, reject);
    });
  const goesOn = (time: number) => time < end && sent < most;
  const keepAsking = async (line: Line) => {
    while (goesOn(performance.now())) await ask(line);
  };
  const keepPace = async (line: Line, index: number) => {
    const step = (1000 * lines.length) / (perSecond as number);
    for (let next = start + (step * index) / lines.length; goesOn(next); next += step) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
      await ask(line);
    }
  };
  await Promise.all(lines.map(perSecond ? keepPace : keepAsking));
  const took = (performance.now() - start) / 1000;
  for (const line of lines) line.end();
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { answers: times.length, seconds: took, sizes, odd, statuses, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

function open(port: number): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(new Line(socket)));
    socket.once("error", reject);
  });
}

process.on("message", (order: Order) => {
  run(order).then(
    (load) => process.send?.({ load }),
    (error: Error) => process.send?.({ failed: error.message }),
  );
});
process.once("disconnect", () => process.exit());
