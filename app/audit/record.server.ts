import { now } from "../clock.ts";
import { type Transaction, inTransaction, runBeforeCommit } from "../db/client.server.ts";
import { AUDIT_ACTIONS, type AuditAction, type ObjectType } from "./actions.ts";
import {
  BROKEN_SIGNATURE,
  EMPTY_HEAD,
  type EntryFields,
  extendChain,
  type Head,
  isSignedHead,
  signHead,
} from "./chain.server.ts";

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
/** The head that this process wrote last; null, or out of date, when another process has written since. */
let knownHead: Head | null = null;
let reportBroken: () => void = () => {};

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

/** Calls `listener` when the chain's end turns out not to be as the program left it. */
export function onBrokenChain(listener: () => void): void {
  reportBroken = listener;
}

async function append(transaction: Transaction, events: readonly AuditEvent[]): Promise<void> {
  const added = events.map(toFields);
  const guess = knownHead && extendChain(knownHead, added);
  if (knownHead && guess && (await replaceHead(transaction, knownHead, guess.head))) {
    await transaction.auditEntry.createMany({ data: guess.entries });
    return;
  }
  const stored = await lockHead(transaction);
  const { head, entries } = extendChain(trusted(stored), added);
  if (!(await replaceHead(transaction, stored, head))) throw new Error("The chain's end changed under its lock.");
  await transaction.auditEntry.createMany({ data: entries });
}

/** The head itself when the program signed it; otherwise one whose signature stays broken, so that verifying fails. */
function trusted(head: Head): Head {
  if (head.signature === BROKEN_SIGNATURE || isSignedHead(head)) return head;
  reportBroken();
  return { ...head, signature: BROKEN_SIGNATURE };
}

/** One conditional update: false, and nothing is changed, when the end is not `from`. Locks the end until the commit. */
async function replaceHead(transaction: Transaction, from: Head, to: Head): Promise<boolean> {
  const { count } = await transaction.auditHead.updateMany({
    where: { id: 1, lastSequence: from.lastSequence, lastHash: from.lastHash, signature: from.signature },
    data: to,
  });
  // After a rollback the next update matches nothing, and the end is read again.
  if (count === 1) knownHead = to;
  return count === 1;
}

/** Locks the end until the transaction's own end, and reads it; makes it for the first entry of all. */
async function lockHead(transaction: Transaction): Promise<Head> {
  const lock = () => transaction.$executeRaw`UPDATE "audit_heads" SET "id" = "id" WHERE "id" = 1`;
  if ((await lock()) === 0) {
    const { firstSequence, baseHash, lastSequence, lastHash, signature } = signHead({ ...EMPTY_HEAD, signature: "" });
    await transaction.$executeRaw`
      INSERT INTO "audit_heads" ("id", "firstSequence", "baseHash", "lastSequence", "lastHash", "signature")
      VALUES (1, ${firstSequence}, ${baseHash}, ${lastSequence}, ${lastHash}, ${signature}) ON CONFLICT DO NOTHING`;
    await lock();
  }
  const { id: _, ...head } = await transaction.auditHead.findUniqueOrThrow({ where: { id: 1 } });
  return head;
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
