/** A frame costs one token, plus one token per this many bytes. */
const BYTES_PER_TOKEN = 2_048;

type BucketLimit = { capacity: number; tokensPerSecond: number };

/**
 * Rate limits for frames. A call sends a burst of about forty ICE candidates and few frames after that.
 * bench/signaling-server.ts raises these limits.
 */
export const FRAME_RATE_LIMITS: Record<"socket" | "person", BucketLimit> = {
  socket: { capacity: 300, tokensPerSecond: 60 },
  /** shared by all sockets of one person */
  person: { capacity: 900, tokensPerSecond: 180 },
};

/** A rate limit for frames: starts with `capacity` tokens and refills `tokensPerSecond` tokens up to that capacity. */
export class TokenBucket {
  private readonly capacity: number;
  private readonly refillPerMs: number;
  private tokens: number;
  private refilledAt = 0;

  constructor({ capacity, tokensPerSecond }: BucketLimit) {
    this.capacity = capacity;
    this.refillPerMs = tokensPerSecond / 1000;
    this.tokens = capacity;
  }

  /**
   * Deducts the cost of a frame of `bytes` bytes. Returns false if there are too few tokens. `nowMs` is the time of any
   * monotonic clock.
   */
  take(bytes: number, nowMs: number): boolean {
    this.tokens = Math.min(this.capacity, this.tokens + (nowMs - this.refilledAt) * this.refillPerMs);
    this.refilledAt = nowMs;
    this.tokens -= 1 + bytes / BYTES_PER_TOKEN;
    return this.tokens >= 0;
  }
}
