// Proves that audit log entries commit with the change they record, in one hash chain, and that the database refuses edits.
import { describe, expect, test } from "vitest";
import { createUser, database, db, isSqlite } from "../support/database/database-fixture.ts";
import { beforeNextTransaction } from "../support/database/interleave.ts";

const { recordAuditNow, recordAuditInTransaction, recordAuditOncePerWindow } =
  await import("../../app/audit/record-audit.server.ts");
const { EMPTY_HEAD, hashEntry } = await import("../../app/audit/audit-chain.server.ts");
const { inTransaction, createDatabaseClient } = database;

const entries = () => db.auditEntry.findMany({ orderBy: { sequence: "asc" } });
const sql = (statement: string) => db.$executeRawUnsafe(statement);

async function expectWholeChain() {
  const rows = await entries();
  let hash = EMPTY_HEAD.baseHash;
  for (const [index, row] of rows.entries()) {
    expect(row.sequence).toBe(index + 1);
    hash = hashEntry(hash, row);
    expect(row.hash).toBe(hash);
  }
  expect(await db.auditHead.findMany()).toMatchObject([{ lastSequence: rows.length, lastHash: hash }]);
}

describe("an audit log entry", () => {
  test("is stored in the same transaction as the change it records", async () => {
    const { id } = await inTransaction(async (transaction) => {
      const user = await transaction.user.create({
        data: { email: "ana@example.com", password: "-", firstName: "Ana", lastName: "Ruiz" },
      });
      recordAuditInTransaction(transaction, {
        action: "account-made",
        actorId: user.id,
        familyId: user.id,
        objectId: user.id,
      });
      recordAuditInTransaction(transaction, { action: "signed-in", actorId: user.id, familyId: user.id });
      return user;
    });
    const rows = (await entries()).filter(({ actorId }) => actorId === id);
    expect(rows).toMatchObject([
      { action: "account-made", objectType: "account", objectId: id, familyId: id },
      { action: "signed-in", objectType: "account", objectId: null, familyId: id },
    ]);
    await expectWholeChain();
  });

  test("is not stored when its transaction fails, and leaves no gap in the sequence", async () => {
    const count = await db.auditEntry.count();
    await expect(
      inTransaction(async (transaction) => {
        recordAuditInTransaction(transaction, { action: "profile-changed", actorId: 1 });
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    expect(await db.auditEntry.count()).toBe(count);
    await recordAuditNow({ action: "document-opened", actorId: 1, familyId: 2, objectId: 3 });
    expect(await db.auditEntry.count()).toBe(count + 1);
    await expectWholeChain();
  });

  test("that is invalid rolls back the change it records", async () => {
    const { id } = await createUser();
    const unknown = "" as "signed-in";
    await expect(
      inTransaction(async (transaction) => {
        await transaction.user.update({ where: { id }, data: { firstName: "Changed" } });
        recordAuditInTransaction(transaction, { action: unknown, actorId: 1 });
      }),
    ).rejects.toThrow("undefined");
    expect(await db.user.findUniqueOrThrow({ where: { id } })).toMatchObject({ firstName: "Maria" });
    await expectWholeChain();
  });

  test("throws when it is recorded outside of inTransaction", async () => {
    // @ts-expect-error Without a transaction it does not compile either.
    expect(() => recordAuditInTransaction(db, { action: "signed-in", actorId: 1 })).toThrow("inTransaction");
  });
});

test("100 concurrent entries, some in transactions that fail, form one hash chain without gaps", async () => {
  const count = await db.auditEntry.count();
  const users = await Promise.all(Array.from({ length: 5 }, () => createUser()));
  await Promise.allSettled(
    Array.from({ length: 100 }, (_, index) => {
      const actorId = users[index % users.length]?.id ?? 0;
      if (index % 2) return recordAuditNow({ action: "family-page-opened", actorId, familyId: index });
      return inTransaction(async (transaction) => {
        recordAuditInTransaction(transaction, { action: "profile-changed", actorId });
        await transaction.user.update({ where: { id: actorId }, data: { firstName: `N${index}` } });
        if (index % 10 === 0) throw new Error("no");
      });
    }),
  );
  expect(await db.auditEntry.count()).toBe(count + 90);
  await expectWholeChain();
});

test("entries added through another database client in between belong to the same hash chain", async () => {
  await recordAuditNow({ action: "document-opened", actorId: 1 });
  const { url } = await import("../support/database/database-fixture.ts");
  const other = await createDatabaseClient(url);
  const head = await other.auditHead.findFirstOrThrow();
  const { computeChainExtension: extendChain } = await import("../../app/audit/audit-chain.server.ts");
  const fields = { at: new Date(), actorId: 2, familyId: null, action: "signed-in" };
  const { head: next, entries: added } = extendChain(head, [
    { ...fields, objectType: null, objectId: null, network: null },
  ]);
  await other.auditHead.update({ where: { id: 1 }, data: next });
  await other.auditEntry.createMany({ data: added });
  await other.$disconnect();
  await recordAuditNow({ action: "document-downloaded", actorId: 1 });
  await expectWholeChain();
});

describe("the database refuses", () => {
  const stay = /audit_(entries|heads)_stay/;
  const addedAs = (sequence: number) => `
    INSERT INTO audit_entries ("sequence", "at", "action", "hash")
    SELECT ${sequence}, "at", "action", "hash" FROM audit_entries WHERE "sequence" = 1`;
  const copyRow = isSqlite ? "INSERT OR REPLACE INTO audit_entries SELECT * FROM audit_entries" : null;

  test.each([
    `UPDATE audit_entries SET "actorId" = 7`,
    `UPDATE audit_entries SET "hash" = "hash" WHERE "sequence" = 1`,
    `DELETE FROM audit_entries`,
    `DELETE FROM audit_entries WHERE "sequence" = 1`,
    `DELETE FROM audit_heads`,
    `UPDATE audit_heads SET "lastSequence" = "lastSequence" - 1`,
    `UPDATE audit_heads SET "firstSequence" = "firstSequence" - 1`,
    `UPDATE audit_heads SET "firstSequence" = "lastSequence" + 2`,
    addedAs(0),
    addedAs(-5),
    ...(copyRow ? [copyRow, "INSERT OR REPLACE INTO audit_heads SELECT * FROM audit_heads"] : []),
    ...(isSqlite ? [] : ["TRUNCATE audit_entries", "TRUNCATE audit_heads"]),
  ])("to run %s", async (statement) => {
    const before = await entries();
    expect(before.length).toBeGreaterThan(0);
    await expect(sql(statement)).rejects.toThrow(stay);
    expect(await entries()).toEqual(before);
  });

  test("a second entry with the same sequence number", async () => {
    const [first] = await entries();
    await expect(db.auditEntry.create({ data: first! })).rejects.toThrow(/constraint/i);
  });

  test("to delete entries of the last year, even after the beginning of the chain was moved behind them", async () => {
    const before = await entries();
    await sql(`UPDATE audit_heads SET "firstSequence" = "lastSequence" + 1`);
    await expect(sql("DELETE FROM audit_entries")).rejects.toThrow(stay);
    expect(await entries()).toEqual(before);
  });
});

test("a repeated event whose entry could not be stored is recorded by the next call", async () => {
  const event = { action: "lists-opened", actorId: 1 } as const;
  const stored = () => db.auditEntry.count({ where: { action: event.action } });
  const before = await stored();
  beforeNextTransaction(db, () => Promise.reject(new Error("gone")));
  await expect(recordAuditOncePerWindow(3_600_000, event)).rejects.toThrow("gone");
  for (let call = 0; call < 2; call += 1) await recordAuditOncePerWindow(3_600_000, event);
  expect((await stored()) - before).toBe(1);
  await expectWholeChain();
});
