import type { Client } from "pg";

const CONNECT_TIMEOUT_MS = 4_000;
const RETRY_DELAY_MS = 1_000;

/** Listens to one PostgreSQL channel on its own connection, and reconnects after each failure. */
export class PostgresqlNotificationListener {
  private readonly url: string;
  private readonly channel: string;
  private readonly onNotification: () => void;
  private client: Client | null = null;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  /** `onNotification` is also called after each connect, because an earlier notification may have been lost. */
  constructor(url: string, channel: string, onNotification: () => void) {
    this.url = url;
    this.channel = channel;
    this.onNotification = onNotification;
  }

  /** Resolves once the listener is connected, or once a failed attempt has scheduled a retry in one second. */
  async start(): Promise<void> {
    const { default: pg } = await import("pg"); // not needed on SQLite
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

  /** Replaces a connection that appears open but delivers no notifications. */
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
