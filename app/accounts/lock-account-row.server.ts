import { sqltag as sql } from "@prisma/client/runtime/client";
import type { Transaction } from "../db/database-client.server.ts";

export type AccountConditions = {
  /** The account must still have this password hash. */
  passwordHash?: string | undefined;
  /** No access to the account may have been revoked since it had this version. */
  accessVersion?: number | undefined;
  /** The account must not be closed. */
  isOpen?: true;
  /** No erasure of the account may be scheduled. */
  hasNoErasureRequest?: true;
  /** The account must not be the administrator's. */
  isFamily?: true;
  /** This session of the account must not have ended. */
  sid?: string | undefined;
};

/**
 * Locks an account's row. Must run first in every transaction that grants or ends access to the account, books for it
 * or adds to its records, so that concurrent ones run one after the other and none refers to an account that is being
 * erased. Returns false when there is no account in the given state.
 */
export async function lockAccountRow(
  transaction: Transaction,
  userId: number,
  { passwordHash, accessVersion, isOpen, hasNoErasureRequest, isFamily, sid }: AccountConditions = {},
): Promise<boolean> {
  const passwordCondition = passwordHash ? sql`"password" = ${passwordHash}` : sql`1 = 1`;
  const versionCondition = accessVersion === undefined ? sql`1 = 1` : sql`"accessVersion" = ${accessVersion}`;
  const openCondition = isOpen ? sql`"closedAt" IS NULL` : sql`1 = 1`;
  const erasureCondition = hasNoErasureRequest ? sql`"eraseAfter" IS NULL` : sql`1 = 1`;
  const familyCondition = isFamily ? sql`NOT "isAdmin"` : sql`1 = 1`;
  const count = await transaction.$executeRaw(
    sql`UPDATE "users" SET "email" = "email"
      WHERE "id" = ${userId} AND ${passwordCondition} AND ${versionCondition} AND ${openCondition} AND ${erasureCondition} AND ${familyCondition}`,
  );
  if (count !== 1 || sid === undefined) return count === 1;
  // A separate statement: one that waited for the row lock sees the other tables as they were before.
  return (await transaction.session.count({ where: { sid, userId } })) === 1;
}
