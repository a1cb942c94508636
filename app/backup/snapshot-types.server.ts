import type { FileRecord } from "../documents/download/open-document-file.server.ts";
import type { WrappedKey } from "../files/file-keys.server.ts";
import type { Trailer, Frame, DatabaseProvider } from "./format.server.ts";

/** A consistent copy of a database at one moment. The caller closes it. */
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

/** The new file and key of each restored document, by the document's id. */
export type RestoredFiles = Map<number, WrappedKey & { filePath: string }>;

/** The database that a backup is restored into. */
export type RestoreTarget = {
  /** The row count of each table; empty without a database. Throws OperatorError while the product is running. */
  inspect(): Promise<Record<string, number>>;
  /** Replaces the database by the backup's, as a whole or not at all. Returns the row count of each table. */
  replace(
    frames: AsyncIterable<Frame>,
    restoredFiles: RestoredFiles,
    trailer: Trailer,
  ): Promise<Record<string, number>>;
};

/** A migration of this program: its name and its SQL. */
export type Migration = { name: string; sql: string };

/** False for the database's internal tables and for Prisma's migration history. */
export function isApplicationTable(table: string): boolean {
  return !/^(sqlite_|_prisma_)/.test(table);
}
