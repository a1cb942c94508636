// WebSocket clients in a process of their own. Each answers every received message with one of its own, at once.
import { connect, type Socket } from "node:net";

/** The product needs a cookie, the baseline none; with `room` the client joins that room. */
export type ClientSpec = { cookie?: string; room?: number; isWaiting?: boolean; text: string };
export type ClientCommand =
  | { type: "open"; port: number; clients: ClientSpec[] }
  | { type: "measure"; seconds: number; window: number }
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

process.on("message", (command: ClientCommand) => {
  void handleCommand(command).then(
    (result) => process.send?.(result ?? {}),
    (error: Error) => process.send?.({ failed: error.message }),
  );
});
process.once("disconnect", () => process.exit());

async function handleCommand(command: ClientCommand): Promise<RelayResult | void> {
  if (command.type === "open") return openClients(command.port, command.clients);
  if (command.type === "measure") return measureRelay(command.seconds, command.window);
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
  const messages = messageCount;
  // Messages in flight arrive before the next target is measured.
  await new Promise((resolve) => setTimeout(resolve, 300));
  return { messages, mismatched, seconds: elapsedSeconds };
}

class WsClient {
  readonly socket: Socket;
  readonly #text: Buffer;
  readonly #frame: Buffer;
  #unparsed: Buffer = Buffer.alloc(0);
  #onOpen: (() => void) | null;
  #joins: boolean;

  static open(port: number, spec: ClientSpec): Promise<WsClient> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1").setNoDelay(true);
      socket.once("error", reject);
      const client = new WsClient(socket, spec, () => resolve(client), reject);
      const lines = [
        "GET /ws HTTP/1.1",
        `Host: localhost:${port}`,
        `Origin: http://localhost:${port}`,
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ...(spec.cookie ? [`Cookie: ${spec.cookie}`] : []),
      ];
      socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    });
  }

  private constructor(
    socket: Socket,
    { room, isWaiting: waiting, text }: ClientSpec,
    onOpen: () => void,
    onError: (error: Error) => void,
  ) {
    this.socket = socket;
    this.#text = Buffer.from(text);
    this.#frame = maskedFrame(this.#text);
    this.#onOpen = onOpen;
    this.#joins = room !== undefined;
    const join = { type: "join-room", appointmentId: room, payload: { waiting } };
    let head = "";
    const onHead = (part: Buffer) => {
      head += part.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      if (!head.startsWith("HTTP/1.1 101"))
        return onError(new Error(`The handshake was refused: ${head.split("\r\n")[0]}`));
      socket.off("data", onHead);
      socket.on("data", (bytes: Buffer) => this.#onData(bytes));
      if (this.#joins) socket.write(maskedFrame(Buffer.from(JSON.stringify(join))));
      else this.#ready();
    };
    socket.on("data", onHead);
  }

  sendFrames(times: number): void {
    for (let time = 0; time < times; time += 1) this.socket.write(this.#frame);
  }

  #ready(): void {
    this.#onOpen?.();
    this.#onOpen = null;
  }

  /** Counts complete text frames and answers each with one; anything but the expected text counts as mismatched. */
  #onData(part: Buffer): void {
    const bytes = this.#unparsed.length > 0 ? Buffer.concat([this.#unparsed, part]) : part;
    let at = 0;
    let received = 0;
    while (bytes.length - at >= 2) {
      const short = bytes[at + 1] ?? 0;
      const head = short === EXTENDED_LENGTH ? 4 : 2;
      if (bytes.length - at < head) break;
      const length = short === EXTENDED_LENGTH ? bytes.readUInt16BE(at + 2) : short;
      if (bytes.length - at < head + length) break;
      const kind = bytes[at];
      if (kind === PING_FRAME) this.socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]));
      else if (kind === CLOSE_FRAME) mismatched += 1;
      else if (this.#onOpen) this.#ready();
      else if (kind === TEXT_FRAME && length === this.#text.length && (received > 0 || this.#isText(bytes, at + head)))
        received += 1;
      else if (!this.#joins || !bytes.subarray(at + head, at + head + 14).includes("user-")) mismatched += 1;
      at += head + length;
    }
    this.#unparsed = at < bytes.length ? bytes.subarray(at) : Buffer.alloc(0);
    messageCount += isMeasuring ? received : 0;
    if (isMeasuring && received > 0)
      this.socket.write(received === 1 ? this.#frame : Buffer.concat(Array(received).fill(this.#frame)));
  }

  #isText(bytes: Buffer, at: number): boolean {
    return bytes.compare(this.#text, 0, this.#text.length, at, at + this.#text.length) === 0;
  }
}

/** A masked text frame, as browsers send it. The mask is zero, which costs the receiver the same as any other. */
function maskedFrame(text: Buffer): Buffer {
  const size =
    text.length < EXTENDED_LENGTH
      ? [0x80 | text.length]
      : [0x80 | EXTENDED_LENGTH, text.length >> 8, text.length & 0xff];
  return Buffer.concat([Buffer.from([TEXT_FRAME, ...size, 0, 0, 0, 0]), text]);
}
