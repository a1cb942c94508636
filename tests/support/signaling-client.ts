import { expect } from "vitest";
import { WebSocket } from "ws";
import type { ClientSignal, ServerSignal } from "../../app/video/signaling-protocol.ts";
import type { TestClient } from "./http-client.ts";

type Options = { autoPong?: boolean };
type SignalOfType<T> = Extract<ServerSignal, { type: T }>;

/** The signaling socket of one browser tab, and the signals that it has received. */
export class SignalingClient {
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
      for (const listener of this.listeners) listener();
    });
    socket.on("error", () => {});
    this.closed = new Promise((resolve) => {
      socket.once("close", (code, reason) => {
        resolve({ code, reason: reason.toString() });
        for (const listener of this.listeners) listener();
      });
    });
  }

  send(signal: Record<string, unknown>): void {
    this.socket.send(JSON.stringify({ appointmentId: this.room, ...signal }));
  }

  sendType(type: ClientSignal["type"], payload?: unknown): void {
    this.send(payload === undefined ? { type } : { type, payload });
  }

  /** Removes and returns the next signal of this type; rejects when the socket closes first. */
  async next<T extends ServerSignal["type"]>(type: T): Promise<SignalOfType<T>> {
    for (;;) {
      const index = this.received.findIndex((signal) => signal.type === type);
      if (index !== -1) return this.received.splice(index, 1)[0] as SignalOfType<T>;
      if (this.socket.readyState === WebSocket.CLOSED)
        throw new Error(`Closed before ${type}: ${JSON.stringify(this.received)}`);
      await new Promise<void>((resolve) => {
        const listener = () => {
          this.listeners.delete(listener);
          resolve();
        };
        this.listeners.add(listener);
      });
    }
  }

  async join(payload?: { waiting?: boolean; page?: string }): Promise<SignalOfType<"joined">> {
    this.sendType("join-room", payload);
    return this.next("joined");
  }

  /** All signals received once the server has read everything that this socket sent. */
  async flush(): Promise<ServerSignal[]> {
    const pong = new Promise((resolve) => this.socket.once("pong", resolve));
    this.socket.ping();
    await pong;
    return this.received;
  }
}

const clients = new Set<SignalingClient>();

/** Closes every socket that tests have opened. */
export async function closeAllSockets(): Promise<void> {
  const open = [...clients];
  clients.clear();
  for (const { socket } of open) socket.close();
  await Promise.all(open.map(({ closed }) => closed));
}

/** Opens the socket of a signed-in browser for a room, the id of its appointment. */
export async function connectSignaling(
  browser: TestClient,
  room: number,
  options: Options = {},
): Promise<SignalingClient> {
  const socket = new WebSocket(`${browser.origin.replace("http", "ws")}/ws`, {
    headers: { Cookie: cookieHeader(browser), Origin: browser.origin },
    ...options,
  });
  const client = new SignalingClient(socket, room);
  clients.add(client);
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return client;
}

export function cookieHeader({ cookies }: TestClient): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** Expects an error signal, and that the socket closes. */
export async function expectClosedWithError(client: SignalingClient, errorCode: string, code = 1008): Promise<void> {
  expect(await client.next("error")).toMatchObject({ code: errorCode, payload: { code: errorCode } });
  expect(await client.closed).toMatchObject({ code });
}
