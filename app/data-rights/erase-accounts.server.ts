import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { revokeSessionsAndLinks } from "../accounts/revoke-account-access.server.ts";
import { closeConnectionsOfEndedSessions } from "../accounts/close-session-connections.server.ts";
import { type Person, PERSON_SELECT } from "../accounts/person.ts";
import { findLatestAuditEntryOfFamily } from "../audit/latest-audit-entries.server.ts";
import type { ErasedAccount } from "../backup/erased-accounts.server.ts";
import { FINAL_STATUSES } from "../booking/appointment-status.ts";
import {
  cancelOwnUpcomingAppointments,
  cancelUpcomingForEndedAccount,
  type CancellationSummary,
} from "../checkout/cancellation/cancel-upcoming-appointments.server.ts";
import { closePaymentsOfErasedFamily } from "../checkout/close-payments-of-erased-family.server.ts";
import { now } from "../clock.ts";
import { db, inTransaction, truncateWriteAheadLog, vacuumDatabase } from "../db/database-client.server.ts";
import { HOUR_MS, MINUTE_MS } from "../time-units.ts";
import { fileStore } from "../files/configured-file-store.server.ts";
import { logError } from "../http/errors.server.ts";
import { log } from "../http/log.server.ts";
import { emailMessageIdOf, triggeredMessagesCondition } from "../mail/message-key.server.ts";
import { withDeliveryPaused } from "../mail/mail-delivery.server.ts";
import { deleteMailFiles } from "../mail/mail-transport.server.ts";
import type { PeriodicJob } from "../periodic-job.ts";
import { recordErasureIfDue, type DueCondition, isErasureRecorded, recordErasure } from "./record-erasure.server.ts";
import { type ErasableAccount, eraseAccountRows, erasedMessagesCondition } from "./erase-account-rows.server.ts";
import { buildOwnPaymentsCondition } from "./own-payments.server.ts";
import { findConfirmedEmailHistory } from "./family-data-conditions.server.ts";
import { findPaymentsBlockingErasure } from "./overdue-erasures.server.ts";

type DueAccount = Awaited<ReturnType<typeof findAccountsToErase>>[number];

const MAX_WAIT_FOR_MAIL_MS = HOUR_MS;

/** Maximum number of accounts read at once. */
const BATCH_SIZE = 20;
/** Maximum number of accounts of one run that can't be erased yet. */
const MAX_WAITING_ACCOUNTS = 200;

export const erasureJob: PeriodicJob = {
  name: "erasing accounts",
  intervalMs: MINUTE_MS,
  run: async (signal) => {
    await cancelVisitsOfAccountsPendingErasure();
    await eraseDueAccounts({ signal });
  },
};

// The write-ahead log may be uncleaned if the previous process ended after its last erasure.
let isLogDirty = true;

/** Has the next run of the job clean the write-ahead log, in which deleted rows can still be read. */
export function markWriteAheadLogDirty(): void {
  isLogDirty = true;
}

/**
 * Erases the accounts whose grace period has ended. Each step can be repeated, so that the next run finishes what a
 * killed process left. An account waits for the next run if a payment or refund is in progress, its cancellations are
 * not mailed yet, or its files or the list of erased accounts can't be reached. The last two are logged; a warning names
 * each account that waits for long (`overdueErasureWarnings`).
 */
export async function eraseDueAccounts({ signal }: { signal?: AbortSignal } = {}): Promise<void> {
  await eraseMatchingAccounts({ eraseAfter: { lte: now() } }, signal);
}

/** Erases families whose account was closed before an instant, like `eraseDueAccounts`. Returns the number erased. */
export async function eraseClosedAccounts(closedBefore: Date, signal: AbortSignal): Promise<number> {
  return eraseMatchingAccounts({ closedAt: { lt: closedBefore } }, signal);
}

async function eraseMatchingAccounts(condition: DueCondition, signal?: AbortSignal): Promise<number> {
  let count = 0;
  /** Accounts that have to wait, which must not keep later ones waiting. */
  const waitingIds: number[] = [];
  let batch: DueAccount[];
  do {
    batch = await findAccountsToErase({ AND: condition, id: { notIn: waitingIds } });
    for (const account of batch) {
      if (signal?.aborted) return count;
      if (await eraseIfStillDue(account, condition)) count += 1;
      else waitingIds.push(account.id);
    }
  } while (batch.length === BATCH_SIZE && waitingIds.length < MAX_WAITING_ACCOUNTS);
  if (isLogDirty) isLogDirty = !(await truncateWriteAheadLog());
  return count;
}

/** The account may have been kept or reopened while earlier accounts were being erased. Errors are logged. */
async function eraseIfStillDue(account: DueAccount, condition: DueCondition): Promise<boolean> {
  try {
    if ((await db.user.count({ where: { AND: condition, id: account.id } })) === 0) return false;
    return await eraseAccount(account, condition);
  } catch (error) {
    logError(error, `alert: account ${account.id} is not erased yet`);
    return false;
  }
}

/**
 * Cancels upcoming visits of families whose account is to be erased: their payment was in progress at the request, or
 * the process ended right after it had stored the request.
 */
export async function cancelVisitsOfAccountsPendingErasure(): Promise<void> {
  const upcomingCondition = { appointmentDate: { gt: now() }, status: { notIn: FINAL_STATUSES } };
  const families = await db.user.findMany({
    where: { eraseAfter: { gt: now() }, isAdmin: false, appointments: { some: upcomingCondition } },
    take: BATCH_SIZE,
    select: PERSON_SELECT,
  });
  for (const family of families)
    await cancelVisitsForErasure(family).catch((error: unknown) =>
      logError(error, `alert: the visits of account ${family.id} are not canceled yet`),
    );
}

/**
 * Cancels a family's visits with the refund rules of the requester: a full refund if the consultant scheduled the
 * erasure.
 */
async function cancelVisitsForErasure(family: Person): Promise<CancellationSummary> {
  const erasureRequest = await findLatestAuditEntryOfFamily("account-erasure-requested", family.id);
  const where = { id: erasureRequest?.actorId ?? family.id, isAdmin: true };
  const admin = await db.user.findFirst({ where, select: PERSON_SELECT });
  if (admin) return cancelUpcomingForEndedAccount(admin, family.id, "deleted");
  return cancelOwnUpcomingAppointments(family, erasureRequest?.at ?? now());
}

/**
 * After a restore, marks the accounts that were erased after the backup for erasure, and settles everything that an
 * erasure would settle first, because money and visits were settled at the first erasure. This process and a later job
 * can then erase these accounts in the ordinary way, without cancellations or refunds at the provider. Can be repeated.
 * Keeps an account that the backup of `backupAt` (UTC) contains although it was erased before that: it was erased in
 * another copy of the database. Returns the ids of the accounts that the backup contained, of their payments that were
 * in progress, and of the kept accounts.
 */
export async function markErasedAccountsAfterRestore(erased: readonly ErasedAccount[], backupAt: Date) {
  const accountIds: number[] = [];
  const closedPaymentIds: number[] = [];
  const erasedInOtherCopyIds: number[] = [];
  for (const account of erased) {
    const { accountId: id, accountCreatedAt: createdAt } = account;
    // A new account can have the id of an erased one, but not its creation time.
    const where = { id, createdAt, isAdmin: false };
    const isRestored = (await db.user.count({ where })) > 0;
    if (isRestored && account.erasedAt < backupAt && !(await isErasureRecorded(account))) {
      erasedInOtherCopyIds.push(id);
      continue;
    }
    await recordErasure(account);
    if (!isRestored) continue;
    const confirmedEmails = await findConfirmedEmailHistory(id);
    await inTransaction(async (transaction) => {
      await transaction.user.updateMany({ where, data: { eraseAfter: now() } });
      const own = await buildOwnPaymentsCondition(id, confirmedEmails, transaction);
      closedPaymentIds.push(...(await closePaymentsOfErasedFamily(transaction, own)));
      await transaction.hold.deleteMany({ where: { userId: id } });
      // Nobody is notified, because that was done when the visit was canceled before the first erasure.
      await transaction.appointment.updateMany({
        where: { userId: id, appointmentDate: { gt: now() }, status: { notIn: FINAL_STATUSES } },
        data: { status: "cancelled", network: null, wideNetwork: null },
      });
    });
    accountIds.push(id);
  }
  return { accountIds, closedPaymentIds, erasedInOtherCopyIds };
}

/**
 * Erases accounts that `markErasedAccountsAfterRestore` has marked. Returns the ids of those that are not erased yet; the reason is
 * logged.
 */
export async function eraseRestoredAccounts(accountIds: readonly number[]): Promise<number[]> {
  const unerasedIds: number[] = [];
  for (let offset = 0; offset < accountIds.length; offset += BATCH_SIZE) {
    const where = { id: { in: accountIds.slice(offset, offset + BATCH_SIZE) } };
    await eraseMatchingAccounts(where);
    unerasedIds.push(...(await findAccountsToErase(where)).map(({ id }) => id));
  }
  // An older backup may contain duplicates of rows, which deleting the rows does not overwrite
  // (app/backup/sqlite-backup.server.ts).
  if (accountIds.length > 0) await vacuumDatabase();
  return unerasedIds;
}

function findAccountsToErase(condition: Prisma.UserWhereInput) {
  return db.user.findMany({
    where: { AND: condition, isAdmin: false },
    orderBy: [{ eraseAfter: "asc" }, { closedAt: "asc" }],
    take: BATCH_SIZE,
    select: { ...PERSON_SELECT, createdAt: true },
  });
}

/** Erases an account. Returns false if it has to wait, or is no longer due. */
async function eraseAccount({ createdAt, ...person }: DueAccount, condition: DueCondition): Promise<boolean> {
  await revokeAllAccess(person);
  if ((await cancelVisitsForErasure(person)).uncanceledCount > 0) return false;
  const confirmedEmails = await findConfirmedEmailHistory(person.id);
  if ((await findPaymentsBlockingErasure(await buildOwnPaymentsCondition(person.id, confirmedEmails))).length > 0)
    return false;
  if (await isCancellationToBeMailed(person.id)) return false;
  if (!(await recordErasureIfDue(condition, person.id, createdAt))) return false;
  await deleteFamilyDocumentFiles(person.id);
  const account = { id: person.id, email: person.email, confirmedEmails };
  await withDeliveryPaused(async () => {
    await deleteFamilyMailFiles(account);
    await inTransaction((transaction) => eraseAccountRows(transaction, account));
  });
  isLogDirty = true;
  log.info({ account: person.id }, "account erased");
  return true;
}

async function revokeAllAccess({ id }: Person): Promise<void> {
  await inTransaction((transaction) => revokeSessionsAndLinks(transaction, id));
  await closeConnectionsOfEndedSessions(id);
}

/**
 * Returns whether a canceled visit is still to be mailed to the family or the consultant. Only these emails state the
 * refund, and that she need not go, so an immediate erasure waits for them, for an hour at most. What would be collected
 * for her for an hour is due at once.
 */
async function isCancellationToBeMailed(userId: number): Promise<boolean> {
  const toConsultant = { event: "visits-changed", OR: triggeredMessagesCondition(userId) };
  await db.message.updateMany({
    where: { ...toConsultant, state: "pending", attempts: 0, nextAttemptAt: { gt: now() } },
    data: { nextAttemptAt: now() },
  });
  const createdAt = { gt: new Date(now().getTime() - MAX_WAIT_FOR_MAIL_MS) };
  const OR = [{ userId, event: "visit-cancelled" }, toConsultant];
  return (await db.message.count({ where: { AND: { OR }, state: "pending", createdAt } })) > 0;
}

async function deleteFamilyDocumentFiles(userId: number): Promise<void> {
  const documents = await db.document.findMany({ where: { userId }, select: { filePath: true } });
  for (const { filePath } of documents) await fileStore.remove(filePath);
}

/** Deletes the mail files of a local process before the rows that name them. */
async function deleteFamilyMailFiles(account: ErasableAccount): Promise<void> {
  const where = await erasedMessagesCondition(account);
  const rows = await db.message.findMany({ where, select: { key: true, name: true } });
  await deleteMailFiles(rows.map(emailMessageIdOf));
}
