/** Time without a connection after which the page explains what to do. */
const INITIAL_TIMEOUT_MS = 10_000;
const MAX_TIMEOUT_MS = 60_000;
const LONG_INTERRUPTION_MS = 3000;

/**
 * Measures how long the peer connection is missing. Calls `onTimeout` after 10 s; each further timeout is twice as
 * long, up to 60 s.
 */
export class ConnectTimeoutTimer {
  private readonly onTimeout: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private startedAt: number | null = null;
  private timeoutMs = INITIAL_TIMEOUT_MS;

  constructor(onTimeout: () => void) {
    this.onTimeout = onTimeout;
  }

  /** Does nothing while the timer is running, so that a further attempt does not delay the explanation. */
  start(): void {
    if (this.timer !== undefined) return;
    this.startedAt ??= performance.now();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.timeoutMs = Math.min(MAX_TIMEOUT_MS, 2 * this.timeoutMs);
      this.onTimeout();
    }, this.timeoutMs);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.startedAt = null;
  }

  /** Must be called when connected. Returns whether the connection was missing for more than 3 s. */
  reset(): boolean {
    const wasLongInterruption = this.startedAt !== null && performance.now() - this.startedAt > LONG_INTERRUPTION_MS;
    this.stop();
    this.timeoutMs = INITIAL_TIMEOUT_MS;
    return wasLongInterruption;
  }
}
