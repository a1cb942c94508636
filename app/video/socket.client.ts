import { CLOSED, type ClientSignal, type ServerSignal, SOCKET_PATH } from "./signals.ts";

type SocketOptions = {
  appointmentId: number;
  /** This page's own name: the other side knows by it whether the same page came back. */
  page: string;
  heard: (signal: ServerSignal) => void;
  /** Whether the server can be reached. */
  changed: (isOpen: boolean) => void;
  /** Closed for good, with the code and the words that say why. */
  shut: (code: number, reason: string) => void;
};

/** What is left of a frame when the appointment is known. */
export type Said = ClientSignal extends infer S ? (S extends ClientSignal ? Omit<S, "appointmentId"> : never) : never;

const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 5000;
const FINAL: number[] = [CLOSED.policy, CLOSED.tooBig, CLOSED.replaced, CLOSED.ended];

/**
 * The line to the server. It comes back by itself when it breaks, after a pause that grows and that no two browsers
 * share, and sits down again where it sat.
 */
export class SignalSocket {
  private readonly options: SocketOptions;
  private socket: WebSocket | null = null;
  private isWaiting = true;
  private tries = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isClosed = false;
  private readonly hurry = () => this.connect();

  constructor(options: SocketOptions) {
    this.options = options;
    window.addEventListener("online", this.hurry);
    this.connect();
  }

  /** From the waiting room into the room. */
  join(): void {
    this.isWaiting = false;
    this.sitDown();
  }

  /** False when there is no line at the moment: the frame is lost. */
  send(said: Said): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify({ ...said, appointmentId: this.options.appointmentId }));
    return true;
  }

  close(): void {
    this.isClosed = true;
    window.removeEventListener("online", this.hurry);
    clearTimeout(this.timer);
    this.socket?.close(1000);
    this.socket = null;
  }

  private connect() {
    clearTimeout(this.timer);
    this.socket?.close(1000);
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${SOCKET_PATH}`);
    this.socket = socket;
    const isCurrent = () => this.socket === socket && !this.isClosed;
    socket.addEventListener("open", () => {
      if (!isCurrent()) return;
      this.sitDown();
      this.options.changed(true);
    });
    socket.addEventListener("message", ({ data }) => {
      if (!isCurrent()) return;
      const signal = JSON.parse(String(data)) as ServerSignal;
      // Not at the opening: a server that is about to end still opens.
      if (signal.type === "joined") this.tries = 0;
      this.options.heard(signal);
    });
    socket.addEventListener("close", ({ code, reason }) => {
      if (!isCurrent()) return;
      this.socket = null;
      this.options.changed(false);
      if (FINAL.includes(code)) return this.options.shut(code, reason);
      const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.tries);
      this.tries += 1;
      this.timer = setTimeout(() => this.connect(), longest * (0.4 + 0.6 * Math.random()));
    });
  }

  private sitDown() {
    const { page } = this.options;
    this.send({ type: "join-room", payload: this.isWaiting ? { page, waiting: true } : { page } });
  }
}
