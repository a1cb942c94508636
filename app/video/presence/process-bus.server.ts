import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import { db } from "../../db/client.server.ts";
import { env } from "../../env.server.ts";
import { logError } from "../../http/errors.server.ts";
import { isUnreadable, openText, sealText } from "../../db/field-encryption.server.ts";
import { NotificationListener } from "./notification-listener.server.ts";
import type { BusMessage } from "./messages.server.ts";

type Client = Prisma.TransactionClient;

/** Nobody reads what is older: its process is gone. */
const MESSAGE_TTL_SECONDS = 60;
/** A row that waited longer was not announced, or nobody heard it. */
const MISSED_AFTER_SECONDS = 1;
const MAX_TRIES = 5;
const NEWS = "call_signals.news";
const RETRY_DELAY_MS = 1_000;

/**
 * What processes say to each other through PostgreSQL: short-lived rows, of which a notification carries the id alone,
 * as it could not carry more than 8,000 bytes. The one that a row is for deletes it as it reads it.
 */
export class ProcessBus {
  private readonly process: string;
  private readonly onMessage: (news: BusMessage) => void;
  private readonly listener: NotificationListener;
  private isOpen = false;
  private queue: Promise<unknown> = Promise.resolve();
  private reading: Promise<void> | null = null;
  private needsAnotherRead = false;

  constructor(process: string, onMessage: (news: BusMessage) => void) {
    this.process = process;
    this.onMessage = onMessage;
    this.listener = new NotificationListener(env.databaseUrl, `call_${process}`, () => void this.read());
  }

  async open(): Promise<void> {
    if (this.isOpen) return;
    this.isOpen = true;
    await this.listener.start();
  }

  /** Writes to other processes what concerns them. */
  async send(client: Client, messages: (readonly [process: string, news: BusMessage])[]): Promise<void> {
    const others = messages.filter(([process]) => process !== this.process);
    if (others.length === 0) return;
    const processes = others.map(([process]) => process);
    const news = others.map(([, each]) => sealText(JSON.stringify(each), NEWS));
    await client.$executeRaw`
      INSERT INTO call_signals (process, news, "createdAt")
      SELECT process, news, timezone('UTC', now()) FROM unnest(${processes}::text[], ${news}::text[]) AS t(process, news)`;
  }

  /** One after the other, so that what is said arrives in its order; tried for some seconds while the database is away. */
  enqueue(task: () => Promise<unknown>): void {
    this.queue = this.queue.then(() => retry(task));
  }

  /** Resolves when all that was to be said before is in the database. */
  flushed(): Promise<unknown> {
    return this.queue;
  }

  /** Reads what there is, heard or not; a connection that heard nothing of it is made anew. */
  async catchUp(): Promise<void> {
    const [row] = await db.$queryRaw<{ id: number }[]>`
      SELECT id FROM call_signals WHERE process = ${this.process}
        AND "createdAt" < timezone('UTC', now()) - make_interval(secs => ${MISSED_AFTER_SECONDS}) LIMIT 1`;
    if (row) this.listener.reconnect();
    await this.read();
    await db.$executeRaw`
      DELETE FROM call_signals WHERE "createdAt" < timezone('UTC', now()) - make_interval(secs => ${MESSAGE_TTL_SECONDS})`;
  }

  /** Says what is still to be said, and hears no more; false when it never was open. */
  async close(): Promise<boolean> {
    await this.queue;
    await this.listener.stop();
    await this.reading;
    return this.isOpen;
  }

  /** One reading at a time; what is announced meanwhile is read right after it. */
  private read(): Promise<void> {
    this.needsAnotherRead = true;
    this.reading ??= this.readAll().finally(() => (this.reading = null));
    return this.reading;
  }

  /** Two processes that were given different FILE_KEYS don't understand each other; it is reported (sealed-text.server.ts). */
  private hearSealed(stored: string): void {
    const news = openText(stored, NEWS);
    if (!isUnreadable(news)) this.onMessage(JSON.parse(news) as BusMessage);
  }

  private async readAll(): Promise<void> {
    while (this.needsAnotherRead) {
      this.needsAnotherRead = false;
      try {
        const rows = await db.$queryRaw<{ id: number; news: string }[]>`
          DELETE FROM call_signals WHERE process = ${this.process} RETURNING id, news`;
        for (const { news } of rows.sort((one, other) => one.id - other.id)) this.hearSealed(news);
      } catch (error) {
        logError(error, "/ws"); // the rows are still there: the next look, in a moment, finds them
      }
    }
  }
}

async function retry(task: () => Promise<unknown>): Promise<void> {
  for (let triesLeft = MAX_TRIES; triesLeft > 0; triesLeft -= 1) {
    try {
      await task();
      return;
    } catch (error) {
      logError(error, "/ws");
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    }
  }
}
