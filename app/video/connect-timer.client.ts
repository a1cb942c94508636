/** No family should look at a spinner for longer without hearing what to do. */
const UNREACHABLE_AFTER_MS = 10_000;
const LONG_GAP_MS = 3000;

/** Counts how long a line is missing, and says so when that is too long. */
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

  /** The line is there, or nobody waits for it; true after a long gap. */
  stop(): boolean {
    clearTimeout(this.timer);
    const wasLongGap = this.startedAt !== null && performance.now() - this.startedAt > LONG_GAP_MS;
    this.startedAt = null;
    return wasLongGap;
  }
}
