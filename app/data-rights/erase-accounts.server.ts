import { revokeSessionsAndLinks } from "../accounts/account-access.server.ts";
import { closeConnectionsOfEndedSessions } from "../accounts/ended-sessions.server.ts";
import { type Person, PERSON_COLUMNS } from "../accounts/person.ts";
import { findLatestEntryOfFamily } from "../audit/latest-entry.server.ts";
import { type ErasedAccount, publishErasedAccounts } from "../backup/erased-accounts.server.ts";
import { FINAL_STATUSES } from "../booking/appointment-status.ts";
import {
  cancelOwnAppointments,
  cancelUpcomingAppointments,
  type CancellationSummary,
} from "../checkout/cancellation/cancel-upcoming.server.ts";
import { closeRestoredPayments } from "../checkout/close-restored-payments.server.ts";
import { UNFINISHED_STATES } from "../checkout/payment-transitions.server.ts";
import { now } from "../clock.ts";
import { db, inTransaction, truncateWriteAheadLog, vacuumDatabase } from "../db/client.server.ts";
import { HOUR_MS, MINUTE_MS } from "../duration.ts";
import { fileStore } from "../files/configured-store.server.ts";
import { logError } from "../http/errors.server.ts";
import { log } from "../http/log.server.ts";
import { messageIdOf } from "../mail/message-key.server.ts";
import { withDeliveryPaused } from "../mail/delivery.server.ts";
import { deleteMailFiles } from "../mail/transport.server.ts";
import type { Job } from "../periodic-job.ts";
import { type ErasableAccount, eraseRows, erasedMessagesCondition } from "./erase-rows.server.ts";
import { ownPaymentsCondition } from "./own-payments.server.ts";
import { findConfirmedEmails, type ConfirmedEmail } from "./own-records.server.ts";

type DueCondition = { eraseAfter: { lte: Date } } | { closedAt: { lt: Date } } | { id: { in: number[] } };
type DueAccount = Awaited<ReturnType<typeof findAccounts>>[number];

const MAX_WAIT_FOR_MAIL_MS = HOUR_MS;

/** Accounts of one run: more wait for the next. */
const MAX_PER_RUN = 20;

export const erasureJob: Job = {
  name: "erasing accounts",
  intervalMs: MINUTE_MS,
  run: async (signal) => {
    await cancelVisitsOfLeavingFamilies();
    await eraseDueAccounts({ signal });
  },
};

// A process that died after its last erasure may have left the log as it was.
let isLogDirty = true;

/**
 * Erases the accounts whose time to change their mind is over. Each step can be repeated, so what a killed process left
 * is finished by the next run. An account with money in flight, whose cancellations are not mailed yet, or whose
 * files or list of erased accounts can't be reached, waits for the next run; what can't be reached is logged.
 */
export async function eraseDueAccounts({ signal }: { signal?: AbortSignal } = {}): Promise<void> {
  await eraseAll({ eraseAfter: { lte: now() } }, signal);
}

/** Erases, in the same way, at most 20 families whose account was closed before an instant. Returns how many. */
export async function eraseClosedAccounts(closedBefore: Date, signal: AbortSignal): Promise<number> {
  return eraseAll({ closedAt: { lt: closedBefore } }, signal);
}

async function eraseAll(condition: DueCondition, signal?: AbortSignal): Promise<number> {
  let count = 0;
  for (const account of await findAccounts(condition)) {
    if (signal?.aborted) return count;
    try {
      // Kept, or opened again, while the accounts before it were erased.
      if ((await db.user.count({ where: { AND: condition, id: account.id } })) === 0) continue;
      if (await eraseAccount(account)) count += 1;
    } catch (error) {
      logError(error, `alert: account ${account.id} is not erased yet`);
    }
  }
  if (isLogDirty) isLogDirty = !(await truncateWriteAheadLog());
  return count;
}

/**
 * Cancels visits that families who are leaving still have: their payment was in flight when they asked, or the process
 * died right after it had noted their wish.
 */
export async function cancelVisitsOfLeavingFamilies(): Promise<void> {
  const upcoming = { appointmentDate: { gt: now() }, status: { notIn: FINAL_STATUSES } };
  const families = await db.user.findMany({
    where: { eraseAfter: { gt: now() }, isAdmin: false, appointments: { some: upcoming } },
    take: MAX_PER_RUN,
    select: PERSON_COLUMNS,
  });
  for (const family of families) await cancelVisitsOf(family);
}

/** With the refund of whoever decided about the visits: in full where the consultant scheduled the erasure. */
async function cancelVisitsOf(family: Person): Promise<CancellationSummary> {
  const asked = await findLatestEntryOfFamily("account-erasure-requested", family.id);
  const where = { id: asked?.actorId ?? family.id, isAdmin: true };
  const admin = await db.user.findFirst({ where, select: PERSON_COLUMNS });
  return admin ? cancelUpcomingAppointments(admin, family.id, "deleted") : cancelOwnAppointments(family);
}

/**
 * Marks for erasure, once a backup is restored, who was erased after it was made, and settles all that an erasure would
 * settle first: money and visits were settled at the first one. So this process and a later job erase these accounts in
 * the ordinary way, without a cancellation or refund at the provider. Can be repeated. An account that the backup of `backupAt`
 * (UTC) has although it was erased before that was erased in another copy of the database, and stays. Returns the accounts
 * that the backup had, and their payments that were under way in it.
 */
export async function reapplyErasures(erased: readonly ErasedAccount[], backupAt: Date) {
  const accountIds: number[] = [];
  const closedPaymentIds: number[] = [];
  const erasedElsewhereIds: number[] = [];
  for (const account of erased) {
    const { accountId: id, accountCreatedAt: createdAt } = account;
    // A new account can have the number of an erased one, but not its time.
    const where = { id, createdAt, isAdmin: false };
    const isBack = (await db.user.count({ where })) > 0;
    if (isBack && account.erasedAt < backupAt && !(await isRememberedErasure(account))) {
      erasedElsewhereIds.push(id);
      continue;
    }
    await rememberErasure(account);
    if (!isBack) continue;
    const confirmedEmails = await findConfirmedEmails(id);
    await inTransaction(async (transaction) => {
      await transaction.user.updateMany({ where, data: { eraseAfter: now() } });
      const own = await ownPaymentsCondition(id, confirmedEmails, transaction);
      closedPaymentIds.push(...(await closeRestoredPayments(transaction, own)));
      await transaction.hold.deleteMany({ where: { userId: id } });
      // Nobody is told: it was, when the visit was canceled before the first erasure.
      await transaction.appointment.updateMany({
        where: { userId: id, appointmentDate: { gt: now() }, status: { notIn: FINAL_STATUSES } },
        data: { status: "cancelled", network: null, wideNetwork: null },
      });
    });
    accountIds.push(id);
  }
  return { accountIds, closedPaymentIds, erasedElsewhereIds };
}

/** Erases accounts that `reapplyErasures` has marked. Returns those that are not erased yet; the reason is logged. */
export async function eraseAccountsOfBackup(accountIds: readonly number[]): Promise<number[]> {
  const leftIds: number[] = [];
  for (let at = 0; at < accountIds.length; at += MAX_PER_RUN) {
    const where = { id: { in: accountIds.slice(at, at + MAX_PER_RUN) } };
    await eraseAll(where);
    leftIds.push(...(await findAccounts(where)).map(({ id }) => id));
  }
  // An older backup may have second copies of rows, which deleting them does not overwrite (app/backup/sqlite.server.ts).
  if (accountIds.length > 0) await vacuumDatabase();
  return leftIds;
}

function findAccounts(condition: DueCondition) {
  return db.user.findMany({
    where: { ...condition, isAdmin: false },
    orderBy: [{ eraseAfter: "asc" }, { closedAt: "asc" }],
    take: MAX_PER_RUN,
    select: { ...PERSON_COLUMNS, createdAt: true },
  });
}

/** False where it has to wait. */
async function eraseAccount({ createdAt, ...person }: DueAccount): Promise<boolean> {
  await endAllAccess(person);
  if ((await cancelVisitsOf(person)).left > 0) return false;
  const confirmedEmails = await findConfirmedEmails(person.id);
  if (await hasMoneyInFlight(person.id, confirmedEmails)) return false;
  if (await isCancellationToBeMailed(person.id)) return false;
  await listErasure(person.id, createdAt);
  await deleteFiles(person.id);
  const account = { id: person.id, email: person.email, confirmedEmails };
  await withDeliveryPaused(async () => {
    await deleteMails(account);
    await inTransaction((transaction) => eraseRows(transaction, account));
  });
  isLogDirty = true;
  log.info({ account: person.id }, "account erased");
  return true;
}

async function endAllAccess({ id }: Person): Promise<void> {
  await inTransaction((transaction) => revokeSessionsAndLinks(transaction, id));
  await closeConnectionsOfEndedSessions(id);
}

/** The provider and the reconciler still need the rows as they are. */
async function hasMoneyInFlight(userId: number, confirmedEmails: readonly ConfirmedEmail[]): Promise<boolean> {
  const own = await ownPaymentsCondition(userId, confirmedEmails);
  const [payments, refunds] = await Promise.all([
    db.payment.count({ where: { ...own, state: { in: UNFINISHED_STATES } } }),
    db.refund.count({ where: { state: "asked", payment: own } }),
  ]);
  return payments + refunds > 0;
}

/** What goes back for a visit is told by that mail alone, so an erasure at once waits for it, for an hour at most. */
async function isCancellationToBeMailed(userId: number): Promise<boolean> {
  const createdAt = { gt: new Date(now().getTime() - MAX_WAIT_FOR_MAIL_MS) };
  return (await db.message.count({ where: { userId, event: "visit-cancelled", state: "pending", createdAt } })) > 0;
}

/** Before anything is deleted: a backup that is restored at any later moment must not bring the family back. */
async function listErasure(accountId: number, accountCreatedAt: Date): Promise<void> {
  await rememberErasure({ accountId, accountCreatedAt, erasedAt: now() });
  await publishErasedAccounts();
}

/** Whether the restored database itself knows of the erasure: it was restored before, and not finished. */
async function isRememberedErasure({ accountId, accountCreatedAt }: ErasedAccount): Promise<boolean> {
  return (await db.erasedAccount.count({ where: { accountId, accountCreatedAt } })) > 0;
}

/** Keeps the time of the first erasure. */
async function rememberErasure({ accountId, accountCreatedAt, erasedAt }: ErasedAccount): Promise<void> {
  const key = { accountId_accountCreatedAt: { accountId, accountCreatedAt } };
  const create = { accountId, accountCreatedAt, erasedAt };
  // An update without a column would not be one statement: see enqueueMessage.
  await db.erasedAccount.upsert({ where: key, update: { accountId }, create, select: { id: true } });
}

async function deleteFiles(userId: number): Promise<void> {
  const documents = await db.document.findMany({ where: { userId }, select: { filePath: true } });
  for (const { filePath } of documents) await fileStore.remove(filePath);
}

/** Deletes the files of a local process's mails, before the rows go that name them. */
async function deleteMails(account: ErasableAccount): Promise<void> {
  const where = await erasedMessagesCondition(account);
  const rows = await db.message.findMany({ where, select: { key: true, name: true } });
  await deleteMailFiles(rows.map(messageIdOf));
}
