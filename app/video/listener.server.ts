import type { Client } from "pg";

const CONNECT_MS = 4_000;
const RETRY_MS = 1_000;

/** Hears one channel of PostgreSQL on a connection of its own, and connects again by itself when that one breaks. */
export class Listener {
  private readonly url: string;
  private readonly channel: string;
  private readonly heard: () => void;
  private client: Client | null = null;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  /** `heard` is called for each notification, and each time the connection stands anew: something may have come meanwhile. */
  constructor(url: string, channel: string, heard: () => void) {
    this.url = url;
    this.channel = channel;
    this.heard = heard;
  }

  /** Resolves when it listens, or will try again in a second. */
  async start(): Promise<void> {
    const { default: pg } = await import("pg"); // of no use beside SQLite
    if (this.isStopped) return;
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: CONNECT_MS, keepAlive: true });
    this.client = client;
    client.on("error", () => this.lose(client));
    client.on("end", () => this.lose(client));
    client.on("notification", () => this.heard());
    try {
      await client.connect();
      await client.query(`LISTEN "${this.channel}"`);
      this.heard();
    } catch {
      this.lose(client);
    }
  }

  /** A connection that no longer hears, though it seems to stand. */
  renew(): void {
    if (this.client) this.lose(this.client);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.client?.end().catch(() => {});
  }

  private lose(client: Client): void {
    if (client !== this.client) return;
    this.client = null;
    void client.end().catch(() => {});
    if (!this.isStopped) this.timer = setTimeout(() => void this.start(), RETRY_MS).unref();
  }
}
