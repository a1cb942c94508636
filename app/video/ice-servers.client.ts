import type { CallFacts } from "./call-state.ts";

/** The relay's password holds for an hour. */
const MAX_AGE_MS = 45 * 60_000;
/** A call goes on with what it has when the server does not answer. */
const TIMEOUT_MS = 4_000;

/** The STUN servers, and once both sides are there the relay with a password that still opens it. */
export class IceServers {
  current: RTCIceServer[];
  private readonly id: number;
  private relaySince = Number.NEGATIVE_INFINITY;

  constructor({ id, iceServers: servers }: Pick<CallFacts, "id" | "iceServers">) {
    this.id = id;
    this.current = servers;
  }

  /** A new set when there is no relay yet or its password is old; null while it holds, or when none can be had. */
  async refresh(): Promise<RTCIceServer[] | null> {
    if (Date.now() - this.relaySince < MAX_AGE_MS) return null;
    const servers = await this.fetchServers().catch(() => null);
    if (!servers) return null;
    this.current = servers;
    const hasRelay = servers.some(({ urls }) => [urls].flat().some((url) => url.startsWith("turn")));
    if (hasRelay) this.relaySince = Date.now();
    return this.current;
  }

  private async fetchServers(): Promise<RTCIceServer[] | null> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(`/video-call/${this.id}/connection?refresh`, { signal });
    return answer.ok ? ((await answer.json()) as { iceServers: RTCIceServer[] }).iceServers : null;
  }
}
