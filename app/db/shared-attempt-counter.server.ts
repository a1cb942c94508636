import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { env } from "../env.server.ts";
import { createNonDurableStatementPool } from "./postgresql.server.ts";

const pool = createNonDurableStatementPool(env.databaseUrl);
let isFirstLimiter = true;

/**
 * Counts attempts by key in fixed windows, for all processes of a site, in the table `rate_limits` of PostgreSQL. Keys
 * are stored unchanged. Rejects if the database does not answer.
 */
export class SharedAttemptCounter {
  private readonly limiter: RateLimiterPostgres;

  constructor(name: string, max: number, windowSeconds: number) {
    this.limiter = new RateLimiterPostgres({
      storeClient: pool,
      storeType: "pool",
      tableName: "rate_limits",
      tableCreated: true,
      // All limits share one table, so only one of them deletes its expired rows.
      clearExpiredByTimeout: isFirstLimiter,
      keyPrefix: name,
      points: max,
      duration: windowSeconds,
    });
    isFirstLimiter = false;
  }

  /** Counts an attempt. Returns the milliseconds to wait if it exceeds the limit, otherwise null. */
  async add(key: string): Promise<number | null> {
    try {
      await this.limiter.consume(key);
      return null;
    } catch (error) {
      if (error instanceof RateLimiterRes) return error.msBeforeNext;
      throw error;
    }
  }

  /** Returns the milliseconds to wait if the next attempt would exceed the limit, otherwise null. */
  async peek(key: string): Promise<number | null> {
    const found = await this.limiter.get(key);
    return found && found.remainingPoints === 0 ? found.msBeforeNext : null;
  }
}
