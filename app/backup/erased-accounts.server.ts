import path from "node:path";
import { db } from "../db/database-client.server.ts";
import { openLocalFile } from "../files/folder-store.server.ts";
import type { StoredFile } from "../files/file-store.ts";
import { OperatorError } from "../operator-error.ts";
import { backupStorage } from "./backup-storage.server.ts";
import { ERASED_ACCOUNTS_FILE } from "./restore-erasure-report.ts";
import { isValidBackupSignature, signWithBackupKey } from "./backup-signature.server.ts";
import { isBackupConfigured } from "./backup-status.server.ts";

const MAX_LIST_BYTES = 50 * 1024 * 1024;
const MAX_ATTEMPTS = 5;

/** An account that was erased: its id and times (UTC), without any personal data. */
export type ErasedAccount = { accountId: number; accountCreatedAt: Date; erasedAt: Date };

/**
 * Adds all erased accounts of this database to the list in BACKUP_STORAGE, where a restore reads them. Does nothing
 * without BACKUP_KEYS, because then there are no backups either. `isRenewed` writes the list even if there is nothing
 * to add or it is empty: then a missing list next to a backup means that it was lost, and no lifecycle rule deletes it
 * as an old file. Throws if the storage can't be reached.
 */
export async function publishErasedAccounts({ isRenewed = false } = {}): Promise<void> {
  if (!isBackupConfigured()) return;
  await addToErasedAccountsList(() => db.erasedAccount.findMany({ omit: { id: true } }), isRenewed);
}

/** Adds the accounts that are missing from the list in BACKUP_STORAGE. Throws if the storage can't be reached. */
export function appendErasedAccounts(accounts: readonly ErasedAccount[]): Promise<void> {
  return addToErasedAccountsList(async () => accounts, false);
}

/**
 * Returns the accounts on the list in BACKUP_STORAGE and, if `backup` is a path, on the list in its folder; null if
 * neither list exists. Throws OperatorError if a list was not written with BACKUP_KEYS.
 */
export async function readErasedAccounts(backup: string): Promise<ErasedAccount[] | null> {
  const isPath = path.basename(backup) !== backup;
  const listed = await readErasedAccountsFile(await backupStorage.open(ERASED_ACCOUNTS_FILE));
  const adjacentList = isPath
    ? await readErasedAccountsFile(await openLocalFile(path.join(path.dirname(backup), ERASED_ACCOUNTS_FILE)))
    : null;
  return listed === null && adjacentList === null ? null : mergeErasedAccounts(listed ?? [], adjacentList ?? []);
}

/** Merges lists of erased accounts without duplicates. */
export function mergeErasedAccounts(...lists: readonly (readonly ErasedAccount[])[]): ErasedAccount[] {
  return [...new Map(lists.flat().map((account) => [erasedAccountKey(account), account])).values()];
}

async function addToErasedAccountsList(
  loadAccounts: () => Promise<readonly ErasedAccount[]>,
  isForced: boolean,
): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const [erasedAccounts, listed] = [
      await loadAccounts(),
      (await readErasedAccountsFile(await backupStorage.open(ERASED_ACCOUNTS_FILE))) ?? [],
    ];
    const listedKeys = new Set(listed.map(erasedAccountKey));
    const added = erasedAccounts.filter((account) => !listedKeys.has(erasedAccountKey(account)));
    if (added.length === 0 && !(isForced && attempt === 0)) return;
    // Another process may write the list at the same moment. The loop reads the list again to check that the entries
    // are in it.
    await backupStorage.write(ERASED_ACCOUNTS_FILE, serialize([...listed, ...added]));
  }
  throw new Error("The list of erased accounts does not hold what is written to it.");
}

async function readErasedAccountsFile(file: StoredFile | null): Promise<ErasedAccount[] | null> {
  if (!file) return null;
  const bytes = Buffer.alloc(Math.min(file.size, MAX_LIST_BYTES));
  await file
    .createReader(
      0,
      bytes.length,
    )(bytes)
    .finally(() => file.close());
  const [signature = "", json = ""] = bytes.toString("utf8").split("\n");
  if (!isValidBackupSignature(`${ERASED_ACCOUNTS_FILE} ${json}`, signature))
    throw new OperatorError(
      `The file ${ERASED_ACCOUNTS_FILE} beside the backups was not written with BACKUP_KEYS, or was changed. Without it a restore brings erased families back; to restore all the same, move it away.`,
    );
  const rows = JSON.parse(json) as ErasedAccountRow[];
  return rows.map(toErasedAccount);
}

/** An erased account as read from a list or a database, with dates in their formats. */
export type ErasedAccountRow = Record<keyof ErasedAccount, string | number | Date>;

export function toErasedAccount({ accountId, accountCreatedAt, erasedAt }: ErasedAccountRow): ErasedAccount {
  return {
    accountId: Number(accountId),
    accountCreatedAt: new Date(accountCreatedAt),
    erasedAt: new Date(erasedAt),
  };
}

async function* serialize(accounts: readonly ErasedAccount[]): AsyncGenerator<Buffer> {
  const json = JSON.stringify(accounts);
  yield Buffer.from(`${signWithBackupKey(`${ERASED_ACCOUNTS_FILE} ${json}`)}\n${json}\n`);
}

function erasedAccountKey({ accountId, accountCreatedAt }: ErasedAccount): string {
  return `${accountId} ${accountCreatedAt.getTime()}`;
}
