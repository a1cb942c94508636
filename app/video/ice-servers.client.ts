import type { CallFacts } from "./call-state.ts";

/** The relay's password holds for an hour. */
const FRESH_MS = 45 * 60_000;

/** The STUN servers and the relay, with a password that still opens it. */
export class IceServers {
  current: RTCIceServer[];
  private readonly id: number;
  private since = Date.now();

  constructor({ id, servers }: Pick<CallFacts, "id" | "servers">) {
    this.id = id;
    this.current = servers;
  }

  /** A new set when the last one is old; null while it holds, or when none can be had. */
  async fresh(): Promise<RTCIceServer[] | null> {
    if (Date.now() - this.since < FRESH_MS) return null;
    const answer = await fetch(`/video-call/${this.id}/connection?refresh`).catch(() => null);
    if (!answer?.ok) return null;
    this.current = ((await answer.json()) as { iceServers: RTCIceServer[] }).iceServers;
    this.since = Date.now();
    return this.current;
  }
}
