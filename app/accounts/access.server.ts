import { sqltag as sql } from "@prisma/client/runtime/client";
import { inTransaction, type Transaction } from "../db/client.server.ts";
import { type Refusal, refused } from "../http/outcome.ts";
import type { Person } from "./person.ts";

type AccountState = {
  /** Its password's hash is still this one. */
  hash?: string;
  /** The consultant has not closed it. */
  isOpen?: true;
};

/** The refusal of whoever has no right to what was asked for. */
export function accessDenied(): Refusal {
  return refused("forbidden", "You don't have access to this.");
}

/** Null for an administrator; a refusal for everybody else. */
export function requireAdmin(person: Person): Refusal | null {
  return person.isAdmin ? null : accessDenied();
}

/**
 * First in every transaction that gives or ends access to an account, or books for it: of two, the second sees what the
 * first has done. False when there is no account in that state.
 */
export async function lockAccount(
  transaction: Transaction,
  userId: number,
  { hash, isOpen }: AccountState = {},
): Promise<boolean> {
  const hasHash = hash ? sql`"password" = ${hash}` : sql`1 = 1`;
  const isNotClosed = isOpen ? sql`"closedAt" IS NULL` : sql`1 = 1`;
  const count = await transaction.$executeRaw(
    sql`UPDATE "users" SET "email" = "email" WHERE "id" = ${userId} AND ${hasHash} AND ${isNotClosed}`,
  );
  return count === 1;
}

/** Ends every session of an account but the one named, with its sockets, and every link for a new password. */
export async function endAccess(transaction: Transaction, userId: number, exceptSid?: string): Promise<void> {
  await transaction.passwordReset.deleteMany({ where: { userId } });
  await transaction.session.deleteMany({ where: exceptSid ? { userId, NOT: { sid: exceptSid } } : { userId } });
}

type Replacing = {
  /** The hash that the account must still have. */
  expected?: string;
  /** The link that pays for it: used up here, or nothing changes. */
  resetTokenHash?: string;
  exceptSid?: string;
};

/**
 * Sets an account's password, whoever asked for it, and ends all other access with it, all or nothing. False when
 * somebody else was faster.
 */
export async function replacePassword(
  userId: number,
  hash: string,
  { expected, resetTokenHash, exceptSid }: Replacing = {},
): Promise<boolean> {
  return inTransaction(async (transaction) => {
    const state: AccountState = resetTokenHash ? { isOpen: true } : { hash: expected };
    if (!(await lockAccount(transaction, userId, state))) return false;
    if (resetTokenHash) {
      const used = await transaction.passwordReset.deleteMany({ where: { tokenHash: resetTokenHash, userId } });
      if (used.count === 0) return false;
    }
    await transaction.user.update({ where: { id: userId }, data: { password: hash }, select: { id: true } });
    await endAccess(transaction, userId, exceptSid);
    return true;
  });
}
