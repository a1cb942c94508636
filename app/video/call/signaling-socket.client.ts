import { CLOSE_CODES, type ClientSignal, type ServerSignal, SOCKET_PATH } from "../signaling-protocol.ts";

type SocketOptions = {
  appointmentId: number;
  /** Identifies this page, so that the other side can tell a reconnect from a reload. */
  tabId: string;
  onSignal: (signal: ServerSignal) => void;
  /** Called when the server becomes reachable or unreachable. */
  onStatus: (isOpen: boolean) => void;
  /**
   * Called when the socket was closed and won't reconnect, with a code of `CLOSE_CODES` and a reason for the person.
   */
  onClosed: (code: number, reason: string) => void;
};

/** A client's signal without the appointment id, which the socket adds. */
export type OutgoingSignal = ClientSignal extends infer S
  ? S extends ClientSignal
    ? Omit<S, "appointmentId">
    : never
  : never;

const INITIAL_RECONNECT_DELAY_MS = 400;
const MAX_RECONNECT_DELAY_MS = 5000;
const FINAL_CLOSE_CODES: number[] = [CLOSE_CODES.policy, CLOSE_CODES.tooBig, CLOSE_CODES.replaced, CLOSE_CODES.ended];

/**
 * The WebSocket connection to the server. Reconnects with exponential backoff and jitter, then rejoins the waiting room
 * or the room.
 */
export class SignalingSocket {
  private readonly options: SocketOptions;
  private socket: WebSocket | null = null;
  private isWaiting = true;
  private attempts = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isClosed = false;
  private readonly reconnectNow = () => this.connect();

  constructor(options: SocketOptions) {
    this.options = options;
    window.addEventListener("online", this.reconnectNow);
    this.connect();
  }

  /** Moves from the waiting room into the room. */
  join(): void {
    this.isWaiting = false;
    this.sendJoin();
  }

  /** Sends a signal. Returns false if the socket is not open; the signal is then lost. */
  send(signal: OutgoingSignal): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify({ ...signal, appointmentId: this.options.appointmentId }));
    return true;
  }

  close(): void {
    this.isClosed = true;
    window.removeEventListener("online", this.reconnectNow);
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
      this.sendJoin();
      this.options.onStatus(true);
    });
    socket.addEventListener("message", ({ data }) => {
      if (!isCurrent()) return;
      const signal = JSON.parse(String(data)) as ServerSignal;
      // Not reset when the socket opens, because a server that is shutting down still accepts connections.
      if (signal.type === "joined") this.attempts = 0;
      this.options.onSignal(signal);
    });
    socket.addEventListener("close", ({ code, reason }) => {
      if (!isCurrent()) return;
      this.socket = null;
      this.options.onStatus(false);
      if (FINAL_CLOSE_CODES.includes(code)) return this.options.onClosed(code, reason);
      const maxDelayMs = Math.min(MAX_RECONNECT_DELAY_MS, INITIAL_RECONNECT_DELAY_MS * 2 ** this.attempts);
      this.attempts += 1;
      this.timer = setTimeout(() => this.connect(), maxDelayMs * (0.4 + 0.6 * Math.random()));
    });
  }

  private sendJoin() {
    const { tabId } = this.options;
    this.send({ type: "join-room", payload: this.isWaiting ? { page: tabId, waiting: true } : { page: tabId } });
  }
}
