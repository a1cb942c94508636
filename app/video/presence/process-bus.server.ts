import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import { db } from "../../db/database-client.server.ts";
import { env } from "../../env.server.ts";
import { logError } from "../../http/errors.server.ts";
import {
  decryptText,
  encryptText,
  isEncrypted,
  isUnreadable,
  newestKeyPrefix,
} from "../../db/text-encryption.server.ts";
import { SerialQueue } from "../../serial-queue.ts";
import { PostgresqlNotificationListener } from "./postgresql-notification-listener.server.ts";
import type { BusMessage } from "./presence-types.server.ts";

type Client = Prisma.TransactionClient;

/** Maximum age of a message. An older one has no reader, because its receiving process has ended. */
const MESSAGE_TTL_SECONDS = 60;
/** Age after which the notification of an unread message is considered lost. */
const MISSED_AFTER_SECONDS = 1;
const MAX_SEND_ATTEMPTS = 5;
const ENCRYPTION_CONTEXT = "call_signals.news";
const RETRY_DELAY_MS = 1_000;

/**
 * Delivers messages between processes, encrypted, as short-lived rows of `call_signals`. A trigger notifies the
 * receiver, which deletes the rows as it reads them; a notification itself carries no more than 8,000 bytes.
 */
export class ProcessBus {
  private readonly processId: string;
  private readonly onMessage: (message: BusMessage) => void;
  private readonly listener: PostgresqlNotificationListener;
  private isOpen = false;
  private readonly queue = new SerialQueue();
  private currentRead: Promise<void> | null = null;
  private needsAnotherRead = false;

  constructor(processId: string, onMessage: (message: BusMessage) => void) {
    this.processId = processId;
    this.onMessage = onMessage;
    this.listener = new PostgresqlNotificationListener(env.databaseUrl, `call_${processId}`, () => void this.read());
  }

  async open(): Promise<void> {
    if (this.isOpen) return;
    this.isOpen = true;
    await this.listener.start();
  }

  /** Writes messages, each for one receiving process, as part of the client's transaction. */
  async send(client: Client, messages: (readonly [processId: string, message: BusMessage])[]): Promise<void> {
    const remoteMessages = messages.filter(([processId]) => processId !== this.processId);
    if (remoteMessages.length === 0) return;
    const processIds = remoteMessages.map(([processId]) => processId);
    const payloads = remoteMessages.map(([, message]) => encryptText(JSON.stringify(message), ENCRYPTION_CONTEXT));
    await client.$executeRaw`
      INSERT INTO call_signals (process, news, "createdAt")
      SELECT process, news, timezone('UTC', now()) FROM unnest(${processIds}::text[], ${payloads}::text[]) AS t(process, news)`;
  }

  /** Runs a task after the earlier ones, so that messages arrive in order; makes five attempts, a second apart. */
  enqueue(task: () => Promise<unknown>): void {
    void this.queue.run(() => retryTaskLoggingErrors(task));
  }

  /** Resolves when the tasks enqueued so far are done. */
  waitUntilFlushed(): Promise<void> {
    return this.queue.waitUntilDrained();
  }

  /** Reads pending messages without a notification, reconnects a listener that missed one, deletes expired rows. */
  async catchUp(): Promise<void> {
    const [row] = await db.$queryRaw<{ id: number }[]>`
      SELECT id FROM call_signals WHERE process = ${this.processId}
        AND "createdAt" < timezone('UTC', now()) - make_interval(secs => ${MISSED_AFTER_SECONDS}) LIMIT 1`;
    if (row) this.listener.reconnect();
    await this.read();
    await db.$executeRaw`
      DELETE FROM call_signals WHERE "createdAt" < timezone('UTC', now()) - make_interval(secs => ${MESSAGE_TTL_SECONDS})`;
  }

  /** Sends queued messages and stops listening. Returns false if the bus was never opened. */
  async close(): Promise<boolean> {
    await this.queue.waitUntilDrained();
    await this.listener.stop();
    await this.currentRead;
    return this.isOpen;
  }

  /** Reads pending messages, one read at a time. A notification during a read triggers another read after it. */
  private read(): Promise<void> {
    this.needsAnotherRead = true;
    this.currentRead ??= this.readAll().finally(() => (this.currentRead = null));
    return this.currentRead;
  }

  /**
   * Delivers a message to `onMessage`. Skips one that this process's FILE_KEYS can't decrypt, which `decryptText`
   * reports, and with FILE_KEYS one that is not encrypted: whoever can write to the database may have written it.
   */
  private deliver(encrypted: string): void {
    if (newestKeyPrefix() !== null && !isEncrypted(encrypted)) return;
    const text = decryptText(encrypted, ENCRYPTION_CONTEXT);
    if (!isUnreadable(text)) this.onMessage(JSON.parse(text) as BusMessage);
  }

  private async readAll(): Promise<void> {
    while (this.needsAnotherRead) {
      this.needsAnotherRead = false;
      try {
        const rows = await db.$queryRaw<{ id: number; payload: string }[]>`
          DELETE FROM call_signals WHERE process = ${this.processId} RETURNING id, news AS payload`;
        for (const { payload } of rows.sort((a, b) => a.id - b.id)) this.deliver(payload);
      } catch (error) {
        logError(error, "/ws"); // the rows remain: catchUp reads them within seconds
      }
    }
  }
}

async function retryTaskLoggingErrors(task: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; attempt <= MAX_SEND_ATTEMPTS; attempt += 1) {
    try {
      await task();
      return;
    } catch (error) {
      logError(error, "/ws");
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    }
  }
}
