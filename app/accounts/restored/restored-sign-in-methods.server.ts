import type { Transaction } from "../../db/database-client.server.ts";
import { type ReplacedDatabase, toDate } from "../../db/replaced-database.ts";
import { tryDecryptText } from "../../db/text-encryption.server.ts";
import { deleteRecoveryCodesWithoutFactor } from "../second-factor/recovery-codes.server.ts";

type Passkey = {
  name: string;
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: string;
  createdAt: Date;
  lastUsedAt: Date | null;
};
type SecondFactor = { secret: string; confirmedAt: Date | null; lastStep: number; createdAt: Date };

/** The sign-in methods of an account besides its password, in the database that a restore replaces. */
export type SignInMethods = { passkeys: Passkey[]; secondFactor: SecondFactor | null; recoveryCodeHashes: Set<string> };

export const SIGN_IN_METHOD_SELECT = {
  passkeys: { select: { id: true, credentialId: true } },
  secondFactor: { select: { createdAt: true, confirmedAt: true } },
  recoveryCodes: { select: { codeHash: true } },
} as const;

type RestoredSignInMethods = {
  id: number;
  passkeys: { id: number; credentialId: string }[];
  secondFactor: { createdAt: Date; confirmedAt: Date | null } | null;
  recoveryCodes: { codeHash: string }[];
};

export function createEmptySignInMethods(): SignInMethods {
  return { passkeys: [], secondFactor: null, recoveryCodeHashes: new Set() };
}

/** Reads the sign-in methods of the replaced database into the objects that `of` returns for each account. */
export async function readReplacedSignInMethods(
  { readRows, instants }: ReplacedDatabase,
  findSignInMethods: (userId: number) => SignInMethods | undefined,
): Promise<void> {
  const passkeyTimes = instants("createdAt", "lastUsedAt");
  const passkeys = await readRows(
    `SELECT "userId", name, "credentialId", "publicKey", counter, transports, ${passkeyTimes} FROM passkeys ORDER BY id`,
  );
  for (const { userId, name, credentialId, publicKey, counter, transports, createdAt, lastUsedAt } of passkeys)
    findSignInMethods(Number(userId))?.passkeys.push({
      name: tryDecryptText(String(name), "passkeys.name") ?? "Passkey",
      credentialId: String(credentialId),
      publicKey: String(publicKey),
      counter: Number(counter),
      transports: String(transports),
      createdAt: toDate(createdAt),
      lastUsedAt: lastUsedAt === null ? null : toDate(lastUsedAt),
    });
  const factorTimes = instants("confirmedAt", "createdAt");
  for (const row of await readRows(`SELECT "userId", secret, "lastStep", ${factorTimes} FROM second_factors`)) {
    const methods = findSignInMethods(Number(row.userId));
    const secret = tryDecryptText(String(row.secret), "second_factors.secret");
    // A secret that can't be decrypted was also unusable in the replaced database.
    if (!methods || secret === null) continue;
    const confirmedAt = row.confirmedAt === null ? null : toDate(row.confirmedAt);
    methods.secondFactor = { secret, confirmedAt, lastStep: Number(row.lastStep), createdAt: toDate(row.createdAt) };
  }
  for (const { userId, codeHash } of await readRows('SELECT "userId", "codeHash" FROM recovery_codes'))
    findSignInMethods(Number(userId))?.recoveryCodeHashes.add(String(codeHash));
}

/**
 * Compares a restored account's sign-in methods with the replaced ones, and returns the differences and how to apply
 * the replaced ones.
 */
export function compareSignInMethods(account: RestoredSignInMethods, replaced: SignInMethods) {
  const userId = account.id;
  const replacedIds = new Set(replaced.passkeys.map(({ credentialId }) => credentialId));
  const restoredIds = new Set(account.passkeys.map(({ credentialId }) => credentialId));
  const endedPasskeyIds = account.passkeys
    .filter(({ credentialId }) => !replacedIds.has(credentialId))
    .map(({ id }) => id);
  const addedPasskeys = replaced.passkeys.filter(({ credentialId }) => !restoredIds.has(credentialId));
  const factor = replaced.secondFactor;
  const isSameFactor =
    account.secondFactor?.createdAt.getTime() === factor?.createdAt.getTime() &&
    account.secondFactor?.confirmedAt?.getTime() === factor?.confirmedAt?.getTime();
  const restoredHashes = new Set(account.recoveryCodes.map(({ codeHash }) => codeHash));
  const endedHashes = [...restoredHashes].filter((codeHash) => !replaced.recoveryCodeHashes.has(codeHash));
  const addedHashes = [...replaced.recoveryCodeHashes].filter((codeHash) => !restoredHashes.has(codeHash));
  const counts = {
    passkeys: endedPasskeyIds.length,
    addedPasskeys: addedPasskeys.length,
    secondFactors: Number(account.secondFactor !== null && !isSameFactor),
    addedSecondFactors: Number(factor !== null && factor.confirmedAt !== null && !isSameFactor),
    recoveryCodes: endedHashes.length,
  };
  const apply = async (transaction: Transaction) => {
    await transaction.passkey.deleteMany({ where: { id: { in: endedPasskeyIds } } });
    await transaction.passkey.createMany({ data: addedPasskeys.map((passkey) => ({ ...passkey, userId })) });
    if (!isSameFactor) {
      await transaction.secondFactor.deleteMany({ where: { userId } });
      if (factor) await transaction.secondFactor.create({ data: { ...factor, userId }, select: { userId: true } });
    }
    await transaction.recoveryCode.deleteMany({ where: { userId, codeHash: { in: endedHashes } } });
    await transaction.recoveryCode.createMany({ data: addedHashes.map((codeHash) => ({ userId, codeHash })) });
    await deleteRecoveryCodesWithoutFactor(transaction, userId);
  };
  return { counts, apply };
}
