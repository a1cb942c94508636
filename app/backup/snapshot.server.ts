import type { FileRecord } from "../documents/document-file.server.ts";
import type { WrappedKey } from "../files/file-keys.server.ts";
import type { Trailer, Frame, Provider } from "./format.server.ts";

/** What a database holds at one moment. Whoever reads it closes it. */
export type DatabaseSnapshot = {
  provider: Provider;
  /** names of the migrations that made it */
  migrations: string[];
  documents: (FileRecord & { sha256: string | null })[];
  /** rows of each table */
  tables: Record<string, number>;
  sequences: Record<string, number>;
  frames(): AsyncIterable<Frame>;
  close(): Promise<void>;
};

/** Where each restored document's file lies now, by the document's id. */
export type RestoredFiles = Map<number, WrappedKey & { filePath: string }>;

/** The database that a backup is restored into. */
export type RestoreTarget = {
  /** The rows of each table; nothing where there is no database yet. Refuses where the product is running on it. */
  inspect(): Promise<Record<string, number>>;
  /** Puts the backup's database in place of what is there, as a whole or not at all. Returns the rows of each table. */
  replace(frames: AsyncIterable<Frame>, found: RestoredFiles, end: Trailer): Promise<Record<string, number>>;
};

/** A migration of this program: its name and its SQL. */
export type Migration = { name: string; sql: string };

/** Not the database's own tables, nor Prisma's note of what it migrated. */
export function isProductTable(table: string): boolean {
  return !/^(sqlite_|_prisma_)/.test(table);
}
