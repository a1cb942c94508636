/** After this time without a connection the page explains what to do. */
const UNREACHABLE_AFTER_MS = 10_000;
const LONG_GAP_MS = 3000;

/** Measures how long the peer connection is missing; calls `onTimeout` once after 10 s. */
export class ConnectTimer {
  private readonly onTimeout: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private startedAt: number | null = null;

  constructor(onTimeout: () => void) {
    this.onTimeout = onTimeout;
  }

  start(): void {
    clearTimeout(this.timer);
    this.startedAt = performance.now();
    this.timer = setTimeout(this.onTimeout, UNREACHABLE_AFTER_MS);
  }

  /** Call when connected or no longer waiting. Returns whether the connection was missing for more than 3 s. */
  stop(): boolean {
    clearTimeout(this.timer);
    const wasLongGap = this.startedAt !== null && performance.now() - this.startedAt > LONG_GAP_MS;
    this.startedAt = null;
    return wasLongGap;
  }
}
