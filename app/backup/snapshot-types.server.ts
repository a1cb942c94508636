import type { FileRecord } from "../documents/download/open-document-file.server.ts";
import type { WrappedKey } from "../files/data-keys.server.ts";
import type { ErasedAccount } from "./erased-accounts.server.ts";
import type { Revocations } from "./revocations.server.ts";
import type { Trailer, Frame, DatabaseProvider } from "./backup-frame-format.server.ts";

/** A consistent copy of a database at one moment. The caller must close it. */
export type DatabaseSnapshot = {
  provider: DatabaseProvider;
  /** names of the applied migrations */
  migrations: string[];
  documents: (FileRecord & { sha256: string | null })[];
  /** rows of each table */
  tables: Record<string, number>;
  sequences: Record<string, number>;
  frames(): AsyncIterable<Frame>;
  close(): Promise<void>;
};

/** The new file and key of each restored document, keyed by the document's id. */
export type RestoredFiles = Map<number, WrappedKey & { filePath: string }>;

/** The database that a backup is restored into. */
export type RestoreTarget = {
  /**
   * Returns the existing records, none if there is no database, and what the database knows that a backup of `backupAt`
   * doesn't. Throws OperatorError while the application is running.
   */
  inspect(backupAt: Date): Promise<ExistingRecords>;
  /** Replaces the whole database with the backup's, or changes nothing. Returns the row count of each table. */
  replace(
    frames: AsyncIterable<Frame>,
    restoredFiles: RestoredFiles,
    trailer: Trailer,
  ): Promise<Record<string, number>>;
};

/**
 * The row count of each table, and the erasures and revocations that a database knows; `revocations` is null if it
 * can't tell.
 */
export type ExistingRecords = {
  counts: Record<string, number>;
  erased: ErasedAccount[];
  revocations: Revocations | null;
};

/** Name of the table of erased accounts, which databases created by older versions don't have. */
export const ERASED_TABLE = "erased_accounts";

/** A migration of this program: its name and its SQL. */
export type Migration = { name: string; sql: string };

/** Returns false for the database's internal tables and for Prisma's migration history. */
export function isApplicationTable(table: string): boolean {
  return !/^(sqlite_|_prisma_)/.test(table);
}
