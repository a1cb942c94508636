import { randomBytes } from "node:crypto";
import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { db, inTransaction } from "../db.server.ts";
import { env } from "../env.server.ts";
import type { Seat } from "./line.server.ts";
import { Mailbox } from "./mailbox.server.ts";
import type { News, Presence, Seated } from "./news.server.ts";
import type { Role } from "./signals.ts";

type Here = Seated & { appointmentId: number };

/** Keeps those apart who sit down in one room at the same time; the lock's second key is the appointment's id. */
const LOCK_KEY = 4_714_002;
/** A process that was not seen for so long is gone, by the database's clock; a living one is seen every few seconds. */
const GONE_SECONDS = 20;
const NAME_BYTES = 8;

/** How the rooms of several processes are one, with PostgreSQL between them. A SQLite file has one process and none of this. */
export class Exchange {
  /** The name of this process among them. */
  readonly process = randomBytes(NAME_BYTES).toString("hex");
  /** Hears what other processes say. */
  onNews: (news: News) => void = () => {};
  private readonly mailbox = new Mailbox(this.process, (news) => this.onNews(news));
  private readonly mine = new Map<string, Presence>();

  /** Writes a presence down, takes its seat from whoever held it and tells the other processes; returns who sits there. */
  async enter(presence: Presence): Promise<Seated[]> {
    const { id, appointmentId, role, page, isSeated } = presence;
    await this.mailbox.open();
    await this.mailbox.settled();
    this.mine.set(id, presence);
    const seat = isSeated ? `${appointmentId}:${role}` : null;
    const { process } = this;
    try {
      return await inTransaction(async (client) => {
        await client.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK_KEY}::int, ${appointmentId}::int)`;
        const old = await client.$queryRaw<{ id: string; process: string }[]>`
          DELETE FROM call_presences WHERE seat = ${seat}::text OR id = ${id} RETURNING id, process`;
        await client.$executeRaw`
          INSERT INTO call_presences (id, "appointmentId", role, page, seat, process, "seenAt")
          VALUES (${id}, ${appointmentId}, ${role}, ${page}, ${seat}, ${process}, timezone('UTC', now()))`;
        const others = await this.seatedElsewhere(client, [appointmentId]);
        const sat: News = { kind: "sat", appointmentId, seat: { id, role, page, process } };
        await this.mailbox.send(client, [
          ...(isSeated ? others.map((each) => [each.process, sat] as const) : []),
          ...old.map((each) => [each.process, { kind: "replaced", appointmentId, id: each.id }] as const),
        ]);
        return others;
      });
    } catch (error) {
      this.mine.delete(id);
      throw error;
    }
  }

  /** Whether the seat is still this presence's. */
  async isSeated(id: string): Promise<boolean> {
    return (await db.callPresence.count({ where: { id, seat: { not: null } } })) > 0;
  }

  /** Whether a role's seat in a room is taken, at any process that lives. */
  async isTaken(appointmentId: number, role: Role): Promise<boolean> {
    const rows = await db.$queryRaw<unknown[]>`
      SELECT 1 FROM call_presences WHERE seat = ${`${appointmentId}:${role}`}::text
        AND "seenAt" > timezone('UTC', now()) - make_interval(secs => ${GONE_SECONDS})`;
    return rows.length > 0;
  }

  /** The presence is over; the other seat is told when another process holds it. */
  leave({ id, appointmentId, role, isSeated }: Presence, other: Seat | null): void {
    if (!this.mine.delete(id)) return;
    this.mailbox.later(async () => {
      await db.callPresence.deleteMany({ where: { id } });
      if (isSeated && other) await this.mailbox.send(db, [[other.process, { kind: "left", appointmentId, role, id }]]);
    });
  }

  relay(appointmentId: number, from: Seat, to: Seat, text: string): void {
    const news = { kind: "relayed", appointmentId, from: from.id, to: to.id, text } as const;
    this.mailbox.later(() => this.mailbox.send(db, [[to.process, news]]));
  }

  /** Tells every process with somebody in the room that the call is over. */
  async endCall(appointmentId: number): Promise<void> {
    const there = await db.callPresence.findMany({
      where: { appointmentId },
      select: { process: true },
      distinct: ["process"],
    });
    await this.mailbox.send(
      db,
      there.map(({ process }) => [process, { kind: "ended", appointmentId }] as const),
    );
  }

  /** The visits in whose rooms a family is and the consultant is not, in any process. */
  async waiting(): Promise<number[]> {
    const rows = await db.$queryRaw<{ appointmentId: number }[]>`
      SELECT "appointmentId" FROM call_presences
      WHERE "seenAt" > timezone('UTC', now()) - make_interval(secs => ${GONE_SECONDS})
      GROUP BY "appointmentId"
      HAVING bool_or(role = 'client') AND NOT bool_or(role = 'admin' AND seat IS NOT NULL)`;
    return rows.map(({ appointmentId }) => appointmentId);
  }

  /**
   * Says that this process lives, removes what the dead left behind, and reads what has come. Returns which presences
   * of ours are not written down any more, and who sits in our rooms at other processes.
   */
  async renew(): Promise<{ lost: Presence[]; elsewhere: Here[] }> {
    const before = [...this.mine.values()];
    const kept = await db.$queryRaw<{ id: string }[]>`
      UPDATE call_presences SET "seenAt" = timezone('UTC', now())
      WHERE process = ${this.process} AND id = ANY(${before.map(({ id }) => id)}::text[]) RETURNING id`;
    await db.$executeRaw`
      DELETE FROM call_presences WHERE "seenAt" < timezone('UTC', now()) - make_interval(secs => ${2 * GONE_SECONDS})`;
    await this.mailbox.catchUp();
    const elsewhere = await this.seatedElsewhere(db, [...new Set(before.map(({ appointmentId }) => appointmentId))]);
    const ids = new Set(kept.map(({ id }) => id));
    const lost = before.filter(({ id }) => !ids.has(id) && this.mine.has(id));
    return { lost, elsewhere };
  }

  /** The process ends, and its presences with it. */
  async stop(): Promise<void> {
    if (!(await this.mailbox.close())) return;
    await db.callPresence.deleteMany({ where: { process: this.process } });
  }

  private seatedElsewhere(client: Prisma.TransactionClient, rooms: number[]): Promise<Here[]> {
    return client.$queryRaw<Here[]>`
      SELECT id, "appointmentId", role, page, process FROM call_presences
      WHERE "appointmentId" = ANY(${rooms}::int[]) AND seat IS NOT NULL AND process <> ${this.process}
        AND "seenAt" > timezone('UTC', now()) - make_interval(secs => ${GONE_SECONDS})`;
  }
}

export const exchange = env.databaseUrl.startsWith("file:") ? null : new Exchange();
