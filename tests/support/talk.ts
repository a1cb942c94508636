import { expect } from "vitest";
import { WebSocket } from "ws";
import type { ClientSignal, ServerSignal } from "../../app/video/signals.ts";
import type { Client } from "./client.ts";

type Options = { autoPong?: boolean };
type Heard<T> = Extract<ServerSignal, { type: T }>;

/** One page of the video visit: its socket, and what it heard. */
export class Talk {
  readonly socket: WebSocket;
  readonly heard: ServerSignal[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  private readonly listeners = new Set<() => void>();
  private readonly room: number;

  constructor(socket: WebSocket, room: number) {
    this.socket = socket;
    this.room = room;
    socket.on("message", (data: Buffer) => {
      this.heard.push(JSON.parse(data.toString()) as ServerSignal);
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

  say(signal: Record<string, unknown>): void {
    this.socket.send(JSON.stringify({ appointmentId: this.room, ...signal }));
  }

  sayOf(type: ClientSignal["type"], payload?: unknown): void {
    this.say(payload === undefined ? { type } : { type, payload });
  }

  /** The next signal of this type that was not taken before; fails when the socket closes instead. */
  async next<T extends ServerSignal["type"]>(type: T): Promise<Heard<T>> {
    for (;;) {
      const index = this.heard.findIndex((signal) => signal.type === type);
      if (index !== -1) return this.heard.splice(index, 1)[0] as Heard<T>;
      if (this.socket.readyState === WebSocket.CLOSED)
        throw new Error(`Closed before ${type}: ${JSON.stringify(this.heard)}`);
      await new Promise<void>((resolve) => {
        const look = () => {
          this.listeners.delete(look);
          resolve();
        };
        this.listeners.add(look);
      });
    }
  }

  async join(payload?: { waiting?: boolean; page?: string }): Promise<Heard<"joined">> {
    this.sayOf("join-room", payload);
    return this.next("joined");
  }

  /** Everything that the server had to say when it had read all that this socket sent. */
  async settle(): Promise<ServerSignal[]> {
    const pong = new Promise((resolve) => this.socket.once("pong", resolve));
    this.socket.ping();
    await pong;
    return this.heard;
  }
}

const pages = new Set<Talk>();

/** Closes every page that was opened before: their calls are over. */
export async function hangUp(): Promise<void> {
  const open = [...pages];
  pages.clear();
  for (const { socket } of open) socket.close();
  await Promise.all(open.map(({ closed }) => closed));
}

/** Opens the socket of a signed-in browser's page; its room is the visit that all its signals name. */
export async function talk(browser: Client, room: number, options: Options = {}): Promise<Talk> {
  const socket = new WebSocket(`${browser.origin.replace("http", "ws")}/ws`, {
    headers: { Cookie: cookieOf(browser), Origin: browser.origin },
    ...options,
  });
  const page = new Talk(socket, room);
  pages.add(page);
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return page;
}

export function cookieOf({ cookies }: Client): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** Hears that it was refused, and is closed for it. */
export async function expectRefused(page: Talk, trouble: string, code = 1008): Promise<void> {
  expect(await page.next("error")).toMatchObject({ code: trouble, payload: { code: trouble } });
  expect(await page.closed).toMatchObject({ code });
}
