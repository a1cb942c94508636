import { createHash, randomBytes } from "node:crypto";
import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { inTransaction, type Transaction } from "../../db/database-client.server.ts";
import type { Person } from "../person.ts";
import { toBase32 } from "./totp.server.ts";

const RECOVERY_CODE_COUNT = 10;
/** Random bytes of a recovery code. Twelve base32 characters (60 bits) of them are used. */
const RECOVERY_CODE_BYTES = 8;
const RECOVERY_CODE_LENGTH = 12;

/** Creates ten codes that replace all earlier ones. Only their hashes are stored. */
export async function replaceRecoveryCodes(transaction: Transaction, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, generateRecoveryCode);
  await transaction.recoveryCode.deleteMany({ where: { userId } });
  const data = codes.map((each) => ({ userId, codeHash: hashRecoveryCode(userId, each) }));
  await transaction.recoveryCode.createMany({ data });
  return codes;
}

/**
 * Creates codes for an administrator who has a passkey and no codes, because the password alone does not sign in
 * without the passkey.
 */
export async function createMissingAdminRecoveryCodes(
  transaction: Transaction,
  { id, isAdmin }: Person,
): Promise<string[]> {
  const hasCodes = (await transaction.recoveryCode.count({ where: { userId: id } })) > 0;
  return isAdmin && !hasCodes ? replaceRecoveryCodes(transaction, id) : [];
}

/**
 * Deletes the recovery codes of an account that has neither an authenticator app nor, for an administrator, a passkey.
 */
export async function deleteRecoveryCodesWithoutFactor(transaction: Transaction, userId: number): Promise<void> {
  const appCondition = { secondFactor: { confirmedAt: { not: null } } };
  const passkeyCondition = { isAdmin: true, passkeys: { some: {} } };
  const activeFactorCount = await transaction.user.count({
    where: { id: userId, OR: [appCondition, passkeyCondition] },
  });
  if (activeFactorCount === 0) await transaction.recoveryCode.deleteMany({ where: { userId } });
}

/** Consumes a recovery code. Returns true if it was valid; only one of several concurrent uses succeeds. */
export function consumeRecoveryCode(userId: number, normalizedCode: string): Promise<boolean> {
  return inTransaction(async (transaction) => {
    const where = { userId, codeHash: hashRecoveryCode(userId, normalizedCode) };
    const { count } = await transaction.recoveryCode.deleteMany({ where });
    if (count === 1)
      recordAuditInTransaction(transaction, {
        action: "recovery-code-used",
        actorId: userId,
        familyId: userId,
        objectId: userId,
      });
    return count === 1;
  });
}

/** Normalizes a typed code: spaces, dashes and letter case are ignored. */
export function normalizeRecoveryCode(code: string): string {
  return code.replace(/[\s-]/g, "").toLowerCase();
}

function generateRecoveryCode(): string {
  const letters = toBase32(randomBytes(RECOVERY_CODE_BYTES)).toLowerCase().slice(0, RECOVERY_CODE_LENGTH);
  return letters.replace(/(.{4})(?=.)/g, "$1-");
}

function hashRecoveryCode(userId: number, code: string): string {
  return createHash("sha256")
    .update(`recovery ${userId} ${normalizeRecoveryCode(code)}`)
    .digest("base64url");
}
