import { MINUTE_MS } from "../../time-units.ts";
import type { CallInfo } from "./call-state.ts";

/** Maximum age of the TURN credentials, which expire after an hour. */
const MAX_CREDENTIALS_AGE_MS = 45 * MINUTE_MS;
/** Timeout of the request. After it, the call uses the servers it already has. */
const FETCH_TIMEOUT_MS = 4_000;

/** Provides the STUN servers and, once both sides are present, the relay with valid credentials. */
export class IceServerSource {
  currentServers: RTCIceServer[];
  private readonly id: number;
  private relayFetchedAtMs = Number.NEGATIVE_INFINITY;

  constructor({ id, iceServers: servers }: Pick<CallInfo, "id" | "iceServers">) {
    this.id = id;
    this.currentServers = servers;
  }

  /**
   * Fetches the servers if there is no relay or its credentials are old. Returns null if they are unchanged or
   * unavailable.
   */
  async refresh(): Promise<RTCIceServer[] | null> {
    if (Date.now() - this.relayFetchedAtMs < MAX_CREDENTIALS_AGE_MS) return null;
    const servers = await this.fetchServers().catch(() => null);
    if (!servers) return null;
    this.currentServers = servers;
    const hasRelay = servers.some(({ urls }) => [urls].flat().some((url) => url.startsWith("turn")));
    if (hasRelay) this.relayFetchedAtMs = Date.now();
    return this.currentServers;
  }

  private async fetchServers(): Promise<RTCIceServer[] | null> {
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
    const response = await fetch(`/video-call/${this.id}/connection?refresh`, { signal });
    return response.ok ? ((await response.json()) as { iceServers: RTCIceServer[] }).iceServers : null;
  }
}
