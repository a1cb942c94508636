import { networksOf } from "./client-ip.server.ts";

/** Limits of a /64, a /56 and a /48, as multiples of the limit of one address. */
const NETWORK_FACTORS = [1, 1.5, 2];

/** Counts the resources that clients hold at the same time, by each network of their address. */
export class NetworkConcurrency {
  private readonly counts = new Map<string, number>();

  /** The narrowest network of `ip` (see `clientIp`) that has no room for `weight` more, or null. */
  findFull(ip: string, weight: number, limit: number): string | null {
    const isFull = (network: string, level: number) =>
      (this.counts.get(network) ?? 0) + weight > limit * (NETWORK_FACTORS[level] ?? 1);
    return networksOf(ip).find(isFull) ?? null;
  }

  /** Adds `weight`, negative when something is released. */
  add(ip: string, weight: number): void {
    for (const network of networksOf(ip)) {
      const sum = (this.counts.get(network) ?? 0) + weight;
      if (sum > 0) this.counts.set(network, sum);
      else this.counts.delete(network);
    }
  }
}
