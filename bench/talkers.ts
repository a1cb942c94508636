// The talk: runs as a process of its own. Sockets that hand each message on as soon as they hear one, read byte by byte.
import { connect, type Socket } from "node:net";

/** Who talks: a cookie for the product, none for the floor; with a room the socket joins it. */
export type Talker = { cookie?: string; room?: number; waiting?: boolean; text: string };
export type TalkOrder =
  | { do: "open"; port: number; talkers: Talker[] }
  | { do: "talk"; seconds: number; window: number }
  | { do: "close" };
export type Talked = { messages: number; odd: number; seconds: number };

const AT_ONCE = 50;
const TEXT = 0x81;
const PING = 0x89;
const CLOSE = 0x88;
const LONG = 126;

let speaking: Speaker[] = [];
let messages = 0;
let odd = 0;
let isTalking = false;

process.on("message", (order: TalkOrder) => {
  void obey(order).then(
    (answer) => process.send?.(answer ?? {}),
    (error: Error) => process.send?.({ failed: error.message }),
  );
});
process.once("disconnect", () => process.exit());

async function obey(order: TalkOrder): Promise<Talked | void> {
  if (order.do === "open") return open(order.port, order.talkers);
  if (order.do === "talk") return talk(order.seconds, order.window);
  for (const { socket } of speaking) socket.destroy();
  speaking = [];
}

async function open(port: number, talkers: Talker[]): Promise<void> {
  const left = talkers.values();
  const worker = async () => {
    for (const talker of left) speaking.push(await Speaker.open(port, talker));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function talk(seconds: number, window: number): Promise<Talked> {
  messages = 0;
  odd = 0;
  isTalking = true;
  const start = performance.now();
  for (const speaker of speaking) speaker.say(window);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  isTalking = false;
  const took = (performance.now() - start) / 1000;
  const counted = messages;
  // What is still under way is let out before the next one talks.
  await new Promise((resolve) => setTimeout(resolve, 300));
  return { messages: counted, odd, seconds: took };
}

class Speaker {
  readonly socket: Socket;
  readonly #text: Buffer;
  readonly #frame: Buffer;
  #rest: Buffer = Buffer.alloc(0);
  #opened: (() => void) | null;
  #joins: boolean;

  static open(port: number, talker: Talker): Promise<Speaker> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1").setNoDelay(true);
      socket.once("error", reject);
      const speaker = new Speaker(socket, talker, () => resolve(speaker), reject);
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

  private constructor(socket: Socket, { room, waiting, text }: Talker, opened: () => void, failed: (e: Error) => void) {
    this.socket = socket;
    this.#text = Buffer.from(text);
    this.#frame = masked(this.#text);
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
      if (this.#joins) socket.write(masked(Buffer.from(JSON.stringify(join))));
      else this.#ready();
    };
    socket.on("data", hearHead);
  }

  say(times: number): void {
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
      const head = short === LONG ? 4 : 2;
      if (bytes.length - at < head) break;
      const length = short === LONG ? bytes.readUInt16BE(at + 2) : short;
      if (bytes.length - at < head + length) break;
      const kind = bytes[at];
      if (kind === PING) this.socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]));
      else if (kind === CLOSE) odd += 1;
      else if (this.#opened) this.#ready();
      else if (kind === TEXT && length === this.#text.length && (heard > 0 || this.#isText(bytes, at + head)))
        heard += 1;
      else if (!this.#joins || !bytes.subarray(at + head, at + head + 14).includes("user-")) odd += 1;
      at += head + length;
    }
    this.#rest = at < bytes.length ? bytes.subarray(at) : Buffer.alloc(0);
    messages += isTalking ? heard : 0;
    if (isTalking && heard > 0)
      this.socket.write(heard === 1 ? this.#frame : Buffer.concat(Array(heard).fill(this.#frame)));
  }

  #isText(bytes: Buffer, at: number): boolean {
    return bytes.compare(this.#text, 0, this.#text.length, at, at + this.#text.length) === 0;
  }
}

/** A text frame as a browser sends it; the mask is of zeros, which costs the reader as much as any. */
function masked(text: Buffer): Buffer {
  const size = text.length < LONG ? [0x80 | text.length] : [0x80 | LONG, text.length >> 8, text.length & 0xff];
  return Buffer.concat([Buffer.from([TEXT, ...size, 0, 0, 0, 0]), text]);
}
