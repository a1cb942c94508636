type Attempts = { count: number; endsAt: number };

/** Maximum of keys counted, and of used-up keys: about 1 MB of one counter at the most. */
export const MAX_KEYS = 5_000;

/**
 * Counts attempts by key in fixed windows, which begin with a key's first attempt. With 5,000 keys counted, the oldest one
 * is forgotten for a new one: that never refuses anybody. A key that has used up its attempts is kept apart, so that keys
 * which are tried once each don't free it; of those the oldest one of 5,000 is forgotten.
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

  /** Keys in memory. */
  get size(): number {
    return this.counted.size + this.usedUp.size;
  }

  /** Counts an attempt. Returns the milliseconds to wait if it is one too many, else null. */
  add(key: string): number | null {
    const wait = this.peek(key);
    if (wait !== null) return wait;
    const time = performance.now();
    // Windows have one length: the first to begin is the first to end.
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

  /** The milliseconds to wait if the next attempt would be one too many, else null. */
  peek(key: string): number | null {
    const attempts = this.usedUp.get(key);
    if (!attempts) return null;
    const wait = attempts.endsAt - performance.now();
    if (wait > 0) return wait;
    this.usedUp.delete(key);
    return null;
  }
}
