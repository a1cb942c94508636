import { now } from "../clock.ts";
import { type Transaction, inTransaction, runBeforeCommit } from "../db/client.server.ts";
import { AUDIT_ACTIONS, type AuditAction, type ObjectType } from "./actions.ts";
import { type EntryFields, extendChain } from "./chain.server.ts";
import { knownHead, lockHead, replaceHead, trusted } from "./head.server.ts";

export type AuditEvent = {
  action: AuditAction;
  /** Null: the program itself, or somebody who is not signed in. */
  actorId: number | null;
  /** The family whose data it is about. */
  familyId?: number | null;
  objectId?: number | null;
  /** Instead of the action's own. */
  objectType?: ObjectType;
  /** A keyed hash of the network that the request came from. */
  network?: string | null;
};

/** Entries of one transaction outside of a command. */
const MAX_BATCH = 100;

const eventsOf = new WeakMap<Transaction, AuditEvent[]>();

/**
 * Records what `transaction` (of `inTransaction`) does: the entry commits with it, or not at all. It is written as the
 * transaction's last statement, because every such transaction takes the lock of the chain's end.
 */
export function recordAudit(transaction: Transaction, event: AuditEvent): void {
  const events = eventsOf.get(transaction);
  if (events) return void events.push(event);
  const first = [event];
  eventsOf.set(transaction, first);
  runBeforeCommit(transaction, () => append(transaction, first));
}

type Waiting = { event: AuditEvent; resolve: () => void; reject: (error: unknown) => void };
const waiting: Waiting[] = [];
let isWriting = false;

/**
 * Records an event without a transaction of its own, such as a read: resolves when the entry is stored, and the caller
 * answers only then. Events that arrive while a transaction is written share the next one. Rejects when the database
 * does not take it.
 */
export function recordAccess(event: AuditEvent): Promise<void> {
  const stored = new Promise<void>((resolve, reject) => waiting.push({ event, resolve, reject }));
  if (!isWriting) void writeWaiting();
  return stored;
}

async function writeWaiting(): Promise<void> {
  isWriting = true;
  while (waiting.length > 0) {
    const batch = waiting.splice(0, MAX_BATCH);
    const events = batch.map(({ event }) => event);
    await inTransaction((transaction) => append(transaction, events)).then(
      () => batch.forEach(({ resolve }) => resolve()),
      (error: unknown) => batch.forEach(({ reject }) => reject(error)),
    );
  }
  isWriting = false;
}

async function append(transaction: Transaction, events: readonly AuditEvent[]): Promise<void> {
  const added = events.map(toFields);
  const known = knownHead();
  const guess = known && extendChain(known, added);
  if (known && guess && (await replaceHead(transaction, known, guess.head))) {
    await transaction.auditEntry.createMany({ data: guess.entries });
    return;
  }
  const stored = await lockHead(transaction);
  const { head, entries } = extendChain(trusted(stored), added);
  if (!(await replaceHead(transaction, stored, head))) throw new Error("The chain's end changed under its lock.");
  await transaction.auditEntry.createMany({ data: entries });
}

function toFields({ action, actorId, familyId, objectId, objectType, network }: AuditEvent): EntryFields {
  return {
    at: now(),
    actorId,
    familyId: familyId ?? null,
    action,
    objectType: objectType ?? AUDIT_ACTIONS[action].objectType ?? null,
    objectId: objectId ?? null,
    network: network ?? null,
  };
}
