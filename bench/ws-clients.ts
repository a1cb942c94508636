// The talk: runs as a process of its own. Sockets that hand each message on as soon as they hear one, read byte by byte.
import { connect, type Socket } from "node:net";

/** Who talks: a cookie for the product, none for the floor; with a room the socket joins it. */
export type ClientSpec = { cookie?: string; room?: number; isWaiting?: boolean; text: string };
export type ClientCommand =
  | { type: "open"; port: number; talkers: ClientSpec[] }
  | { type: "talk"; seconds: number; window: number }
  | { type: "close" };
export type RelayResult = { messages: number; mismatched: number; seconds: number };

const CONNECT_CONCURRENCY = 50;
const TEXT_FRAME = 0x81;
const PING_FRAME = 0x89;
const CLOSE_FRAME = 0x88;
const EXTENDED_LENGTH = 126;

let clients: WsClient[] = [];
let messageCount = 0;
let mismatched = 0;
let isMeasuring = false;

process.on("message", (order: ClientCommand) => {
  void handleCommand(order).then(
    (answer) => process.send?.(answer ?? {}),
    (error: Error) => process.send?.({ failed: error.message }),
  );
});
process.once("disconnect", () => process.exit());

async function handleCommand(command: ClientCommand): Promise<RelayResult | void> {
  if (command.type === "open") return openClients(command.port, command.talkers);
  if (command.type === "talk") return measureRelay(command.seconds, command.window);
  for (const { socket } of clients) socket.destroy();
  clients = [];
}

async function openClients(port: number, specs: ClientSpec[]): Promise<void> {
  const queue = specs.values();
  const worker = async () => {
    for (const spec of queue) clients.push(await WsClient.open(port, spec));
  };
  await Promise.all(Array.from({ length: CONNECT_CONCURRENCY }, worker));
}

async function measureRelay(seconds: number, window: number): Promise<RelayResult> {
  messageCount = 0;
  mismatched = 0;
  isMeasuring = true;
  const start = performance.now();
  for (const client of clients) client.sendFrames(window);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  isMeasuring = false;
  const elapsedSeconds = (performance.now() - start) / 1000;
  const relayed = messageCount;
  // What is still under way is let out before the next one talks.
  await new Promise((resolve) => setTimeout(resolve, 300));
  return { messages: relayed, mismatched, seconds: elapsedSeconds };
}

class WsClient {
  readonly socket: Socket;
  readonly #text: Buffer;
  readonly #frame: Buffer;
  #rest: Buffer = Buffer.alloc(0);
  #opened: (() => void) | null;
  #joins: boolean;

  static open(port: number, talker: ClientSpec): Promise<WsClient> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1").setNoDelay(true);
      socket.once("error", reject);
      const speaker = new WsClient(socket, talker, () => resolve(speaker), reject);
      const lines = [
        "GET /ws HTTP/1.1",
        `Host: localhost:${port}`,
        `Origin: http://localhost:${port}`,
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ...(talker.cookie ? [`Cookie: ${talker.cookie}`] : []),
      ];
      socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    });
  }

  private constructor(
    socket: Socket,
    { room, isWaiting: waiting, text }: ClientSpec,
    opened: () => void,
    failed: (e: Error) => void,
  ) {
    this.socket = socket;
    this.#text = Buffer.from(text);
    this.#frame = maskedFrame(this.#text);
    this.#opened = opened;
    this.#joins = room !== undefined;
    const join = { type: "join-room", appointmentId: room, payload: { waiting } };
    let head = "";
    const hearHead = (part: Buffer) => {
      head += part.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      if (!head.startsWith("HTTP/1.1 101")) return failed(new Error(`Not let in: ${head.split("\r\n")[0]}`));
      socket.off("data", hearHead);
      socket.on("data", (bytes: Buffer) => this.#hear(bytes));
      if (this.#joins) socket.write(maskedFrame(Buffer.from(JSON.stringify(join))));
      else this.#ready();
    };
    socket.on("data", hearHead);
  }

  sendFrames(times: number): void {
    for (let time = 0; time < times; time += 1) this.socket.write(this.#frame);
  }

  #ready(): void {
    this.#opened?.();
    this.#opened = null;
  }

  /** Counts whole frames and answers each with one of its own; what is not the expected text is odd. */
  #hear(part: Buffer): void {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, part]) : part;
    let at = 0;
    let heard = 0;
    while (bytes.length - at >= 2) {
      const short = bytes[at + 1] ?? 0;
      const head = short === EXTENDED_LENGTH ? 4 : 2;
      if (bytes.length - at < head) break;
      const length = short === EXTENDED_LENGTH ? bytes.readUInt16BE(at + 2) : short;
      if (bytes.length - at < head + length) break;
      const kind = bytes[at];
      if (kind === PING_FRAME) this.socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]));
      else if (kind === CLOSE_FRAME) mismatched += 1;
      else if (this.#opened) this.#ready();
      else if (kind === TEXT_FRAME && length === this.#text.length && (heard > 0 || this.#isText(bytes, at + head)))
        heard += 1;
      else if (!this.#joins || !bytes.subarray(at + head, at + head + 14).includes("user-")) mismatched += 1;
      at += head + length;
    }
    this.#rest = at < bytes.length ? bytes.subarray(at) : Buffer.alloc(0);
    messageCount += isMeasuring ? heard : 0;
    if (isMeasuring && heard > 0)
      this.socket.write(heard === 1 ? this.#frame : Buffer.concat(Array(heard).fill(this.#frame)));
  }

  #isText(bytes: Buffer, at: number): boolean {
    return bytes.compare(this.#text, 0, this.#text.length, at, at + this.#text.length) === 0;
  }
}

/** A text frame as a browser sends it; the mask is of zeros, which costs the reader as much as any. */
function maskedFrame(text: Buffer): Buffer {
  const size =
    text.length < EXTENDED_LENGTH
      ? [0x80 | text.length]
      : [0x80 | EXTENDED_LENGTH, text.length >> 8, text.length & 0xff];
  return Buffer.concat([Buffer.from([TEXT_FRAME, ...size, 0, 0, 0, 0]), text]);
}
