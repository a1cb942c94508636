// Proves that verifying the audit log finds changes that were made directly in the database, and names the entry.
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import type { AuditAction } from "../../app/audit/audit-actions.ts";
import { environmentWithEmptyDatabase, newInstallationEnvironment, verifyAudit } from "../support/backup-commands.ts";
import { removeAuditTriggers } from "../support/database/audit-triggers.ts";
import { database, db, isSqlite } from "../support/database/database-fixture.ts";

const { setTestClock } = await import("../../app/clock.ts");
const { AUDIT_ACTIONS } = await import("../../app/audit/audit-actions.ts");
const { recordAuditNow } = await import("../../app/audit/record-audit.server.ts");
const { computeChainExtension: extendChain } = await import("../../app/audit/audit-chain.server.ts");
const { verifyAuditChain } = await import("../../app/audit/verify-audit-chain.server.ts");
const { anchorJob } = await import("../../app/audit/anchor-job.server.ts");
const { forgetCommittedEntry } = await import("../../app/audit/last-committed-entry.server.ts");
const { acceptAndReSignAuditChain } = await import("../../app/audit/re-sign-audit-chain.server.ts");
const { deleteExpiredAuditEntries } = await import("../../app/audit/audit-retention.server.ts");
const { auditWarnings } = await import("../../app/audit/audit-warnings.server.ts");
const { env } = await import("../../app/env.server.ts");

const ENTRIES = 20;
const ENTRIES_A_DAY = 16;
const anchors = path.join(env.dataDir, "audit-anchors");
const sql = (statement: string) => db.$executeRawUnsafe(statement);
const noteLastEntry = () => anchorJob.run(new AbortController().signal);

async function record(count: number) {
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      recordAuditNow({ action: "document-opened", actorId: 1, familyId: index % 3, objectId: index }),
    ),
  );
}

/** By whom, about which family and which record: each of them may be nobody's. */
const SUBJECTS = [
  { actorId: 1, familyId: 2, objectId: 3 },
  { actorId: 2, familyId: 2, objectId: null },
  { actorId: null, familyId: 4, objectId: 5, network: "a keyed hash" },
  { actorId: 1, familyId: null, objectId: 6, objectType: "document" },
  { actorId: null, familyId: null, objectId: null },
] as const;

/** A copy of an entry under another number, as somebody would write it who has the database's password. */
const copyOf = (sequence: number, copy: number) => `
  INSERT INTO audit_entries ("sequence", "at", "actorId", "familyId", "action", "objectType", "objectId", "network", "hash")
  SELECT ${copy}, "at", "actorId", "familyId", "action", "objectType", "objectId", "network", "hash"
  FROM audit_entries WHERE "sequence" = ${sequence}`;

beforeAll(removeAuditTriggers);

beforeEach(async () => {
  forgetCommittedEntry();
  rmSync(anchors, { force: true });
  await sql("DELETE FROM audit_entries");
  await sql("DELETE FROM audit_heads");
  await record(ENTRIES);
});

test("an unaltered chain verifies, also while entries are added and after its last entry was anchored", async () => {
  const [result] = await Promise.all([verifyAuditChain(), record(30)]);
  expect(result).toMatchObject({ isValid: true });
  await noteLastEntry();
  await record(1);
  await noteLastEntry();
  expect(await verifyAuditChain()).toEqual({ isValid: true, count: ENTRIES + 31, lastSequence: ENTRIES + 31 });
});

test("an empty audit log verifies with zero entries", async () => {
  forgetCommittedEntry();
  await sql("DELETE FROM audit_entries");
  await sql("DELETE FROM audit_heads");
  expect(await verifyAuditChain()).toEqual({ isValid: true, count: 0, lastSequence: 0 });
});

describe("verification fails and names an entry when", () => {
  const at = isSqlite ? `"at" = "at" + 1` : `"at" = "at" + interval '1 millisecond'`;
  test.each([
    ["its action was changed", 7, `UPDATE audit_entries SET "action" = 'signed-in' WHERE "sequence" = 7`],
    ["its actor was changed", 1, `UPDATE audit_entries SET "actorId" = 2 WHERE "sequence" = 1`],
    ["its actor was removed", 9, `UPDATE audit_entries SET "actorId" = NULL WHERE "sequence" = 9`],
    ["its family was changed", 20, `UPDATE audit_entries SET "familyId" = 99 WHERE "sequence" = 20`],
    ["its record id was changed", 8, `UPDATE audit_entries SET "objectId" = 999 WHERE "sequence" = 8`],
    ["its time was changed by a millisecond", 3, `UPDATE audit_entries SET ${at} WHERE "sequence" = 3`],
    ["its hash was changed", 4, `UPDATE audit_entries SET "hash" = 'f' WHERE "sequence" = 4`],
    ["it was deleted", 12, `DELETE FROM audit_entries WHERE "sequence" = 12`],
    ["it was the first entry and was deleted", 1, `DELETE FROM audit_entries WHERE "sequence" = 1`],
    ["the last entries were deleted", 18, `DELETE FROM audit_entries WHERE "sequence" >= 18`],
    ["all entries were deleted", 1, `DELETE FROM audit_entries`],
    ["the head was deleted", 1, `DELETE FROM audit_heads`],
    ["the head names an earlier last entry", 17, `UPDATE audit_heads SET "lastSequence" = 17`],
    ["an entry was added before the first one", 0, copyOf(7, 0)],
    ["an entry was added far before the first one", -5, copyOf(7, -5)],
    ["the head names a later first entry", 1, `UPDATE audit_heads SET "firstSequence" = 5`],
    ["the head has no signature", 20, `UPDATE audit_heads SET "signature" = ''`],
    ["the head is signed with an unknown key", 20, `UPDATE audit_heads SET "signature" = 'other:abc'`],
  ])("%s", async (_, sequence, statement) => {
    await sql(statement);
    expect(await verifyAuditChain()).toMatchObject({ isValid: false, sequence });
  });

  test("it was swapped with another entry", async () => {
    for (const [from, to] of [
      [5, 50],
      [6, 5],
      [50, 6],
    ])
      await sql(`UPDATE audit_entries SET "sequence" = ${to} WHERE "sequence" = ${from}`);
    expect(await verifyAuditChain()).toMatchObject({ isValid: false, sequence: 5 });
  });

  test("an entry was added after the last one", async () => {
    const head = await db.auditHead.findFirstOrThrow();
    const { entries } = extendChain(head, [
      {
        at: new Date(),
        actorId: 1,
        familyId: null,
        action: "signed-in",
        objectType: null,
        objectId: null,
        network: null,
      },
    ]);
    await db.auditEntry.createMany({ data: entries });
    expect(await verifyAuditChain()).toMatchObject({ isValid: false, sequence: 21 });
  });

  test("all hashes from one entry on were recomputed without the signing key", async () => {
    expect(await auditWarnings()).toEqual([]);
    await rewriteFrom(8);
    expect(await verifyAuditChain()).toMatchObject({ isValid: false, sequence: ENTRIES });
    expect(await auditWarnings()).toEqual([expect.stringContaining("npm run audit -- verify")]);
    await record(3);
    expect(await auditWarnings()).toHaveLength(1);
    // The process that wrote the last entry has noted it.
    expect(await verifyAuditChain()).toMatchObject({ isValid: false, sequence: ENTRIES });
  });

  test("all hashes from one entry on were recomputed after a later entry had been anchored", async () => {
    await noteLastEntry();
    await record(5);
    await rewriteFrom(8);
    expect(await verifyAuditChain()).toMatchObject({ isValid: false, sequence: ENTRIES });
  });

  test("the database was replaced by an older state with its matching head", async () => {
    const head = await db.auditHead.findFirstOrThrow();
    await record(5);
    await noteLastEntry();
    await sql(`DELETE FROM audit_entries WHERE "sequence" > ${head.lastSequence}`);
    await db.auditHead.update({ where: { id: 1 }, data: head });
    expect(await verifyAuditChain()).toMatchObject({ isValid: false, sequence: ENTRIES + 1 });
  });

  test("the database was replaced by an empty one", async () => {
    await noteLastEntry();
    await sql("DELETE FROM audit_entries");
    await sql("DELETE FROM audit_heads");
    expect(await verifyAuditChain()).toMatchObject({ isValid: false, sequence: 1 });
  });
});

describe("re-signed chains and anchors", () => {
  test("re-signing a head signed with a lost key makes the chain verify and adds an audit-accepted entry", async () => {
    await sql(`UPDATE audit_heads SET "signature" = 'lost:abc'`);
    await record(1);
    expect(await verifyAuditChain()).toMatchObject({ isValid: false });
    await acceptAndReSignAuditChain();
    expect(await verifyAuditChain()).toEqual({ isValid: true, count: ENTRIES + 2, lastSequence: ENTRIES + 2 });
    expect(await db.auditEntry.findFirst({ orderBy: { sequence: "desc" } })).toMatchObject({
      action: "audit-accepted",
    });
  });

  test("re-signing does not make an altered entry verify", async () => {
    await sql(`UPDATE audit_entries SET "actorId" = 2 WHERE "sequence" = 6`);
    await acceptAndReSignAuditChain();
    expect(await verifyAuditChain()).toMatchObject({ isValid: false, sequence: 6 });
  });

  test("incomplete and malformed anchor lines are ignored", async () => {
    writeFileSync(anchors, `nonsense\n5 abc\n99999999999 ${"f".repeat(64)}\n12`);
    expect(await verifyAuditChain()).toMatchObject({ isValid: true });
  });
});

describe("deleting expired entries", () => {
  const years = (count: number) => () => new Date(Date.UTC(2026 + count, 10, 22));

  test("leaves a chain that still verifies against its anchor, and alterations of it are still found", async () => {
    setTestClock(years(1));
    await record(5);
    await noteLastEntry();
    setTestClock(() => new Date(Date.UTC(2033, 5, 1)));
    expect(await deleteExpiredAuditEntries()).toBe(ENTRIES);
    expect(await verifyAuditChain()).toEqual({ isValid: true, count: 6, lastSequence: ENTRIES + 6 });
    expect(await deleteExpiredAuditEntries()).toBe(0);
    await sql(`UPDATE audit_entries SET "actorId" = 2 WHERE "sequence" = ${ENTRIES + 2}`);
    expect(await verifyAuditChain()).toMatchObject({ isValid: false, sequence: ENTRIES + 2 });
    setTestClock(null);
  });

  test("keeps entries that are six years old", async () => {
    setTestClock(() => new Date(Date.now() + 6 * 365 * 86_400_000));
    expect(await deleteExpiredAuditEntries()).toBe(0);
    setTestClock(null);
    expect(await db.auditEntry.count()).toBe(ENTRIES);
  });

  test.each([
    { auditYears: 1, age: 2, count: ENTRIES },
    { auditYears: 1, age: 0.99, count: 0 },
    { auditYears: 10, age: 9, count: 0 },
    { auditYears: 10, age: 11, count: ENTRIES },
  ])(
    "with AUDIT_YEARS=$auditYears deletes $count of the entries after $age years",
    async ({ auditYears, age, count }) => {
      const usual = env.auditRetentionYears;
      Object.assign(env, { auditRetentionYears: auditYears });
      setTestClock(() => new Date(Date.now() + age * 365.25 * 86_400_000));
      expect(await deleteExpiredAuditEntries()).toBe(count);
      setTestClock(null);
      Object.assign(env, { auditRetentionYears: usual });
    },
  );

  test("can delete every entry; the chain verifies and continues", async () => {
    setTestClock(() => new Date(Date.now() + 7 * 366 * 86_400_000));
    expect(await deleteExpiredAuditEntries()).toBe(ENTRIES);
    expect(await verifyAuditChain()).toEqual({ isValid: true, count: 1, lastSequence: ENTRIES + 1 });
    await record(1);
    setTestClock(null);
    expect(await verifyAuditChain()).toMatchObject({ isValid: true, count: 2 });
  });
});

test(
  "a year of entries of every action verifies, also with the command; an altered entry is named",
  { timeout: 120_000 },
  async () => {
    const actions = Object.keys(AUDIT_ACTIONS) as AuditAction[];
    expect(actions.length).toBeGreaterThan(90);
    let recorded = 0;
    for (let day = 0; day < 365; day += 1) {
      setTestClock(() => new Date(Date.UTC(2027, 0, 1 + day)));
      const next = Array.from({ length: ENTRIES_A_DAY }, () => actions[(recorded += 1) % actions.length]!);
      await Promise.all(next.map((action, index) => recordAuditNow({ action, ...SUBJECTS[index % SUBJECTS.length] })));
    }
    setTestClock(null);
    const count = ENTRIES + 365 * ENTRIES_A_DAY;
    expect(await verifyAuditChain()).toEqual({ isValid: true, count, lastSequence: count });
    const inDatabase = await db.auditEntry.findMany({ distinct: ["action"], select: { action: true } });
    expect(inDatabase.map(({ action }) => action).toSorted()).toEqual(actions.toSorted());
    const output = `${count} entries hold. The last is number ${count}.\n`;
    expect(await verifyAudit(process.env as Record<string, string>)).toEqual({ code: 0, output });
    await sql(`UPDATE audit_entries SET "familyId" = 7654 WHERE "sequence" = 4321`);
    expect(await verifyAuditChain()).toMatchObject({ isValid: false, sequence: 4321 });
  },
);

test("the command fails without creating a database if there is none, and fails if there is no entry", async () => {
  const template = inject("template");
  // The product would make its keys.
  const none = await newInstallationEnvironment(template, { FILE_KEYS: "", SESSION_SECRET: "" });
  for (let times = 0; times < 2; times += 1)
    expect(await verifyAudit(none)).toEqual({
      code: 1,
      output: expect.stringMatching(/^There is no database .*nothing was verified/),
    });
  expect(readdirSync(none.DATA_DIR ?? "")).toEqual([]);
  const empty = await environmentWithEmptyDatabase(template, {});
  expect(await verifyAudit(empty)).toEqual({
    code: 1,
    output: expect.stringMatching(/^The database has no entry at all: nothing was verified/),
  });
});

/** As whoever knows the algorithm but not the key: every hash follows, and the head names the last one. */
async function rewriteFrom(sequence: number) {
  const rows = await db.auditEntry.findMany({ orderBy: { sequence: "asc" } });
  const head = await db.auditHead.findFirstOrThrow();
  const kept = rows.slice(0, sequence - 1);
  const changed = rows.slice(sequence - 1).map((row) => ({ ...row, actorId: 5 }));
  const from = { ...head, lastSequence: kept.length, lastHash: kept.at(-1)?.hash ?? "" };
  const { entries, head: next } = extendChain(from, changed);
  await database.inTransaction(async (transaction) => {
    await transaction.auditEntry.deleteMany({ where: { sequence: { gte: sequence } } });
    await transaction.auditEntry.createMany({ data: entries });
    await transaction.auditHead.update({ where: { id: 1 }, data: { lastHash: next.lastHash } });
  });
}
