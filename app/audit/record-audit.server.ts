import { currentActorId, currentSid } from "./audit-actor.server.ts";
import { now } from "../clock.ts";
import { type Transaction, inTransaction, runAfterCommit, runBeforeCommit } from "../db/database-client.server.ts";
import { HOUR_MS } from "../time-units.ts";
import { logError } from "../http/errors.server.ts";
import { AUDIT_ACTIONS, ANCHORED_ACTIONS, type AuditAction, type ObjectType } from "./audit-actions.ts";
import { appendAnchor } from "./audit-anchors.server.ts";
import { type ChainHead, type EntryFields, computeChainExtension } from "./audit-chain.server.ts";
import {
  getLastWrittenHead,
  lockAndReadHead,
  replaceHeadIfUnchanged,
  invalidateHeadIfReplaced,
} from "./audit-chain-head.server.ts";
import { rememberCommittedHead } from "./last-committed-entry.server.ts";

export type AuditEvent = {
  action: AuditAction;
  /**
   * Default: the account that sent the request in progress. Null: the application itself, or a person who is not signed
   * in.
   */
  actorId?: number | null;
  /** The family whose data the event is about. */
  familyId?: number | null;
  objectId?: number | null;
  /** Replaces the action's default object type. */
  objectType?: ObjectType;
  /** A keyed hash of the network that the request came from. */
  network?: string | null;
};

/** Maximum entries per transaction of `recordAuditNow`. */
const MAX_BATCH_EVENTS = 100;

/** Maximum repeated events in memory. A new event replaces the oldest one. */
const MAX_DEDUPLICATION_ENTRIES = 50_000;

const entriesByTransaction = new WeakMap<Transaction, EntryFields[]>();
/** When a repeated event was last recorded (ms since 1970), by `deduplicationKey`; the oldest first. */
const lastRecordedByKey = new Map<string, { at: number; stored: Promise<void> }>();

/**
 * Records what `transaction` (of `inTransaction`) does: the entry is only stored if the transaction commits. It is
 * written as the transaction's last statement, because this locks the end of the chain.
 */
export function recordAuditInTransaction(transaction: Transaction, event: AuditEvent): void {
  const entries = entriesByTransaction.get(transaction);
  if (entries) return void entries.push(toEntryFields(event));
  const first = [toEntryFields(event)];
  entriesByTransaction.set(transaction, first);
  runBeforeCommit(transaction, () => appendEntries(transaction, first));
}

type QueuedEvent = { fields: EntryFields; resolve: () => void; reject: (error: unknown) => void };
const queuedEvents: QueuedEvent[] = [];
let isWriting = false;

/**
 * Records events without a transaction of the caller, such as a read. Resolves when the entries are stored; the caller
 * must not respond before that. Events that arrive while a transaction is being written share the next one. Rejects
 * when the database can't store them.
 */
export async function recordAuditNow(...events: AuditEvent[]): Promise<void> {
  const stored = events.map(
    (event) =>
      new Promise<void>((resolve, reject) => queuedEvents.push({ fields: toEntryFields(event), resolve, reject })),
  );
  if (!isWriting) void writeQueuedEvents();
  await Promise.all(stored);
}

/**
 * Records events that one person repeats, such as polling a list. Stores one entry per `windowMs` for the same event in
 * this process. Resolves when all events are stored, by this call or an earlier one.
 */
export function recordAuditOncePerWindow(windowMs: number, ...events: AuditEvent[]): Promise<void> {
  return recordOncePerKey(windowMs, events, deduplicationKey);
}

/**
 * Does the same as `recordAuditOncePerWindow` for each session, for reading one record. Another session may be another
 * person who knows the password, so its first read is always recorded.
 */
export function recordReadOncePerSessionAndWindow(windowMs: number, ...events: AuditEvent[]): Promise<void> {
  return recordOncePerKey(windowMs, events, (event) => `${deduplicationKey(event)} ${currentSid()}`);
}

async function recordOncePerKey(windowMs: number, events: AuditEvent[], keyOf: (event: AuditEvent) => string) {
  const time = now().getTime();
  const isRecent = (event: AuditEvent) => {
    const at = lastRecordedByKey.get(keyOf(event))?.at ?? -Infinity;
    return at <= time && at > time - windowMs;
  };
  const newEvents = new Map(events.filter((event) => !isRecent(event)).map((event) => [keyOf(event), event]));
  if (newEvents.size > 0)
    cacheRecordedKeys([...newEvents.keys()], { at: time, stored: recordAuditNow(...newEvents.values()) });
  await Promise.all(events.flatMap((event) => lastRecordedByKey.get(keyOf(event))?.stored ?? []));
}

/** Returns what identifies an event: its action, person and record. */
function deduplicationKey(event: AuditEvent): string {
  const { action, actorId, objectId } = toEntryFields(event);
  return `${action} ${actorId} ${objectId}`;
}

function cacheRecordedKeys(keys: string[], record: { at: number; stored: Promise<void> }): void {
  for (const key of keys) {
    lastRecordedByKey.delete(key);
    lastRecordedByKey.set(key, record);
  }
  record.stored.catch(() => keys.forEach((key) => lastRecordedByKey.delete(key)));
  for (const oldest of lastRecordedByKey.keys()) {
    if (lastRecordedByKey.size <= MAX_DEDUPLICATION_ENTRIES) return;
    lastRecordedByKey.delete(oldest);
  }
}

/**
 * Records that records were opened or downloaded, as `recordAuditNow` does. A family that reads one of its own records
 * again within an hour in the same session creates no further entry, so that it can't fill the log. Each read by another
 * person creates an entry.
 */
export async function recordAuditRead(...events: AuditEvent[]): Promise<void> {
  const isOwn = (event: AuditEvent) => {
    const { actorId, familyId } = toEntryFields(event);
    return actorId !== null && actorId === familyId;
  };
  const eventsByOtherPersons = events.filter((event) => !isOwn(event));
  await Promise.all([
    recordAuditNow(...eventsByOtherPersons),
    recordReadOncePerSessionAndWindow(HOUR_MS, ...events.filter(isOwn)),
  ]);
}

async function writeQueuedEvents(): Promise<void> {
  isWriting = true;
  while (queuedEvents.length > 0) {
    const batch = queuedEvents.splice(0, MAX_BATCH_EVENTS);
    const newEntries = batch.map(({ fields }) => fields);
    await inTransaction((transaction) => appendEntries(transaction, newEntries)).then(
      () => batch.forEach(({ resolve }) => resolve()),
      (error: unknown) => batch.forEach(({ reject }) => reject(error)),
    );
  }
  isWriting = false;
}

async function appendEntries(transaction: Transaction, newEntries: readonly EntryFields[]): Promise<void> {
  const { head, entries } = await extendChain(transaction, newEntries);
  await transaction.auditEntry.createMany({ data: entries });
  runAfterCommit(transaction, () => handleCommit(head, entries));
}

async function extendChain(transaction: Transaction, newEntries: readonly EntryFields[]) {
  const lastKnownHead = getLastWrittenHead();
  const optimisticResult = lastKnownHead && computeChainExtension(lastKnownHead, newEntries);
  if (
    lastKnownHead &&
    optimisticResult &&
    (await replaceHeadIfUnchanged(transaction, lastKnownHead, optimisticResult.head))
  )
    return optimisticResult;
  const stored = await lockAndReadHead(transaction);
  const result = computeChainExtension(await invalidateHeadIfReplaced(transaction, stored), newEntries);
  if (!(await replaceHeadIfUnchanged(transaction, stored, result.head)))
    throw new Error("The chain's end changed under its lock.");
  return result;
}

async function handleCommit(head: ChainHead, entries: readonly EntryFields[]): Promise<void> {
  rememberCommittedHead(head);
  if (!entries.some(({ action }) => ANCHORED_ACTIONS.has(action))) return;
  await appendAnchor({ sequence: head.lastSequence, hash: head.lastHash }).catch((error: unknown) =>
    logError(error, "noting the end of the audit trail"),
  );
}

function toEntryFields({ action, actorId, familyId, objectId, objectType, network }: AuditEvent): EntryFields {
  return {
    at: now(),
    actorId: actorId === undefined ? currentActorId() : actorId,
    familyId: familyId ?? null,
    action,
    objectType: objectType ?? AUDIT_ACTIONS[action].objectType ?? null,
    objectId: objectId ?? null,
    network: network ?? null,
  };
}
