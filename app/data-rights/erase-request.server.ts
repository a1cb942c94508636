import { fullName, type Person } from "../accounts/person.ts";
import { recordAuditInTransaction, recordRead } from "../audit/record.server.ts";
import { deleteInvitations } from "../booking/invitations/delete-invitations.server.ts";
import { RollbackError, rollbackIf, tryTransaction } from "../booking/rollback.server.ts";
import { db, type Transaction, truncateWriteAheadLog } from "../db/client.server.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { withDeliveryPaused } from "../mail/delivery.server.ts";
import { messageIdOf } from "../mail/message-key.server.ts";
import { deleteMailFiles } from "../mail/transport.server.ts";
import { erasePaymentAndRefundDetails } from "./erase-rows.server.ts";
import { findUnfinishedPayments } from "./overdue-erasures.server.ts";
import { findErasableRecords, HAS_ACCOUNT_MESSAGE, requestRecordsConditions } from "./request-records.server.ts";

const UNFINISHED_PAYMENT_MESSAGE = "A payment or refund of this visit is not settled yet. Please try again later.";

export type RequestErasurePreview = { id: number; name: string; hasVisit: boolean; paymentCount: number };

/** Returns what `eraseRequest` would delete, and records that the administrator read it. Refusals: those of `findErasableRecords`. */
export async function previewRequestErasure(
  person: Person,
  id: number | null,
): Promise<Outcome<RequestErasurePreview>> {
  const found = await findErasableRecords(person, id);
  if (!found.ok) return found;
  await recordRead({ action: "request-opened", familyId: null, objectId: found.value.id });
  const { payments } = await requestRecordsConditions(found.value);
  const paymentCount = await db.payment.count({ where: payments });
  const { appointment } = found.value;
  return accepted({ id: found.value.id, name: fullName(found.value), hasVisit: appointment !== null, paymentCount });
}

/**
 * Deletes everything about a person without an account, for the administrator: the request, its visit with what was
 * written for it, invitations and mail. Payments stay with number, dates, service and amount. Returns the person's name.
 * Refusals: notFound, also for anyone else; conflict, if an account has the request or its visit, while the visit is
 * still to come, and while a payment or refund is not settled.
 */
export async function eraseRequest(person: Person, id: number | null): Promise<Outcome<string>> {
  const found = await findErasableRecords(person, id);
  if (!found.ok) return found;
  const outcome = await withDeliveryPaused(async () => {
    const { messages } = await requestRecordsConditions(found.value);
    const rows = await db.message.findMany({ where: messages, select: { key: true, name: true } });
    await deleteMailFiles(rows.map(messageIdOf));
    return tryTransaction((transaction) => eraseRequestRows(transaction, person, found.value.id));
  });
  // Otherwise the deleted rows could still be read from the write-ahead log.
  if (outcome.ok) await truncateWriteAheadLog();
  return outcome;
}

async function eraseRequestRows(transaction: Transaction, person: Person, id: number): Promise<string> {
  const found = await findErasableRecords(person, id, transaction);
  if (!found.ok) throw new RollbackError(found);
  const { messages, invitations, payments } = await requestRecordsConditions(found.value, transaction);
  if ((await findUnfinishedPayments(payments, transaction)).length > 0)
    rollbackIf(refused("conflict", UNFINISHED_PAYMENT_MESSAGE));
  await erasePaymentAndRefundDetails(transaction, payments);
  await transaction.message.deleteMany({ where: messages });
  await deleteInvitations(transaction, invitations);
  const { appointment } = found.value;
  const withoutAccount = { userId: null };
  const visits = appointment
    ? await transaction.appointment.deleteMany({ where: { id: appointment.id, ...withoutAccount } })
    : { count: 0 };
  const requests = await transaction.consultationRequest.deleteMany({ where: { id, ...withoutAccount } });
  // A family may have added the visit to its account meanwhile.
  if (visits.count !== (appointment ? 1 : 0) || requests.count !== 1)
    rollbackIf(refused("conflict", HAS_ACCOUNT_MESSAGE));
  recordAuditInTransaction(transaction, { action: "request-erased", familyId: null, objectId: id });
  return fullName(found.value);
}
