import { randomBytes } from "node:crypto";
import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import { db, inTransaction } from "../../db/database-client.server.ts";
import type { Role } from "../signaling-protocol.ts";
import type { BusMessage, RemoteParticipantInRoom, Presence, RemoteParticipant } from "./presence-types.server.ts";
import { ProcessBus } from "./process-bus.server.ts";

/** First key of the advisory lock around joining a room; the second is the appointment's id. */
const ROOM_LOCK_KEY = 4_714_002;
/**
 * Age of a presence, by the database's clock, after which its process is considered dead. A live process renews its
 * rows every few seconds (socket-maintenance.server.ts).
 */
const PRESENCE_TIMEOUT_SECONDS = 20;
const PROCESS_ID_BYTES = 8;

/** Implements `PresenceStore` (presence-store.server.ts, which describes the methods) with rows in `call_presences`. */
export class PostgresqlPresenceStore {
  readonly processId = randomBytes(PROCESS_ID_BYTES).toString("hex");
  private listener: (message: BusMessage) => void = () => {};
  private readonly bus = new ProcessBus(this.processId, (message) => this.listener(message));
  private readonly localPresences = new Map<string, Presence>();

  subscribe(listener: (message: BusMessage) => void): void {
    this.listener = listener;
  }

  async addPresence(presence: Presence): Promise<RemoteParticipant[]> {
    const { id, appointmentId, role, tabId, isInCall } = presence;
    await this.bus.open();
    await this.bus.waitUntilFlushed();
    this.localPresences.set(id, presence);
    const seat = isInCall ? `${appointmentId}:${role}` : null;
    const { processId } = this;
    try {
      return await inTransaction(async (client) => {
        await client.$executeRaw`SELECT pg_advisory_xact_lock(${ROOM_LOCK_KEY}::int, ${appointmentId}::int)`;
        const replaced = await client.$queryRaw<{ id: string; processId: string }[]>`
          DELETE FROM call_presences WHERE seat = ${seat}::text OR id = ${id} RETURNING id, process AS "processId"`;
        await client.$executeRaw`
          INSERT INTO call_presences (id, "appointmentId", role, page, seat, process, "seenAt")
          VALUES (${id}, ${appointmentId}, ${role}, ${tabId}, ${seat}, ${processId}, timezone('UTC', now()))`;
        const remoteParticipants = await this.findRemoteParticipants(client, [appointmentId]);
        const participantJoined: BusMessage = {
          kind: "seat-taken",
          appointmentId,
          seat: { id, role, tabId, processId },
        };
        await this.bus.send(client, [
          ...(isInCall ? remoteParticipants.map((each) => [each.processId, participantJoined] as const) : []),
          ...replaced.map((each) => [each.processId, { kind: "replaced", appointmentId, id: each.id }] as const),
        ]);
        return remoteParticipants;
      });
    } catch (error) {
      this.localPresences.delete(id);
      throw error;
    }
  }

  async isInCall(id: string): Promise<boolean> {
    return (await db.callPresence.count({ where: { id, seat: { not: null } } })) > 0;
  }

  async isRoleInCall(appointmentId: number, role: Role): Promise<boolean> {
    const rows = await db.$queryRaw<unknown[]>`
      SELECT 1 FROM call_presences WHERE seat = ${`${appointmentId}:${role}`}::text
        AND "seenAt" > timezone('UTC', now()) - make_interval(secs => ${PRESENCE_TIMEOUT_SECONDS})`;
    return rows.length > 0;
  }

  removePresence({ id, appointmentId, role, isInCall }: Presence, other: RemoteParticipant | null): void {
    if (!this.localPresences.delete(id)) return;
    this.bus.enqueue(async () => {
      await db.callPresence.deleteMany({ where: { id } });
      if (isInCall && other) await this.bus.send(db, [[other.processId, { kind: "left", appointmentId, role, id }]]);
    });
  }

  relay(appointmentId: number, from: RemoteParticipant, to: RemoteParticipant, text: string): void {
    const message = { kind: "relayed", appointmentId, from: from.id, to: to.id, text } as const;
    this.bus.enqueue(() => this.bus.send(db, [[to.processId, message]]));
  }

  async endCall(appointmentId: number): Promise<void> {
    const presences = await db.callPresence.findMany({
      where: { appointmentId },
      select: { processId: true },
      distinct: ["processId"],
    });
    await this.bus.send(
      db,
      presences.map(({ processId }) => [processId, { kind: "ended", appointmentId }] as const),
    );
  }

  async broadcastSessionsEnded(userId: number): Promise<void> {
    const presences = await db.callPresence.findMany({
      where: { processId: { not: this.processId } },
      select: { processId: true },
      distinct: ["processId"],
    });
    await this.bus.send(
      db,
      presences.map(({ processId }) => [processId, { kind: "access-ended", userId }] as const),
    );
  }

  async findWaitingCalls(): Promise<number[]> {
    const rows = await db.$queryRaw<{ appointmentId: number }[]>`
      SELECT "appointmentId" FROM call_presences
      WHERE "seenAt" > timezone('UTC', now()) - make_interval(secs => ${PRESENCE_TIMEOUT_SECONDS})
      GROUP BY "appointmentId"
      HAVING bool_or(role = 'client') AND NOT bool_or(role = 'admin' AND seat IS NOT NULL)`;
    return rows.map(({ appointmentId }) => appointmentId);
  }

  async refresh(): Promise<{ lost: Presence[]; remoteParticipants: RemoteParticipantInRoom[] }> {
    const previous = [...this.localPresences.values()];
    const renewedRows = await db.$queryRaw<{ id: string }[]>`
      UPDATE call_presences SET "seenAt" = timezone('UTC', now())
      WHERE process = ${this.processId} AND id = ANY(${previous.map(({ id }) => id)}::text[]) RETURNING id`;
    await db.$executeRaw`
      DELETE FROM call_presences
      WHERE "seenAt" < timezone('UTC', now()) - make_interval(secs => ${2 * PRESENCE_TIMEOUT_SECONDS})`;
    await this.bus.catchUp();
    const remoteParticipants = await this.findRemoteParticipants(db, [
      ...new Set(previous.map(({ appointmentId }) => appointmentId)),
    ]);
    const renewedIds = new Set(renewedRows.map(({ id }) => id));
    const lost = previous.filter(({ id }) => !renewedIds.has(id) && this.localPresences.has(id));
    return { lost, remoteParticipants };
  }

  async stop(): Promise<void> {
    if (!(await this.bus.close())) return;
    await db.callPresence.deleteMany({ where: { processId: this.processId } });
  }

  private findRemoteParticipants(
    client: Prisma.TransactionClient,
    appointmentIds: number[],
  ): Promise<RemoteParticipantInRoom[]> {
    return client.$queryRaw<RemoteParticipantInRoom[]>`
      SELECT id, "appointmentId", role, page AS "tabId", process AS "processId" FROM call_presences
      WHERE "appointmentId" = ANY(${appointmentIds}::int[]) AND seat IS NOT NULL AND process <> ${this.processId}
        AND "seenAt" > timezone('UTC', now()) - make_interval(secs => ${PRESENCE_TIMEOUT_SECONDS})`;
  }
}
