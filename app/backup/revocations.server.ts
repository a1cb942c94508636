import {
  type AccountRevocations,
  compareRestoredAccount,
  type ReplacedAccount,
  restoredAccounts,
} from "../accounts/restored-accounts.server.ts";
import { findLatestEntry } from "../audit/latest-entry.server.ts";
import { recordAuditNow } from "../audit/record.server.ts";
import { cancelVisitsAgain } from "../booking/restored-visits.server.ts";
import { withdrawConsentsAgain } from "../consents/restored-consents.server.ts";
import { inTransaction } from "../db/client.server.ts";
import { MINUTE_MS } from "../duration.ts";
import type { DatabaseProvider } from "./format.server.ts";
import { LOST_REVOCATIONS_CHECKED, REVOCATIONS_LOST } from "./lost-revocations.server.ts";
import type { ReappliedRevocations } from "./revocations-of-a-restore.ts";

type KnownAccount = ReplacedAccount & {
  withdrawnConsents: Map<number, { signedAt: Date; withdrawnAt: Date }>;
  /** Of an account that is closed or to be deleted. */
  cancelledVisits: Map<number, string | null>;
};

/** What the database that a restore replaces knows of access and wishes that ended. */
export type Revocations = {
  accounts: Map<number, KnownAccount>;
  /** Of the entries of its access log up to the time of the backup. */
  entryHashes: Set<string>;
  /** It was itself restored without knowing what had been revoked, and nobody has marked that as seen yet. */
  isIncomplete: boolean;
};

type Row = Record<string, unknown>;
/** `query` reads the replaced database. */
type ReplacedDatabase = { provider: DatabaseProvider; query: (sql: string) => Promise<Row[]> };

/** Of one table: many times what a practice has, and few enough to be held in memory. */
const MAX_ROWS = 200_000;
/** A snapshot is taken somewhat later than the time that stands in its backup. */
const SNAPSHOT_DELAY_MS = 10 * MINUTE_MS;
const MAX_ENTRIES = 1000;

/**
 * Reads what a database knows that a backup of `backupAt` is about to replace. Null where it can't tell: an older program
 * made it without one of these tables or columns, or one has 200,000 rows or more.
 */
export async function readRevocations(database: ReplacedDatabase, backupAt: Date): Promise<Revocations | null> {
  try {
    return await readKnown(database, backupAt);
  } catch {
    // A restore does not fail for it: its last line says that nothing is known.
    return null;
  }
}

async function readKnown({ provider, query }: ReplacedDatabase, backupAt: Date): Promise<Revocations> {
  const instants = (...columns: string[]) =>
    columns
      .map((column) => (provider === "sqlite" ? `"${column}"` : `"${column}" AT TIME ZONE 'UTC' AS "${column}"`))
      .join(", ");
  const readRows = async (sql: string) => {
    const rows = await query(`${sql} LIMIT ${MAX_ROWS}`);
    if (rows.length === MAX_ROWS) throw new Error("There are too many rows to be compared.");
    return rows;
  };
  const users = `SELECT id, email, password, "isAdmin", ${instants("createdAt", "closedAt", "eraseAfter")} FROM users`;
  const accounts = new Map((await readRows(users)).map((row) => [Number(row.id), toAccount(row)]));
  const addEach = async (sql: string, add: (account: KnownAccount, row: Row) => void) => {
    for (const row of await readRows(sql)) {
      const account = accounts.get(Number(row.userId));
      if (account) add(account, row);
    }
  };
  await addEach(`SELECT "userId", ${instants("createdAt")} FROM second_factors`, (account, row) => {
    account.secondFactorCreatedAt = toDate(row.createdAt).getTime();
  });
  await addEach('SELECT "userId", "credentialId" FROM passkeys', ({ credentialIds }, { credentialId }) =>
    credentialIds.add(String(credentialId)),
  );
  await addEach('SELECT "userId", "codeHash" FROM recovery_codes', ({ recoveryCodeHashes }, { codeHash }) =>
    recoveryCodeHashes.add(String(codeHash)),
  );
  await addEach(
    `SELECT id, "userId", ${instants("signedAt", "withdrawnAt")} FROM consents WHERE "withdrawnAt" IS NOT NULL`,
    ({ withdrawnConsents }, { id, signedAt, withdrawnAt }) =>
      withdrawnConsents.set(Number(id), { signedAt: toDate(signedAt), withdrawnAt: toDate(withdrawnAt) }),
  );
  await addEach(
    `SELECT id, "userId", "cancelledBy" FROM appointments WHERE status = 'cancelled' AND "userId" IN
      (SELECT id FROM users WHERE "closedAt" IS NOT NULL OR "eraseAfter" IS NOT NULL)`,
    ({ cancelledVisits }, { id, cancelledBy }) => cancelledVisits.set(Number(id), cancelledBy as string | null),
  );
  const until = new Date(backupAt.getTime() + SNAPSHOT_DELAY_MS);
  const untilSql = provider === "sqlite" ? until.getTime() : `'${until.toISOString().slice(0, -1)}'`;
  const entries = await query(
    `SELECT hash FROM audit_entries WHERE at <= ${untilSql} ORDER BY sequence DESC LIMIT ${MAX_ENTRIES}`,
  );
  const [check] = await query(
    `SELECT action FROM audit_entries WHERE action IN ('${REVOCATIONS_LOST}', '${LOST_REVOCATIONS_CHECKED}')
      ORDER BY sequence DESC LIMIT 1`,
  );
  return {
    accounts,
    entryHashes: new Set(entries.map(({ hash }) => String(hash))),
    isIncomplete: check?.action === REVOCATIONS_LOST,
  };
}

function toAccount({ createdAt, email, password, isAdmin, closedAt, eraseAfter }: Row): KnownAccount {
  return {
    createdAt: toDate(createdAt).getTime(),
    email: String(email),
    password: String(password),
    isAdmin: Boolean(isAdmin),
    closedAt: closedAt === null ? null : toDate(closedAt),
    eraseAfter: eraseAfter === null ? null : toDate(eraseAfter),
    secondFactorCreatedAt: null,
    credentialIds: new Set(),
    recoveryCodeHashes: new Set(),
    withdrawnConsents: new Map(),
    cancelledVisits: new Map(),
  };
}

function toDate(value: unknown): Date {
  return new Date(value as string | number | Date);
}

/**
 * Applies to the restored database what the replaced one knew, so that nothing that was revoked after the backup is valid
 * again. Null where that is not known: there was no such database, or it does not continue the backup, for instance
 * because it was restored from an older one.
 */
export async function applyRevocations(known: Revocations | null): Promise<ReappliedRevocations | null> {
  const last = await findLatestEntry();
  if (!known || !last || !known.entryHashes.has(last.hash)) return null;
  const counts: Record<string, number> = {};
  const [families, withEarlierEmail]: [{ id: number; isAdmin: boolean }[], number[]] = [[], []];
  for await (const account of restoredAccounts()) {
    const replaced = known.accounts.get(account.id);
    if (!replaced || replaced.createdAt !== account.createdAt.getTime()) continue;
    if (replaced.email !== account.email) withEarlierEmail.push(account.id);
    const applied = await applyToAccount(account, replaced);
    for (const [name, count] of Object.entries(applied)) counts[name] = (counts[name] ?? 0) + count;
    if (sumOf(applied) > 0) families.push(account);
  }
  return { counts, changedAccounts: families, withEarlierEmail, isIncomplete: known.isIncomplete };
}

async function applyToAccount(
  account: Parameters<typeof compareRestoredAccount>[0],
  replaced: KnownAccount,
): Promise<AccountRevocations & { consents: number; visits: number }> {
  const { counts, apply } = compareRestoredAccount(account, replaced);
  const { withdrawnConsents, cancelledVisits } = replaced;
  if (sumOf(counts) + withdrawnConsents.size + cancelledVisits.size === 0) return { ...counts, consents: 0, visits: 0 };
  return inTransaction(async (transaction) => {
    if (sumOf(counts) > 0) await apply(transaction);
    const consents = await withdrawConsentsAgain(transaction, account.id, withdrawnConsents);
    const visits = await cancelVisitsAgain(transaction, account.id, cancelledVisits);
    return { ...counts, consents, visits };
  });
}

function sumOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Records what `applyRevocations` did, or that nothing was known, once the restored access log is signed anew. */
export async function recordRevocations(reapplied: ReappliedRevocations | null): Promise<void> {
  const changed = (reapplied?.changedAccounts ?? []).map(({ id, isAdmin }) => ({
    action: "revocations-reapplied" as const,
    actorId: null,
    familyId: isAdmin ? null : id,
    objectId: id,
  }));
  await recordAuditNow(...changed);
  // Last, because it is what a later restore and the dashboard look for.
  if (reapplied === null || reapplied.isIncomplete) await recordAuditNow({ action: REVOCATIONS_LOST, actorId: null });
}
