/** No family should look at a spinner for longer without hearing what to do. */
const STUCK_MS = 10_000;
const LONG_GAP_MS = 3000;

/** Counts how long a line is missing, and says so when that is too long. */
export class Patience {
  private readonly tooLong: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private since: number | null = null;

  constructor(tooLong: () => void) {
    this.tooLong = tooLong;
  }

  start(): void {
    clearTimeout(this.timer);
    this.since = performance.now();
    this.timer = setTimeout(this.tooLong, STUCK_MS);
  }

  /** The line is there, or nobody waits for it; true after a long gap. */
  end(): boolean {
    clearTimeout(this.timer);
    const isLong = this.since !== null && performance.now() - this.since > LONG_GAP_MS;
    this.since = null;
    return isLong;
  }
}
