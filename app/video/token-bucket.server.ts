/** A frame costs one point, and one more for each of these. */
const BYTES_PER_TOKEN = 2_048;

type BucketLimit = { capacity: number; perSecond: number };

/** Far above what a call needs (some forty candidates at once, then silence), far below what a flood is. Measurements lift them. */
export const BUDGETS: Record<"line" | "person", BucketLimit> = {
  line: { capacity: 300, perSecond: 60 },
  /** all sockets of one person together */
  person: { capacity: 900, perSecond: 180 },
};

/** So many points at once, and so many more each second: a frame costs one, and more when it is long. */
export class TokenBucket {
  private readonly capacity: number;
  private readonly refillPerMs: number;
  private tokens: number;
  private refilledAt = 0;

  constructor({ capacity, perSecond }: BucketLimit) {
    this.capacity = capacity;
    this.refillPerMs = perSecond / 1000;
    this.tokens = capacity;
  }

  /** Takes what a frame of so many bytes costs; false when that is more than is left. `time` in milliseconds, of any clock. */
  take(bytes: number, nowMs: number): boolean {
    this.tokens = Math.min(this.capacity, this.tokens + (nowMs - this.refilledAt) * this.refillPerMs);
    this.refilledAt = nowMs;
    this.tokens -= 1 + bytes / BYTES_PER_TOKEN;
    return this.tokens >= 0;
  }
}
