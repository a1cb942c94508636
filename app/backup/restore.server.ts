import { createHash } from "node:crypto";
import { now } from "../clock.ts";
import { closeDatabase, db } from "../db.server.ts";
import { makeLock } from "../documents/locks.server.ts";
import { newStorageKey, store } from "../documents/store.server.ts";
import { checkDocuments, removeStrays } from "../documents/sweep.server.ts";
import { keepFile } from "../documents/vault.server.ts";
import { env } from "../env.server.ts";
import { resealTexts } from "../reseal.server.ts";
import { OperatorError } from "../start-error.ts";
import type { Found, Migration, Target } from "./contents.server.ts";
import type { End, Frame, Note } from "./frames.server.ts";
import { nameOf, refuseRenamed } from "./places.server.ts";
import { postgresqlTarget } from "./postgresql.server.ts";
import { unsealed } from "./sealed.server.ts";
import { sqliteTarget } from "./sqlite.server.ts";

type Order = {
  /** a path, a name in BACKUP_STORAGE, or `latest` */
  name: string;
  /** whether what is there may be replaced */
  mayReplace: boolean;
  /** the migrations of this program for the database that DATABASE_URL names */
  migrations: Migration[];
  /** makes an empty database where there is none */
  makeDatabase: () => Promise<void>;
  /** brings a database to the newest of them */
  migrate: () => Promise<void>;
};

/**
 * Puts a backup where DATABASE_URL and FILE_STORAGE point. First the whole file is read and proven; then the documents
 * are written, sealed with the keys of this place; the database comes last, as a whole, and its texts are sealed anew. So whatever fails before that
 * leaves everything as it was. Everybody signs in again. Returns one sentence; throws StartError with one that says why not.
 */
export async function restore({ name, mayReplace, migrations, makeDatabase, migrate }: Order): Promise<string> {
  const begun = now();
  const file = await nameOf(name);
  const read = () => unsealed(file);
  try {
    const { about, end } = await prove(read());
    refuseRenamed(file, about.at);
    const made = migrationsOf(about, migrations);
    const target = env.databaseUrl.startsWith("file:")
      ? sqliteTarget(env.databaseUrl)
      : postgresqlTarget(env.databaseUrl, made);
    await makeDatabase();
    await refuseFull(target, mayReplace);

    const found: Found = new Map();
    try {
      await placeDocuments(read(), end, found);
      refuseDifferent(await target.put(read(), found, end), expected(end));
    } catch (error) {
      for (const { filePath } of found.values()) await store.remove(filePath).catch(() => {});
      throw error;
    }
    await migrate();
    // A sign-in or a link that was ended since the backup, perhaps for a stolen phone, must not live again.
    await db.$transaction([db.session.deleteMany(), db.passwordReset.deleteMany(), db.appointmentClaim.deleteMany()]);
    const others = (about.textKeys ?? []).map(({ id, key }) => ({ id, key: Buffer.from(key, "base64") }));
    const { left } = await resealTexts({ scope: "foreign", others });
    const { whole, broken } = await checkDocuments();
    if (whole !== end.documents)
      throw new OperatorError(`These documents are not as in the backup: ${broken.join(", ")}.`);
    await removeStrays(begun);
    const rows = Object.values(expected(end)).reduce((sum, count) => sum + count, 0);
    const lost = end.broken.length > 0 ? ` ${end.broken.length} were damaged before the backup was made.` : "";
    const closed = left.length > 0 ? ` Some texts could not be opened, in ${left.join(", ")}.` : "";
    return `Restored as of ${about.at}: ${rows} records in ${Object.keys(end.tables).length} tables, counted, and ${whole} documents, each equal to its hash.${lost}${closed}`;
  } finally {
    await closeDatabase();
  }
}

/** Reads all of it: every segment's seal, every document's hash, every table's rows, and the end. */
async function prove(frames: AsyncIterable<Frame>): Promise<{ about: Extract<Note, { kind: "about" }>; end: End }> {
  let about: Extract<Note, { kind: "about" }> | undefined;
  let end: End | undefined;
  let hash = createHash("sha256");
  let documents = 0;
  const rows: Record<string, number> = {};
  for await (const frame of frames) {
    if (Buffer.isBuffer(frame)) hash.update(frame);
    else if (frame.kind === "about") about = frame;
    else if (frame.kind === "end") end = frame;
    else if (frame.kind === "document") hash = createHash("sha256");
    else if (frame.kind === "rows") rows[frame.table] = (rows[frame.table] ?? 0) + frame.rows.length;
    else if (frame.kind === "documentEnd") {
      if (hash.digest("hex") !== frame.sha256)
        throw new OperatorError(`Document ${frame.id} is damaged in the backup.`);
      if (frame.isWhole) documents += 1;
    }
  }
  if (!about || !end) throw new OperatorError("The backup was cut short: its end is missing. Nothing was changed.");
  if (documents !== end.documents) throw new OperatorError("The backup has not all the documents that it names.");
  if (about.provider === "postgresql") refuseDifferent({ ...zeros(end.tables), ...ours(rows, end) }, end.tables);
  return { about, end };
}

/** Refuses a backup of the other kind of database, or of a newer program. */
function migrationsOf(about: Extract<Note, { kind: "about" }>, known: Migration[]): Migration[] {
  const here = env.databaseUrl.startsWith("file:") ? "sqlite" : "postgresql";
  if (about.provider !== here)
    throw new OperatorError(`The backup is of a ${about.provider} database, and DATABASE_URL names ${here}.`);
  const unknown = about.migrations.filter((name) => !known.some((migration) => migration.name === name));
  if (unknown.length > 0) {
    throw new OperatorError(
      `The backup is newer than this program: it has the migration ${unknown.join(", ")}. Start the newer program.`,
    );
  }
  return known.filter(({ name }) => about.migrations.includes(name));
}

async function refuseFull(target: Target, mayReplace: boolean): Promise<void> {
  const full = Object.entries(await target.look()).filter(([, count]) => count > 0);
  if (full.length === 0 || mayReplace) return;
  const what = full.map(([table, count]) => `${count} in ${table}`).join(", ");
  throw new OperatorError(`There are records already (${what}). Nothing was changed. To replace them add --replace.`);
}

/** Each document in the store, under a name and a key of its own; `found` says where, also when this fails half-way. */
async function placeDocuments(frames: AsyncGenerator<Frame>, end: End, found: Found): Promise<void> {
  const left = new Set([...end.gone, ...end.broken]);
  for await (const frame of frames) {
    if (Buffer.isBuffer(frame) || frame.kind !== "document" || left.has(frame.id)) continue;
    const { lock, kept } = makeLock();
    const filePath = newStorageKey();
    found.set(frame.id, { ...kept, filePath });
    await keepFile(filePath, lock, bytesOfDocument(frames));
  }
}

/** The bytes up to the document's end, which is taken too. The frames go on after it. */
async function* bytesOfDocument(frames: AsyncGenerator<Frame>): AsyncGenerator<Buffer> {
  for (;;) {
    const { value, done } = await frames.next();
    if (done || !Buffer.isBuffer(value)) return;
    yield value;
  }
}

function expected({ tables, gone }: End): Record<string, number> {
  return { ...tables, documents: (tables.documents ?? 0) - gone.length };
}

function refuseDifferent(counts: Record<string, number>, wanted: Record<string, number>): void {
  const wrong = Object.entries(wanted).filter(([table, count]) => counts[table] !== count);
  if (wrong.length === 0) return;
  const what = wrong.map(([table, count]) => `${table} has ${counts[table] ?? 0} records, not ${count}`).join("; ");
  throw new OperatorError(`The restored database is not that of the backup: ${what}.`);
}

function zeros(tables: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.keys(tables).map((table) => [table, 0]));
}

function ours(rows: Record<string, number>, { tables }: End): Record<string, number> {
  return Object.fromEntries(Object.entries(rows).filter(([table]) => table in tables));
}
