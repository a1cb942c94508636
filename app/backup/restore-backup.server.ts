import { createHash } from "node:crypto";
import { postponeErasures } from "../accounts/restored/postpone-erasures.server.ts";
import { now } from "../clock.ts";
import { reSignRestoredChain } from "../audit/re-sign-audit-chain.server.ts";
import { closeDatabase, db } from "../db/database-client.server.ts";
import { createDataKey } from "../files/data-keys.server.ts";
import { createStorageKey, fileStore } from "../files/configured-file-store.server.ts";
import { deleteOrphanedFiles } from "../documents/orphaned-files.server.ts";
import { verifyAllDocumentHashes } from "../documents/verify-document-hashes.server.ts";
import { writeEncryptedFile } from "../files/encrypted-files.server.ts";
import { DAY_MS } from "../time-units.ts";
import { env } from "../env.server.ts";
import { reencryptTexts } from "../db/reencrypt.server.ts";
import { OperatorError } from "../operator-error.ts";
import type { ExistingRecords, RestoredFiles, Migration } from "./snapshot-types.server.ts";
import type { Trailer, Frame, BackupRecord } from "./backup-frame-format.server.ts";
import { resolveBackupName, assertBackupNameMatchesTime } from "./backup-storage.server.ts";
import { postgresqlRestoreTarget } from "./postgresql-snapshot.server.ts";
import {
  type ErasedAccount,
  appendErasedAccounts,
  mergeErasedAccounts,
  readErasedAccounts,
} from "./erased-accounts.server.ts";
import { describeErasures, type AccountsToErase } from "./restore-erasure-report.ts";
import { applyRevocations, recordReappliedRevocations } from "./revocations.server.ts";
import { describeRevocations, ERASURE_DELAY_DAYS } from "./restore-revocation-report.ts";
import { decryptBackup } from "./backup-encryption.server.ts";
import { sqliteRestoreTarget } from "./sqlite-backup.server.ts";

type RestoreOptions = {
  /** a path, a name in BACKUP_STORAGE, or `latest` */
  name: string;
  /** whether existing records may be replaced */
  mayReplace: boolean;
  /** whether the restored records are only inspected and then deleted again */
  isRehearsal?: boolean;
  /** this program's migrations for the kind of database in DATABASE_URL */
  migrations: Migration[];
  /** creates an empty database if there is none */
  ensureDatabase: () => Promise<void>;
  /** applies the migrations that the database does not have yet */
  migrate: () => Promise<void>;
  /** marks those of these accounts that the backup contains, so that they are erased again whatever happens next */
  reapplyErasures: (erased: readonly ErasedAccount[], backupAt: Date) => Promise<AccountsToErase>;
  /** erases the marked accounts, and returns the ids of those that could not be erased yet */
  eraseAccountsOfBackup: (accountIds: readonly number[]) => Promise<number[]>;
};

/**
 * Restores a backup into DATABASE_URL and FILE_STORAGE. Reads and verifies the whole file first, then writes the
 * documents under new keys, then replaces the database as a whole and re-encrypts its texts. A failure before that
 * replacement changes nothing. Deletes all sessions and links. Erases again the accounts that were erased after the
 * backup, according to the list next to it and the replaced database, and reapplies the revocations of the replaced
 * database. Returns a one-line summary. Throws OperatorError.
 */
export async function restoreBackup({
  name,
  mayReplace,
  isRehearsal = false,
  migrations,
  ensureDatabase,
  migrate,
  reapplyErasures,
  eraseAccountsOfBackup,
}: RestoreOptions): Promise<string> {
  const startedAt = now();
  const file = await resolveBackupName(name);
  const readFrames = () => decryptBackup(file);
  try {
    const listedErasures = await readErasedAccounts(file);
    const { header, trailer } = await verifyBackup(readFrames());
    assertBackupNameMatchesTime(file, header.at);
    const backupMigrations = compatibleMigrations(header, migrations);
    const target = env.databaseUrl.startsWith("file:")
      ? sqliteRestoreTarget(env.databaseUrl)
      : postgresqlRestoreTarget(env.databaseUrl, backupMigrations);
    await ensureDatabase();
    const existing = await target.inspect(new Date(header.at));
    assertEmptyUnlessReplacing(existing, mayReplace);
    const erased = mergeErasedAccounts(listedErasures ?? [], existing.erased);
    // Done before the database is replaced, because it may have the only record of these erasures.
    await appendErasedAccounts(erased);

    const restoredFiles: RestoredFiles = new Map();
    try {
      await restoreDocuments(readFrames(), trailer, restoredFiles);
      requireEqualCounts(await target.replace(readFrames(), restoredFiles, trailer), expectedCounts(trailer));
    } catch (error) {
      for (const { filePath } of restoredFiles.values()) await fileStore.remove(filePath).catch(() => {});
      throw error;
    }
    await migrate();
    const reapplied = await applyRevocations(existing.revocations);
    if (reapplied === null) await postponeErasures(new Date(now().getTime() + ERASURE_DELAY_DAYS * DAY_MS));
    await revokeAccessAndPendingMail();
    const otherKeys = (header.textKeys ?? []).map(({ id, key }) => ({ id, key: Buffer.from(key, "base64") }));
    const { unreadableColumns } = await reencryptTexts({ scope: "unknown-key", otherKeys });
    await reSignRestoredChain(otherKeys);
    if (!isRehearsal) await recordReappliedRevocations(reapplied, new Date(header.at));
    const accountsToErase = await reapplyErasures(erased, new Date(header.at));
    const { intact, damaged } = await verifyAllDocumentHashes();
    if (intact !== trailer.documents)
      throw new OperatorError(`These documents are not as in the backup: ${damaged.join(", ")}.`);
    const unerasedIds = await eraseAccountsOfBackup(accountsToErase.accountIds);
    await deleteOrphanedFiles(startedAt);
    const rows = Object.values(expectedCounts(trailer)).reduce((sum, count) => sum + count, 0);
    const damagedText =
      trailer.broken.length > 0 ? ` ${trailer.broken.length} were damaged before the backup was made.` : "";
    const unreadableText =
      unreadableColumns.length > 0 ? ` Some texts could not be opened, in ${unreadableColumns.join(", ")}.` : "";
    const erasedText = describeErasures(accountsToErase, unerasedIds, {
      isListMissing: listedErasures === null,
      erasedAccountCount: existing.erased.length,
    });
    const revokedText = isRehearsal ? "" : describeRevocations(reapplied, header.at);
    return `Restored as of ${header.at}: ${rows} records in ${Object.keys(trailer.tables).length} tables, counted, and ${intact} documents, each equal to its hash.${damagedText}${unreadableText}${erasedText}${revokedText}`;
  } finally {
    await closeDatabase();
  }
}

/**
 * Deletes sessions and links, because those revoked after the backup, for example for a stolen phone, must not become
 * valid again. Mail that was pending then has most likely been sent since, so it is not sent again.
 */
async function revokeAccessAndPendingMail(): Promise<void> {
  await db.$transaction([
    db.session.deleteMany(),
    db.passwordReset.deleteMany(),
    db.appointmentClaim.deleteMany(),
    db.invitation.deleteMany(),
    db.emailConfirmation.deleteMany(),
    db.emailChange.updateMany({ data: { undoTokenHash: null } }),
    db.calendarFeed.deleteMany(),
    db.message.updateMany({ where: { secretPath: { not: null } }, data: { secretPath: null } }),
    db.message.updateMany({ where: { state: "pending" }, data: { state: "not-mailed" } }),
  ]);
}

/**
 * Reads the whole backup and checks each chunk's tag, each document's hash, each table's row count, and the trailer.
 */
async function verifyBackup(
  frames: AsyncIterable<Frame>,
): Promise<{ header: Extract<BackupRecord, { kind: "about" }>; trailer: Trailer }> {
  let header: Extract<BackupRecord, { kind: "about" }> | undefined;
  let trailer: Trailer | undefined;
  let hash = createHash("sha256");
  let documents = 0;
  const rows: Record<string, number> = {};
  for await (const frame of frames) {
    if (Buffer.isBuffer(frame)) hash.update(frame);
    else if (frame.kind === "about") header = frame;
    else if (frame.kind === "end") trailer = frame;
    else if (frame.kind === "document") hash = createHash("sha256");
    else if (frame.kind === "rows") rows[frame.table] = (rows[frame.table] ?? 0) + frame.rows.length;
    else if (frame.kind === "documentEnd") {
      if (hash.digest("hex") !== frame.sha256)
        throw new OperatorError(`Document ${frame.id} is damaged in the backup.`);
      if (frame.isComplete) documents += 1;
    }
  }
  if (!header || !trailer)
    throw new OperatorError("The backup was cut short: its end is missing. Nothing was changed.");
  if (documents !== trailer.documents) throw new OperatorError("The backup has not all the documents that it names.");
  if (header.provider === "postgresql")
    requireEqualCounts({ ...zeroCounts(trailer.tables), ...pickBackedUpTableCounts(rows, trailer) }, trailer.tables);
  return { header, trailer };
}

/**
 * Returns the known migrations that the backup has. Throws OperatorError for another kind of database or a newer
 * program.
 */
function compatibleMigrations(header: Extract<BackupRecord, { kind: "about" }>, known: Migration[]): Migration[] {
  const provider = env.databaseUrl.startsWith("file:") ? "sqlite" : "postgresql";
  if (header.provider !== provider)
    throw new OperatorError(`The backup is of a ${header.provider} database, and DATABASE_URL names ${provider}.`);
  const unknown = header.migrations.filter((name) => !known.some((migration) => migration.name === name));
  if (unknown.length > 0) {
    throw new OperatorError(
      `The backup is newer than this program: it has the migration ${unknown.join(", ")}. Start the newer program.`,
    );
  }
  return known.filter(({ name }) => header.migrations.includes(name));
}

function assertEmptyUnlessReplacing({ counts: existing }: ExistingRecords, canReplace: boolean): void {
  const nonEmpty = Object.entries(existing).filter(([, count]) => count > 0);
  if (nonEmpty.length === 0 || canReplace) return;
  const counts = nonEmpty.map(([table, count]) => `${count} in ${table}`).join(", ");
  throw new OperatorError(`There are records already (${counts}). Nothing was changed. To replace them add --replace.`);
}

/**
 * Writes each document under a new name and key. `restoredFiles` lists the written files even if this throws midway.
 */
async function restoreDocuments(
  frames: AsyncGenerator<Frame>,
  trailer: Trailer,
  restoredFiles: RestoredFiles,
): Promise<void> {
  const omittedIds = new Set([...trailer.gone, ...trailer.broken]);
  for await (const frame of frames) {
    if (Buffer.isBuffer(frame) || frame.kind !== "document" || omittedIds.has(frame.id)) continue;
    const { dataKey, wrappedKey } = createDataKey();
    const filePath = createStorageKey();
    restoredFiles.set(frame.id, { ...wrappedKey, filePath });
    await writeEncryptedFile(filePath, dataKey, documentBytes(frames));
  }
}

/** Yields the document's bytes and consumes its `documentEnd` record. */
async function* documentBytes(frames: AsyncGenerator<Frame>): AsyncGenerator<Buffer> {
  for (;;) {
    const { value, done } = await frames.next();
    if (done || !Buffer.isBuffer(value)) return;
    yield value;
  }
}

function expectedCounts({ tables, gone }: Trailer): Record<string, number> {
  return { ...tables, documents: (tables.documents ?? 0) - gone.length };
}

function requireEqualCounts(counts: Record<string, number>, expectedRows: Record<string, number>): void {
  const wrong = Object.entries(expectedRows).filter(([table, count]) => counts[table] !== count);
  if (wrong.length === 0) return;
  const differences = wrong
    .map(([table, count]) => `${table} has ${counts[table] ?? 0} records, not ${count}`)
    .join("; ");
  throw new OperatorError(`The restored database is not that of the backup: ${differences}.`);
}

function zeroCounts(tables: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.keys(tables).map((table) => [table, 0]));
}

function pickBackedUpTableCounts(rows: Record<string, number>, { tables }: Trailer): Record<string, number> {
  return Object.fromEntries(Object.entries(rows).filter(([table]) => table in tables));
}
