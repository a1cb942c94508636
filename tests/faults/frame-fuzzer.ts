import type { Socket } from "node:net";
import { WebSocket } from "ws";
import type { TestClient } from "../support/http-client.ts";
import { seededRandom } from "./seeded-random.ts";

const TYPES = [
  "join-room",
  "offer",
  "answer",
  "ice-candidate",
  "chat",
  "leave-room",
  "end-call",
  "joined",
  "__proto__",
];
const VALUES = [
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 53,
  "1 OR 1",
  "",
  "\u0000",
  "\ud800",
  [],
  {},
  { type: "offer" },
  "x".repeat(5000),
];
/** What may close a socket that sends such things; 1005 and 1006 are the client's own end, or the server's after a timeout. */
const EXPECTED = new Set([1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 4001, 4002]);

type Plan = { count: number; seed: number; browsers: TestClient[]; rooms: number[]; atOnce: number };

/**
 * Sends so many frames that no browser would send, on as many sockets as it takes, since most of them are closed for it.
 * Returns how the sockets were closed, and every way that should not have been.
 */
export async function fuzzFrames({ count, seed, browsers, rooms, atOnce }: Plan) {
  const { chance: random, pick } = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => below(256)));
  const closes: Record<number, number> = {};
  let sent = 0;

  const sendFrames = async (client: TestClient) => {
    while (sent < count) {
      const socket = await opened(client);
      const closed = new Promise<number>((resolve) => socket.once("close", resolve));
      const { _socket: wire } = socket as unknown as { _socket: Socket };
      while (sent < count && socket.readyState === WebSocket.OPEN && wire.writable) {
        for (let burst = 0; burst < 5; burst += 1) wire.write(frame());
        sent += 5;
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (socket.readyState === WebSocket.OPEN) socket.close();
      const closeTimeout = setTimeout(() => socket.terminate(), 10_000);
      const code = await closed;
      clearTimeout(closeTimeout);
      closes[code] = (closes[code] ?? 0) + 1;
    }
  };

  /** Some are well formed but senseless, some of the wrong kind, some no frames at all. */
  function frame(): Buffer {
    const kind = random();
    if (kind < 0.55) return framed(0x81, Buffer.from(text()));
    if (kind < 0.65) return framed(0x82, bytes(below(200)));
    if (kind < 0.75) return framed(0x81, bytes(below(200)));
    if (kind < 0.82) return framed(below(256), bytes(below(120)));
    if (kind < 0.88) return framed(random() < 0.5 ? 0x01 : 0x00, Buffer.from(text()));
    if (kind < 0.92) return framed(0x81, Buffer.from("[".repeat(below(65_000))));
    if (kind < 0.96) return framed(random() < 0.5 ? 0x89 : 0x8a, bytes(below(125)));
    return bytes(1 + below(60));
  }

  function text(): string {
    const payload =
      random() < 0.5
        ? { type: pick(TYPES), sdp: pick(VALUES), candidate: pick(VALUES), text: pick(VALUES) }
        : pick(VALUES);
    const whole = JSON.stringify({
      type: random() < 0.9 ? pick(TYPES) : pick(VALUES),
      appointmentId: random() < 0.7 ? pick(rooms) : pick(VALUES),
      payload,
      ...(random() < 0.1 && { [pick(["constructor", "code", "toString"])]: pick(VALUES) }),
    });
    return random() < 0.8 ? whole : whole.slice(0, below(whole.length));
  }

  await Promise.all(
    Array.from({ length: atOnce }, (_, index) => sendFrames(browsers[index % browsers.length] as TestClient)),
  );
  return { sent, closes, unexpectedCodes: Object.keys(closes).filter((code) => !EXPECTED.has(Number(code))) };
}

function opened(browser: TestClient): Promise<WebSocket> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return new Promise((resolve, reject) => {
    const url = `${browser.origin.replace("http", "ws")}/ws`;
    const socket = new WebSocket(url, { headers: { Cookie: cookie, Origin: browser.origin } });
    socket.once("open", () => resolve(socket)).once("error", reject);
    socket.on("error", () => {});
  });
}

/** Any first byte, any bytes, masked as they must be. */
function framed(first: number, payload: Buffer): Buffer {
  const { length } = payload;
  const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff];
  const mask = Buffer.from([1, 2, 3, 4]);
  const body = Buffer.from(payload.map((byte, index) => byte ^ ((index % 4) + 1)));
  return Buffer.concat([Buffer.from([first, ...size]), mask, body]);
}
