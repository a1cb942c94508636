import type { Client } from "pg";

const CONNECT_TIMEOUT_MS = 4_000;
const RETRY_DELAY_MS = 1_000;

/** Hears one channel of PostgreSQL on a connection of its own, and connects again by itself when that one breaks. */
export class NotificationListener {
  private readonly url: string;
  private readonly channel: string;
  private readonly onNotification: () => void;
  private client: Client | null = null;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  /** `heard` is called for each notification, and each time the connection stands anew: something may have come meanwhile. */
  constructor(url: string, channel: string, onNotification: () => void) {
    this.url = url;
    this.channel = channel;
    this.onNotification = onNotification;
  }

  /** Resolves when it listens, or will try again in a second. */
  async start(): Promise<void> {
    const { default: pg } = await import("pg"); // of no use beside SQLite
    if (this.isStopped) return;
    const client = new pg.Client({
      connectionString: this.url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    this.client = client;
    client.on("error", () => this.onDisconnect(client));
    client.on("end", () => this.onDisconnect(client));
    client.on("notification", () => this.onNotification());
    try {
      await client.connect();
      await client.query(`LISTEN "${this.channel}"`);
      this.onNotification();
    } catch {
      this.onDisconnect(client);
    }
  }

  /** A connection that no longer hears, though it seems to stand. */
  reconnect(): void {
    if (this.client) this.onDisconnect(this.client);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.client?.end().catch(() => {});
  }

  private onDisconnect(client: Client): void {
    if (client !== this.client) return;
    this.client = null;
    void client.end().catch(() => {});
    if (!this.isStopped) this.timer = setTimeout(() => void this.start(), RETRY_DELAY_MS).unref();
  }
}
