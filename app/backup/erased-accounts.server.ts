import { db } from "../db/client.server.ts";
import { OperatorError } from "../operator-error.ts";
import { backupStorage } from "./backup-storage.server.ts";
import { verifyBackupSignature, signWithBackupKey } from "./signature.server.ts";
import { isBackupConfigured } from "./status.server.ts";

/** Lies beside the backups: an older backup does not know of erasures after it. */
const FILE = "erased-accounts";
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_ATTEMPTS = 5;

/** Names nobody: the number and the time (UTC) of an account that was erased. */
export type ErasedAccount = { accountId: number; accountCreatedAt: Date; erasedAt: Date };

/**
 * Adds all erased accounts of this database to the list in BACKUP_STORAGE, where a restore reads them. Does nothing
 * without BACKUP_KEYS, with which there are no backups either. Throws when the storage can't be reached.
 */
export async function publishErasedAccounts(): Promise<void> {
  if (!isBackupConfigured()) return;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const [known, listed] = [await db.erasedAccount.findMany({ omit: { id: true } }), await readErasedAccounts()];
    const listedKeys = new Set(listed.map(keyOf));
    const added = known.filter((account) => !listedKeys.has(keyOf(account)));
    if (added.length === 0) return;
    // Another process may write the list at the same moment: who writes last looks again.
    await backupStorage.write(FILE, serialize([...listed, ...added]));
  }
  throw new Error("The list of erased accounts does not hold what is written to it.");
}

/** The accounts that were erased since any backup was made. Throws OperatorError when it was not written with BACKUP_KEYS. */
export async function readErasedAccounts(): Promise<ErasedAccount[]> {
  const file = await backupStorage.open(FILE);
  if (!file) return [];
  const bytes = Buffer.alloc(Math.min(file.size, MAX_BYTES));
  await file
    .createReader(
      0,
      bytes.length,
    )(bytes)
    .finally(() => file.close());
  const [signature = "", json = ""] = bytes.toString("utf8").split("\n");
  if (!verifyBackupSignature(`${FILE} ${json}`, signature))
    throw new OperatorError(
      `The file ${FILE} beside the backups was not written with BACKUP_KEYS, or was changed. Without it a restore brings erased families back; to restore all the same, move it away.`,
    );
  const rows = JSON.parse(json) as Record<keyof ErasedAccount, string | number>[];
  return rows.map(({ accountId, accountCreatedAt, erasedAt }) => ({
    accountId: Number(accountId),
    accountCreatedAt: new Date(accountCreatedAt),
    erasedAt: new Date(erasedAt),
  }));
}

async function* serialize(accounts: readonly ErasedAccount[]): AsyncGenerator<Buffer> {
  const json = JSON.stringify(accounts);
  yield Buffer.from(`${signWithBackupKey(`${FILE} ${json}`)}\n${json}\n`);
}

function keyOf({ accountId, accountCreatedAt }: ErasedAccount): string {
  return `${accountId} ${accountCreatedAt.getTime()}`;
}
