// A process of its own, with the settings of the product whose keys sign the chain: node seed-audit.ts URL COUNT
import Database from "better-sqlite3";
import { EMPTY_HEAD, computeChainExtension, signHeadUnlessInvalid } from "../app/audit/audit-chain.server.ts";
import { withClient } from "./databases.ts";

const [url = "", count = ""] = process.argv.slice(2);
const MINUTE_MS = 60_000;
const FAMILIES = 2_000;
const BATCH = 10_000;
const FIRST_MS = Date.parse("2021-01-01T00:00Z");
const COLUMN_NAMES = "sequence at actorId familyId action objectType objectId network hash".split(" ");
const COLUMNS = COLUMN_NAMES.map((name) => `"${name}"`).join(", ");
/** The fields that all entries share. */
const SHARED = { actorId: 1, action: "document-opened", objectType: "document", network: null };

type Chain = ReturnType<typeof computeChainExtension>;
type Entries = Chain["entries"];

await (url.startsWith("file:") ? seedSqlite(url.slice("file:".length)) : seedPostgresql());

function* batches(): Generator<Entries, Chain["head"]> {
  let head = signHeadUnlessInvalid({ ...EMPTY_HEAD, signature: "" });
  for (let first = 1; first <= Number(count); first += BATCH) {
    const length = Math.min(BATCH, Number(count) - first + 1);
    const fields = Array.from({ length }, (_, index) => ({
      ...SHARED,
      at: new Date(FIRST_MS + (first + index) * MINUTE_MS),
      familyId: ((first + index) % FAMILIES) + 2,
      objectId: first + index,
    }));
    const extended = computeChainExtension(head, fields);
    yield extended.entries;
    head = extended.head;
  }
  return head;
}

async function seedSqlite(file: string) {
  const database = new Database(file);
  database.pragma("synchronous = OFF");
  const insert = database.prepare(
    `INSERT INTO "audit_entries" (${COLUMNS}) VALUES (${COLUMN_NAMES.map((name) => `@${name}`).join(", ")})`,
  );
  const insertBatch = database.transaction((entries: Entries) => {
    for (const entry of entries) insert.run({ ...entry, at: entry.at.getTime() });
  });
  const head = await insertBatches(async (entries) => insertBatch(entries));
  database.prepare(`INSERT INTO "audit_heads" VALUES (1, ?, ?, ?, ?, ?)`).run(...valuesOf(head));
  database.pragma("wal_checkpoint(TRUNCATE)");
  database.close();
}

async function seedPostgresql() {
  await withClient(url, async (client) => {
    const insertRows = `INSERT INTO "audit_entries" (${COLUMNS}) SELECT ${COLUMNS} FROM json_populate_recordset(NULL::"audit_entries", $1)`;
    const head = await insertBatches(async (entries) => {
      await client.query(insertRows, [JSON.stringify(entries)]);
    });
    await client.query(`INSERT INTO "audit_heads" VALUES (1, $1, $2, $3, $4, $5)`, valuesOf(head));
    await client.query("VACUUM ANALYZE");
  });
}

async function insertBatches(insertBatch: (entries: Entries) => Promise<void>): Promise<Chain["head"]> {
  const source = batches();
  for (;;) {
    const { value, done } = source.next();
    if (done) return value;
    await insertBatch(value);
  }
}

function valuesOf({ firstSequence, baseHash, lastSequence, lastHash, signature }: Chain["head"]) {
  return [firstSequence, baseHash, lastSequence, lastHash, signature];
}
