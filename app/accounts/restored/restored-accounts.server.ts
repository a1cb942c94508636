import { readRowsInBatches } from "../../db/batches.server.ts";
import { db, type Transaction } from "../../db/database-client.server.ts";
import { type ReplacedDatabase, toDate } from "../../db/replaced-database.ts";
import {
  compareSignInMethods,
  createEmptySignInMethods,
  readReplacedSignInMethods,
  SIGN_IN_METHOD_SELECT,
  type SignInMethods,
} from "./restored-sign-in-methods.server.ts";

/** An account in the database that a restore replaced: what last gave access to it, and its state. */
export type ReplacedAccount = {
  /** Milliseconds since 1970 (UTC). Another account can have the same id, but not the same time. */
  createdAt: number;
  email: string;
  /** The password hash. */
  password: string;
  isAdmin: boolean;
  closedAt: Date | null;
  eraseAfter: Date | null;
  signInMethods: SignInMethods;
};

/** Number of times that each change was applied again. */
export type AccountRevocations = Record<
  | "passwords"
  | "passkeys"
  | "addedPasskeys"
  | "secondFactors"
  | "addedSecondFactors"
  | "recoveryCodes"
  | "erasureRequests"
  | "keptAccounts"
  | "closures"
  | "reopenings"
  | "demotions",
  number
>;

/** Returns the accounts of the replaced database by id. */
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
        signInMethods: createEmptySignInMethods(),
      },
    ]),
  );
  await readReplacedSignInMethods(database, (userId) => accounts.get(userId)?.signInMethods);
  return accounts;
}

const RESTORED_ACCOUNT_SELECT = {
  id: true,
  createdAt: true,
  email: true,
  password: true,
  isAdmin: true,
  closedAt: true,
  eraseAfter: true,
  ...SIGN_IN_METHOD_SELECT,
} as const;

type RestoredAccount = Awaited<ReturnType<typeof readRestoredAccountBatch>>[number];

function readRestoredAccountBatch(after: number, take: number) {
  return db.user.findMany({
    where: { id: { gt: after } },
    orderBy: { id: "asc" },
    take,
    select: RESTORED_ACCOUNT_SELECT,
  });
}

/** Yields all accounts of a restored database with what gives access to them. */
export function iterateRestoredAccounts(): AsyncGenerator<RestoredAccount> {
  return readRowsInBatches(readRestoredAccountBatch);
}

/**
 * Compares a restored account with the one that it replaced, and returns the differences and how to apply them: its
 * password and other sign-in methods, whether it was closed or scheduled for deletion, and the end of an
 * administrator's rights.
 */
export function planAccountRevocations(account: RestoredAccount, replaced: ReplacedAccount) {
  const userId = account.id;
  const { password, closedAt, eraseAfter } = replaced;
  const isDemoted = account.isAdmin && !replaced.isAdmin;
  const [isClosureChanged, isErasureRequestChanged] = [
    account.closedAt?.getTime() !== closedAt?.getTime(),
    account.eraseAfter?.getTime() !== eraseAfter?.getTime(),
  ];
  const signIn = compareSignInMethods(account, replaced.signInMethods);
  const counts: AccountRevocations = {
    passwords: Number(account.password !== password),
    ...signIn.counts,
    erasureRequests: Number(isErasureRequestChanged && eraseAfter !== null),
    // A family that decided to keep its account must not be deleted because of its earlier request.
    keptAccounts: Number(isErasureRequestChanged && eraseAfter === null),
    closures: Number(isClosureChanged && closedAt !== null),
    reopenings: Number(isClosureChanged && closedAt === null),
    demotions: Number(isDemoted),
  };
  const apply = async (transaction: Transaction) => {
    const roleChange = isDemoted ? { isAdmin: false, isClient: true } : {};
    const data = { password, closedAt, eraseAfter, ...roleChange };
    await transaction.user.update({ where: { id: userId }, data, select: { id: true } });
    await signIn.apply(transaction);
  };
  return { counts, apply };
}
