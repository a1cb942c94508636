import { networksOf } from "./client-ip.server.ts";

/** Limits of a /64, a /56 and a /48, as multiples of the limit of one address. */
const NETWORK_LIMIT_FACTORS = [1, 1.5, 2];

/**
 * Counts the resources that clients use at the same time, by each network of their address, and separately by `owner`
 * if given.
 */
export class NetworkConcurrency {
  private readonly counts = new Map<string, number>();

  /**
   * Returns the narrowest network of `ip` (see `clientIp`) that would exceed its limit with `weight` more, otherwise
   * null.
   */
  findNetworkAtLimit(ip: string, weight: number, limit: number, owner = ""): string | null {
    const isAtLimit = (network: string, level: number) =>
      (this.counts.get(owner + network) ?? 0) + weight > limit * (NETWORK_LIMIT_FACTORS[level] ?? 1);
    return networksOf(ip).find(isAtLimit) ?? null;
  }

  /** Adds `weight` to all networks of `ip`. A negative `weight` releases resources. */
  add(ip: string, weight: number, owner = ""): void {
    for (const network of networksOf(ip)) {
      const key = owner + network;
      const sum = (this.counts.get(key) ?? 0) + weight;
      if (sum > 0) this.counts.set(key, sum);
      else this.counts.delete(key);
    }
  }
}
