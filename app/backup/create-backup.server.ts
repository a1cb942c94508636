import { recordAuditNow } from "../audit/record-audit.server.ts";
import { createHash } from "node:crypto";
import path from "node:path";
import { now } from "../clock.ts";
import { db } from "../db/database-client.server.ts";
import { FILE_SELECT, matchesRecordedHash, openDocumentFile } from "../documents/download/open-document-file.server.ts";
import { CorruptFileError } from "../files/chunk-encryption.server.ts";
import { logError } from "../http/errors.server.ts";
import { env } from "../env.server.ts";
import { exportFieldEncryptionKeys } from "../db/text-encryption.server.ts";
import { OperatorError } from "../operator-error.ts";
import type { DatabaseSnapshot } from "./snapshot-types.server.ts";
import { type Trailer, type Frame, splitIntoChunks } from "./backup-frame-format.server.ts";
import { backupFileName, openBackup, backupStorage, writeFileAtomically } from "./backup-storage.server.ts";
import { snapshotPostgresql } from "./postgresql-snapshot.server.ts";
import { publishErasedAccounts } from "./erased-accounts.server.ts";
import { recordBackupRun } from "./backup-status.server.ts";
import { encryptBackup } from "./backup-encryption.server.ts";
import { snapshotSqlite } from "./sqlite-backup.server.ts";
import { removeStaleBackupResources } from "./stale-backup-resources.server.ts";

/**
 * Writes one encrypted file with a consistent snapshot of the database and all its documents, to BACKUP_STORAGE or to
 * `target`. The application may keep running. Records the result for the dashboard. Returns the ids of damaged
 * documents. Throws OperatorError. An unfinished file never gets the backup's name.
 */
export async function createBackup(target?: string): Promise<{ summary: string; damaged: number[] }> {
  const startedAt = now();
  const file = target ? path.basename(target) : backupFileName(startedAt);
  try {
    // Logged and not thrown, because the database of an older program has no table for it.
    await publishErasedAccounts({ isRenewed: true }).catch((error: unknown) =>
      logError(error, "alert: the list of erased accounts is not beside this backup"),
    );
    await removeStaleBackupResources().catch((error: unknown) => logError(error, "removing stale backup files"));
    const snapshot = await takeDatabaseSnapshot();
    const trailer = createTrailer(snapshot);
    const source = encryptBackup(backupFrames(snapshot, startedAt, trailer));
    try {
      await (target ? writeFileAtomically(target, source) : backupStorage.write(file, source));
    } finally {
      await snapshot.close();
    }
    const bytes = await backupFileSize(target ?? file);
    // Logged and not thrown, because the database of an older program has no table for it.
    await recordAuditNow({ action: "backup-made" }).catch((error: unknown) => logError(error, "recording the backup"));
    if (!target) await backupStorage.prune(env.backups.maxBackups);
    const summary = `${file} holds ${countRecords(trailer)} records and ${trailer.documents} documents.${describeDamagedDocuments(trailer)}`;
    await recordBackupRun("backup", { succeeded: trailer.broken.length === 0, summary, file, bytes });
    return { summary: `${summary} It has ${bytes} bytes.`, damaged: trailer.broken };
  } catch (error) {
    await recordBackupRun("backup", { succeeded: false, summary: (error as Error).message, file }).catch(() => {});
    throw error;
  }
}

function takeDatabaseSnapshot(): Promise<DatabaseSnapshot> {
  if (!env.databaseUrl.startsWith("file:")) return snapshotPostgresql(env.databaseUrl);
  return snapshotSqlite(env.databaseUrl);
}

async function* backupFrames(snapshot: DatabaseSnapshot, startedAt: Date, trailer: Trailer): AsyncGenerator<Frame> {
  const { provider, migrations } = snapshot;
  yield { kind: "about", provider, at: startedAt.toISOString(), migrations, textKeys: exportFieldEncryptionKeys() };
  yield* snapshot.frames();
  for (const document of snapshot.documents) yield* documentFrames(document, trailer);
  yield trailer;
}

/**
 * Yields the frames of one document. A document without a file counts as deleted since the snapshot if its record is
 * gone (a restore omits it), and otherwise as damaged (a restore keeps its record).
 */
async function* documentFrames(
  { id, fileSize, sha256 }: DatabaseSnapshot["documents"][number],
  trailer: Trailer,
): AsyncGenerator<Frame> {
  const findRecord = () => db.document.findUnique({ where: { id }, select: FILE_SELECT });
  const document = await findRecord();
  const file = document && (await openDocumentFile(document));
  if (!file?.ok) {
    if (file?.reason === "unavailable") throw new OperatorError("Document storage is unavailable.");
    ((await findRecord()) ? trailer.broken : trailer.gone).push(id);
    return;
  }
  yield { kind: "document", id, size: fileSize };
  const hash = createHash("sha256");
  let isIntact = true;
  try {
    for await (const chunk of splitIntoChunks(file.value)) {
      hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    if (!(error instanceof CorruptFileError)) throw error;
    isIntact = false;
  }
  const actualHash = hash.digest("hex");
  isIntact &&= matchesRecordedHash({ sha256 }, actualHash);
  yield { kind: "documentEnd", id, sha256: actualHash, isComplete: isIntact };
  if (isIntact) trailer.documents += 1;
  else ((await findRecord()) ? trailer.broken : trailer.gone).push(id);
}

function createTrailer({ tables, sequences }: DatabaseSnapshot): Trailer {
  return { kind: "end", tables, sequences, documents: 0, gone: [], broken: [] };
}

function countRecords({ tables }: Trailer): number {
  return Object.values(tables).reduce((sum, count) => sum + count, 0);
}

function describeDamagedDocuments({ broken }: Trailer): string {
  return broken.length > 0 ? ` These documents are missing or damaged: ${broken.join(", ")}.` : "";
}

async function backupFileSize(name: string): Promise<number> {
  const file = await openBackup(name);
  await file.close();
  return file.size;
}
