import { expect } from "vitest";
import { WebSocket } from "ws";
import type { ClientSignal, ServerSignal } from "../../app/video/signals.ts";
import type { TestClient } from "./http-client.ts";

type Options = { autoPong?: boolean };
type SignalOfType<T> = Extract<ServerSignal, { type: T }>;

/** One page of the video visit: its socket, and what it heard. */
export class SignallingClient {
  readonly socket: WebSocket;
  readonly received: ServerSignal[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  private readonly listeners = new Set<() => void>();
  private readonly room: number;

  constructor(socket: WebSocket, room: number) {
    this.socket = socket;
    this.room = room;
    socket.on("message", (data: Buffer) => {
      this.received.push(JSON.parse(data.toString()) as ServerSignal);
      for (const look of this.listeners) look();
    });
    socket.on("error", () => {});
    this.closed = new Promise((resolve) => {
      socket.once("close", (code, reason) => {
        resolve({ code, reason: reason.toString() });
        for (const look of this.listeners) look();
      });
    });
  }

  send(signal: Record<string, unknown>): void {
    this.socket.send(JSON.stringify({ appointmentId: this.room, ...signal }));
  }

  sendType(type: ClientSignal["type"], payload?: unknown): void {
    this.send(payload === undefined ? { type } : { type, payload });
  }

  /** The next signal of this type that was not taken before; fails when the socket closes instead. */
  async next<T extends ServerSignal["type"]>(type: T): Promise<SignalOfType<T>> {
    for (;;) {
      const index = this.received.findIndex((signal) => signal.type === type);
      if (index !== -1) return this.received.splice(index, 1)[0] as SignalOfType<T>;
      if (this.socket.readyState === WebSocket.CLOSED)
        throw new Error(`Closed before ${type}: ${JSON.stringify(this.received)}`);
      await new Promise<void>((resolve) => {
        const look = () => {
          this.listeners.delete(look);
          resolve();
        };
        this.listeners.add(look);
      });
    }
  }

  async join(payload?: { waiting?: boolean; page?: string }): Promise<SignalOfType<"joined">> {
    this.sendType("join-room", payload);
    return this.next("joined");
  }

  /** Everything that the server had to say when it had read all that this socket sent. */
  async flush(): Promise<ServerSignal[]> {
    const pong = new Promise((resolve) => this.socket.once("pong", resolve));
    this.socket.ping();
    await pong;
    return this.received;
  }
}

const pages = new Set<SignallingClient>();

/** Closes every page that was opened before: their calls are over. */
export async function closeAllSockets(): Promise<void> {
  const open = [...pages];
  pages.clear();
  for (const { socket } of open) socket.close();
  await Promise.all(open.map(({ closed }) => closed));
}

/** Opens the socket of a signed-in browser's page; its room is the visit that all its signals name. */
export async function connectSignalling(
  browser: TestClient,
  room: number,
  options: Options = {},
): Promise<SignallingClient> {
  const socket = new WebSocket(`${browser.origin.replace("http", "ws")}/ws`, {
    headers: { Cookie: cookieHeader(browser), Origin: browser.origin },
    ...options,
  });
  const page = new SignallingClient(socket, room);
  pages.add(page);
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return page;
}

export function cookieHeader({ cookies }: TestClient): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** Hears that it was refused, and is closed for it. */
export async function expectClosedWithError(page: SignallingClient, errorCode: string, code = 1008): Promise<void> {
  expect(await page.next("error")).toMatchObject({ code: errorCode, payload: { code: errorCode } });
  expect(await page.closed).toMatchObject({ code });
}
