import { sqltag as sql } from "@prisma/client/runtime/client";
import { inTransaction } from "../db.server.ts";

type Transaction = Parameters<Parameters<typeof inTransaction>[0]>[0];

/**
 * First in every transaction that gives or ends access to an account: of two, the second sees what the first has done.
 * False when there is no such account, or its password's hash is not `hash` any more.
 */
export async function lockAccount(transaction: Transaction, userId: number, hash?: string): Promise<boolean> {
  const question = hash
    ? sql`UPDATE "users" SET "email" = "email" WHERE "id" = ${userId} AND "password" = ${hash}`
    : sql`UPDATE "users" SET "email" = "email" WHERE "id" = ${userId}`;
  return (await transaction.$executeRaw(question)) === 1;
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
    if (!(await lockAccount(transaction, userId, expected))) return false;
    if (resetTokenHash) {
      const used = await transaction.passwordReset.deleteMany({ where: { tokenHash: resetTokenHash, userId } });
      if (used.count === 0) return false;
    }
    await transaction.user.update({ where: { id: userId }, data: { password: hash }, select: { id: true } });
    await endAccess(transaction, userId, exceptSid);
    return true;
  });
}
