import { readRowsInBatches } from "../../db/batches.server.ts";
import { db, type Transaction } from "../../db/client.server.ts";
import { type ReplacedDatabase, toDate } from "../../db/replaced-database.ts";
import { deleteUnusedRecoveryCodes } from "../second-factor/recovery-codes.server.ts";

/** An account in the database that a restore replaced: what gave access to it at last, and its state. */
export type ReplacedAccount = {
  /** milliseconds since 1970 (UTC): another account can have the number, but not the time */
  createdAt: number;
  email: string;
  /** a hash */
  password: string;
  isAdmin: boolean;
  closedAt: Date | null;
  eraseAfter: Date | null;
  /** milliseconds since 1970 (UTC); null where there is no second factor */
  secondFactorCreatedAt: number | null;
  credentialIds: Set<string>;
  recoveryCodeHashes: Set<string>;
};

/** How often each thing was applied again. */
export type AccountRevocations = Record<
  | "passwords"
  | "passkeys"
  | "secondFactors"
  | "recoveryCodes"
  | "erasureRequests"
  | "keptAccounts"
  | "closures"
  | "reopenings"
  | "demotions",
  number
>;

/** The accounts of the database that is replaced, by their number. */
export async function readReplacedAccounts(database: ReplacedDatabase): Promise<Map<number, ReplacedAccount>> {
  const { readRows, instants } = database;
  const times = instants("createdAt", "closedAt", "eraseAfter");
  const rows = await readRows(`SELECT id, email, password, "isAdmin", ${times} FROM users`);
  const accounts = new Map(
    rows.map(({ id, createdAt, email, password, isAdmin, closedAt, eraseAfter }): [number, ReplacedAccount] => [
      Number(id),
      {
        createdAt: toDate(createdAt).getTime(),
        email: String(email),
        password: String(password),
        isAdmin: Boolean(isAdmin),
        closedAt: closedAt === null ? null : toDate(closedAt),
        eraseAfter: eraseAfter === null ? null : toDate(eraseAfter),
        secondFactorCreatedAt: null,
        credentialIds: new Set(),
        recoveryCodeHashes: new Set(),
      },
    ]),
  );
  for (const { userId, createdAt } of await readRows(`SELECT "userId", ${instants("createdAt")} FROM second_factors`)) {
    const account = accounts.get(Number(userId));
    if (account) account.secondFactorCreatedAt = toDate(createdAt).getTime();
  }
  for (const { userId, credentialId } of await readRows('SELECT "userId", "credentialId" FROM passkeys'))
    accounts.get(Number(userId))?.credentialIds.add(String(credentialId));
  for (const { userId, codeHash } of await readRows('SELECT "userId", "codeHash" FROM recovery_codes'))
    accounts.get(Number(userId))?.recoveryCodeHashes.add(String(codeHash));
  return accounts;
}

const COLUMNS = {
  id: true,
  createdAt: true,
  email: true,
  password: true,
  isAdmin: true,
  closedAt: true,
  eraseAfter: true,
  passkeys: { select: { id: true, credentialId: true } },
  secondFactor: { select: { createdAt: true } },
  recoveryCodes: { select: { codeHash: true } },
} as const;

type RestoredAccount = Awaited<ReturnType<typeof readAccounts>>[number];

function readAccounts(after: number, take: number) {
  return db.user.findMany({ where: { id: { gt: after } }, orderBy: { id: "asc" }, take, select: COLUMNS });
}

/** All accounts of a restored database with what gives access to them. */
export function restoredAccounts(): AsyncGenerator<RestoredAccount> {
  return readRowsInBatches(readAccounts);
}

/**
 * What of a restored account differs from the one that was replaced, and how to apply it: its password, that it was
 * closed or is to be deleted, and the end of rights and of what signs in. What was added after the backup stays lost.
 */
export function compareRestoredAccount(account: RestoredAccount, replaced: ReplacedAccount) {
  const userId = account.id;
  const { password, closedAt, eraseAfter } = replaced;
  const isDemoted = account.isAdmin && !replaced.isAdmin;
  const [isClosureChanged, isWishChanged] = [
    account.closedAt?.getTime() !== closedAt?.getTime(),
    account.eraseAfter?.getTime() !== eraseAfter?.getTime(),
  ];
  const passkeyIds = account.passkeys
    .filter(({ credentialId }) => !replaced.credentialIds.has(credentialId))
    .map(({ id }) => id);
  const endsSecondFactor =
    account.secondFactor !== null && account.secondFactor.createdAt.getTime() !== replaced.secondFactorCreatedAt;
  const codeHashes = account.recoveryCodes
    .map(({ codeHash }) => codeHash)
    .filter((codeHash) => !replaced.recoveryCodeHashes.has(codeHash));
  const counts: AccountRevocations = {
    passwords: Number(account.password !== password),
    passkeys: passkeyIds.length,
    secondFactors: Number(endsSecondFactor),
    recoveryCodes: codeHashes.length,
    erasureRequests: Number(isWishChanged && eraseAfter !== null),
    // A family that decided to stay must not be deleted for what it asked before.
    keptAccounts: Number(isWishChanged && eraseAfter === null),
    closures: Number(isClosureChanged && closedAt !== null),
    reopenings: Number(isClosureChanged && closedAt === null),
    demotions: Number(isDemoted),
  };
  const apply = async (transaction: Transaction) => {
    const rights = isDemoted ? { isAdmin: false, isClient: true } : {};
    const data = { password, closedAt, eraseAfter, ...rights };
    await transaction.user.update({ where: { id: userId }, data, select: { id: true } });
    await transaction.passkey.deleteMany({ where: { id: { in: passkeyIds } } });
    if (endsSecondFactor) await transaction.secondFactor.deleteMany({ where: { userId } });
    await transaction.recoveryCode.deleteMany({ where: { userId, codeHash: { in: codeHashes } } });
    await deleteUnusedRecoveryCodes(transaction, userId);
  };
  return { counts, apply };
}
