import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { db } from "../db.server.ts";
import { env } from "../env.server.ts";
import { logError } from "../http/failure.server.ts";
import { isUnreadable, openText, sealText } from "../sealed-text.server.ts";
import { Listener } from "./listener.server.ts";
import type { News } from "./news.server.ts";

type Client = Prisma.TransactionClient;

/** Nobody reads what is older: its process is gone. */
const SWEPT_SECONDS = 60;
/** A row that waited longer was not announced, or nobody heard it. */
const UNHEARD_SECONDS = 1;
const TRIES = 5;
const NEWS = "call_signals.news";
const RETRY_MS = 1_000;

/**
 * What processes say to each other through PostgreSQL: short-lived rows, of which a notification carries the id alone,
 * as it could not carry more than 8,000 bytes. The one that a row is for deletes it as it reads it.
 */
export class Mailbox {
  private readonly process: string;
  private readonly hear: (news: News) => void;
  private readonly listener: Listener;
  private isOpen = false;
  private last: Promise<unknown> = Promise.resolve();
  private reading: Promise<void> | null = null;
  private isAskedAgain = false;

  constructor(process: string, hear: (news: News) => void) {
    this.process = process;
    this.hear = hear;
    this.listener = new Listener(env.databaseUrl, `call_${process}`, () => void this.read());
  }

  async open(): Promise<void> {
    if (this.isOpen) return;
    this.isOpen = true;
    await this.listener.start();
  }

  /** Writes to other processes what concerns them. */
  async send(client: Client, to: (readonly [process: string, news: News])[]): Promise<void> {
    const others = to.filter(([process]) => process !== this.process);
    if (others.length === 0) return;
    const processes = others.map(([process]) => process);
    const news = others.map(([, each]) => sealText(JSON.stringify(each), NEWS));
    await client.$executeRaw`
      INSERT INTO call_signals (process, news, "createdAt")
      SELECT process, news, timezone('UTC', now()) FROM unnest(${processes}::text[], ${news}::text[]) AS t(process, news)`;
  }

  /** One after the other, so that what is said arrives in its order; tried for some seconds while the database is away. */
  later(work: () => Promise<unknown>): void {
    this.last = this.last.then(() => insist(work));
  }

  /** Resolves when all that was to be said before is in the database. */
  settled(): Promise<unknown> {
    return this.last;
  }

  /** Reads what there is, heard or not; a connection that heard nothing of it is made anew. */
  async catchUp(): Promise<void> {
    const [row] = await db.$queryRaw<{ id: number }[]>`
      SELECT id FROM call_signals WHERE process = ${this.process}
        AND "createdAt" < timezone('UTC', now()) - make_interval(secs => ${UNHEARD_SECONDS}) LIMIT 1`;
    if (row) this.listener.renew();
    await this.read();
    await db.$executeRaw`
      DELETE FROM call_signals WHERE "createdAt" < timezone('UTC', now()) - make_interval(secs => ${SWEPT_SECONDS})`;
  }

  /** Says what is still to be said, and hears no more; false when it never was open. */
  async close(): Promise<boolean> {
    await this.last;
    await this.listener.stop();
    await this.reading;
    return this.isOpen;
  }

  /** One reading at a time; what is announced meanwhile is read right after it. */
  private read(): Promise<void> {
    this.isAskedAgain = true;
    this.reading ??= this.readAll().finally(() => (this.reading = null));
    return this.reading;
  }

  /** Two processes that were given different FILE_KEYS don't understand each other; it is reported (sealed-text.server.ts). */
  private hearSealed(stored: string): void {
    const news = openText(stored, NEWS);
    if (!isUnreadable(news)) this.hear(JSON.parse(news) as News);
  }

  private async readAll(): Promise<void> {
    while (this.isAskedAgain) {
      this.isAskedAgain = false;
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

async function insist(work: () => Promise<unknown>): Promise<void> {
  for (let left = TRIES; left > 0; left -= 1) {
    try {
      await work();
      return;
    } catch (error) {
      logError(error, "/ws");
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
