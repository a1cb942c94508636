type AttemptWindow = { count: number; endsAt: number };

/** Maximum number of counted keys, and of used-up keys. One counter needs at most about 1 MB. */
export const MAX_KEYS = 5_000;

/**
 * Counts attempts by key in fixed windows. A key's window begins with its first attempt. When 5,000 keys are counted, a
 * new key replaces the oldest one, which never causes a refusal. Keys that have used up their attempts are stored
 * separately, so that adding many new keys does not reset them. Of these keys, too, the oldest one is dropped when
 * there are 5,000.
 */
export class AttemptCounter {
  private readonly attemptsByKey = new Map<string, AttemptWindow>();
  private readonly exhaustedAttemptsByKey = new Map<string, AttemptWindow>();
  readonly name: string;
  readonly maxAttempts: number;
  readonly windowSeconds: number;

  constructor(name: string, maxAttempts: number, windowSeconds: number) {
    this.name = name;
    this.maxAttempts = maxAttempts;
    this.windowSeconds = windowSeconds;
  }

  /** Number of keys in memory. */
  get size(): number {
    return this.attemptsByKey.size + this.exhaustedAttemptsByKey.size;
  }

  /** Counts an attempt. Returns the milliseconds to wait if the limit is already reached, otherwise null. */
  add(key: string): number | null {
    const waitMs = this.peek(key);
    if (waitMs !== null) return waitMs;
    const time = performance.now();
    // All windows have the same length, so the first one to begin is the first one to end.
    for (const [oldest, { endsAt }] of this.attemptsByKey) {
      if (endsAt > time && (this.attemptsByKey.size < MAX_KEYS || this.attemptsByKey.has(key))) break;
      this.attemptsByKey.delete(oldest);
    }
    const attempts = this.attemptsByKey.get(key) ?? { count: 0, endsAt: time + this.windowSeconds * 1_000 };
    attempts.count += 1;
    if (attempts.count < this.maxAttempts) this.attemptsByKey.set(key, attempts);
    else {
      this.attemptsByKey.delete(key);
      const [first] = this.exhaustedAttemptsByKey.keys();
      if (first !== undefined && this.exhaustedAttemptsByKey.size >= MAX_KEYS)
        this.exhaustedAttemptsByKey.delete(first);
      this.exhaustedAttemptsByKey.set(key, attempts);
    }
    return null;
  }

  /** Returns the milliseconds to wait if the limit is already reached, otherwise null. Does not count an attempt. */
  peek(key: string): number | null {
    const attempts = this.exhaustedAttemptsByKey.get(key);
    if (!attempts) return null;
    const waitMs = attempts.endsAt - performance.now();
    if (waitMs > 0) return waitMs;
    this.exhaustedAttemptsByKey.delete(key);
    return null;
  }
}
