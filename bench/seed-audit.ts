// A process of its own, with the settings of the product whose keys sign the chain: node seed-audit.ts FILE COUNT
import Database from "better-sqlite3";
import { EMPTY_HEAD, appendToChain, signHead } from "../app/audit/chain.server.ts";

const [file = "", count = ""] = process.argv.slice(2);
const MINUTE_MS = 60_000;
const FAMILIES = 2_000;
const BATCH = 10_000;
const FIRST_MS = Date.parse("2021-01-01T00:00Z");

const database = new Database(file);
database.pragma("synchronous = OFF");
const insert = database.prepare(
  `INSERT INTO "audit_entries" ("sequence", "at", "actorId", "familyId", "action", "objectType", "objectId", "network", "hash")
   VALUES (?, ?, 1, ?, 'document-opened', 'document', ?, NULL, ?)`,
);
let head = signHead({ ...EMPTY_HEAD, signature: "" });
const addBatch = database.transaction((first: number, length: number) => {
  const fields = Array.from({ length }, (_, index) => ({
    at: new Date(FIRST_MS + (first + index) * MINUTE_MS),
    actorId: 1,
    familyId: ((first + index) % FAMILIES) + 2,
    action: "document-opened",
    objectType: "document",
    objectId: first + index,
    network: null,
  }));
  const extended = appendToChain(head, fields);
  for (const { sequence, at, familyId, objectId, hash } of extended.entries)
    insert.run(sequence, at.getTime(), familyId, objectId, hash);
  head = extended.head;
});
for (let first = 1; first <= Number(count); first += BATCH) addBatch(first, Math.min(BATCH, Number(count) - first + 1));
const { firstSequence, baseHash, lastSequence, lastHash, signature } = head;
database
  .prepare(`INSERT INTO "audit_heads" VALUES (1, ?, ?, ?, ?, ?)`)
  .run(firstSequence, baseHash, lastSequence, lastHash, signature);
database.pragma("wal_checkpoint(TRUNCATE)");
database.close();
