import { fullName, type Person } from "../accounts/person.ts";
import { recordAuditInTransaction, recordAuditRead } from "../audit/record-audit.server.ts";
import { deleteInvitations } from "../booking/invitations/delete-invitations.server.ts";
import { RollbackError, rollbackIf, tryTransaction } from "../booking/rollback.server.ts";
import { lockAppointmentRow } from "../checkout/refunds.server.ts";
import { db, type Transaction, truncateWriteAheadLog } from "../db/database-client.server.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { withDeliveryPaused } from "../mail/mail-delivery.server.ts";
import { emailMessageIdOf } from "../mail/message-key.server.ts";
import { deleteMailFiles, mailMode } from "../mail/mail-transport.server.ts";
import { markWriteAheadLogDirty } from "./erase-accounts.server.ts";
import { eraseCaseTexts, erasePaymentAndRefundDetails } from "./erase-account-rows.server.ts";
import { findPaymentsBlockingErasure } from "./overdue-erasures.server.ts";
import { findErasableRecords, HAS_ACCOUNT_MESSAGE, requestRecordsConditions } from "./request-records.server.ts";

const UNFINISHED_PAYMENT_MESSAGE = "A payment or refund of this visit is not settled yet. Please try again later.";

/** `isAddressShared`: what names only the address stays, because the address occurs elsewhere. */
export type RequestErasurePreview = {
  id: number;
  name: string;
  hasVisit: boolean;
  paymentCount: number;
  isAddressShared: boolean;
};

/** Returns what `eraseConsultationRequest` would delete, and records that the administrator read it. Refusals: those of `findErasableRecords`. */
export async function previewRequestErasure(
  person: Person,
  id: number | null,
): Promise<Outcome<RequestErasurePreview>> {
  const found = await findErasableRecords(person, id);
  if (!found.ok) return found;
  await recordAuditRead({ action: "request-opened", familyId: null, objectId: found.value.id });
  const { payments, isAddressShared } = await requestRecordsConditions(found.value);
  const paymentCount = await db.payment.count({ where: payments });
  const { appointment } = found.value;
  return accepted({
    id: found.value.id,
    name: fullName(found.value),
    hasVisit: appointment !== null,
    paymentCount,
    isAddressShared,
  });
}

/** `hasMore`: the address occurs elsewhere, or a request about privacy is open. */
type ErasedRequest = { name: string; hasMore: boolean };

/**
 * Deletes everything about a person without an account, for the administrator: the request, its visit with what was
 * written for it, invitations, mail, and the texts of closed requests about privacy. Payments stay with number, dates,
 * service and amount. Refusals: notFound, also for anyone else; conflict, if an account has the request or its visit,
 * while the visit is still to come or its cancellation is to be told, and while a payment or refund is not settled.
 */
export async function eraseConsultationRequest(person: Person, id: number | null): Promise<Outcome<ErasedRequest>> {
  const found = await findErasableRecords(person, id);
  if (!found.ok) return found;
  const { payments, messages } = await requestRecordsConditions(found.value);
  if ((await findPaymentsBlockingErasure(payments)).length > 0) return refused("conflict", UNFINISHED_PAYMENT_MESSAGE);
  const outcome = await withMailFilesUnchanged(async () => {
    const rows = await db.message.findMany({ where: messages, select: { key: true, name: true } });
    await deleteMailFiles(rows.map(emailMessageIdOf));
    return tryTransaction((transaction) => eraseRequestRows(transaction, person, found.value.id));
  });
  if (outcome.ok && !(await truncateWriteAheadLog().catch(() => false))) markWriteAheadLogDirty();
  return outcome;
}

/** Mail is written to files on local machines only. Elsewhere, deliveries would delay the response by minutes. */
function withMailFilesUnchanged<T>(work: () => Promise<T>): Promise<T> {
  return mailMode === "files" ? withDeliveryPaused(work) : work();
}

async function eraseRequestRows(transaction: Transaction, person: Person, id: number): Promise<ErasedRequest> {
  // Locked in the order in which a visit is scheduled from a request; payments come after their visit.
  await transaction.$executeRaw`UPDATE "consultation_requests" SET "status" = "status" WHERE "id" = ${id}`;
  const visit = await transaction.appointment.findUnique({
    where: { consultationRequestId: id },
    select: { id: true },
  });
  await lockAppointmentRow(transaction, visit?.id ?? null);
  const found = await findErasableRecords(person, id, transaction);
  if (!found.ok) throw new RollbackError(found);
  const conditions = await requestRecordsConditions(found.value, transaction);
  if ((await findPaymentsBlockingErasure(conditions.payments, transaction)).length > 0)
    rollbackIf(refused("conflict", UNFINISHED_PAYMENT_MESSAGE));
  await deleteInvitations(transaction, conditions.invitations);
  await erasePaymentAndRefundDetails(transaction, conditions.payments);
  await transaction.message.deleteMany({ where: conditions.messages });
  const { appointment } = found.value;
  const withoutAccount = { userId: null };
  const visits = appointment
    ? await transaction.appointment.deleteMany({ where: { id: appointment.id, ...withoutAccount } })
    : { count: 0 };
  const requests = await transaction.consultationRequest.deleteMany({ where: { id, ...withoutAccount } });
  // A family may have added the visit to its account meanwhile.
  if (visits.count !== (appointment ? 1 : 0) || requests.count !== 1)
    rollbackIf(refused("conflict", HAS_ACCOUNT_MESSAGE));
  // An open one still has to be answered.
  await eraseCaseTexts(transaction, { ...conditions.cases, closedAt: { not: null } });
  const openCases = await transaction.complianceCase.count({ where: { ...conditions.cases, closedAt: null } });
  recordAuditInTransaction(transaction, { action: "request-erased", familyId: null, objectId: id });
  return {
    name: fullName(found.value),
    hasMore: conditions.isAddressShared || openCases > 0,
  };
}
