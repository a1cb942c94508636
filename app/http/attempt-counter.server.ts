type Attempts = { count: number; endsAt: number };

/** Maximum number of counted keys, and of used-up keys. One counter needs at most about 1 MB. */
export const MAX_KEYS = 5_000;

/**
 * Counts attempts by key in fixed windows. A key's window begins with its first attempt. When 5,000 keys are counted, a
 * new key replaces the oldest one, which never causes a refusal. Keys that have used up their attempts are stored
 * separately, so that adding many new keys does not reset them. Of these keys, too, the oldest one is dropped when
 * there are 5,000.
 */
export class AttemptCounter {
  private readonly counted = new Map<string, Attempts>();
  private readonly usedUp = new Map<string, Attempts>();
  readonly name: string;
  readonly max: number;
  readonly windowSeconds: number;

  constructor(name: string, max: number, windowSeconds: number) {
    this.name = name;
    this.max = max;
    this.windowSeconds = windowSeconds;
  }

  /** Number of keys in memory. */
  get size(): number {
    return this.counted.size + this.usedUp.size;
  }

  /** Counts an attempt. Returns the milliseconds to wait if the limit is already reached, otherwise null. */
  add(key: string): number | null {
    const wait = this.peek(key);
    if (wait !== null) return wait;
    const time = performance.now();
    // All windows have the same length, so the first one to begin is the first one to end.
    for (const [oldest, { endsAt }] of this.counted) {
      if (endsAt > time && (this.counted.size < MAX_KEYS || this.counted.has(key))) break;
      this.counted.delete(oldest);
    }
    const attempts = this.counted.get(key) ?? { count: 0, endsAt: time + this.windowSeconds * 1_000 };
    attempts.count += 1;
    if (attempts.count < this.max) this.counted.set(key, attempts);
    else {
      this.counted.delete(key);
      const [first] = this.usedUp.keys();
      if (first !== undefined && this.usedUp.size >= MAX_KEYS) this.usedUp.delete(first);
      this.usedUp.set(key, attempts);
    }
    return null;
  }

  /** Returns the milliseconds to wait if the limit is already reached, otherwise null. Does not count an attempt. */
  peek(key: string): number | null {
    const attempts = this.usedUp.get(key);
    if (!attempts) return null;
    const wait = attempts.endsAt - performance.now();
    if (wait > 0) return wait;
    this.usedUp.delete(key);
    return null;
  }
}
