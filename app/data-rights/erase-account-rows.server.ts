import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { deleteInvitations } from "../booking/invitations/delete-invitations.server.ts";
import { knownServiceTitle } from "../booking/prices/service-catalog.ts";
import { parseStoredBooking } from "../checkout/find-payment.server.ts";
import { now } from "../clock.ts";
import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { readRowsInBatches } from "../db/batches.server.ts";
import type { Transaction } from "../db/database-client.server.ts";
import { consultantMessagesCondition } from "./consultant-messages.server.ts";
import { erasedInvitationMailsCondition, erasedInvitationsCondition } from "./own-invitations.server.ts";
import { buildOwnMessagesCondition } from "./own-messages.server.ts";
import { buildOwnPaymentsCondition } from "./own-payments.server.ts";
import {
  type ConfirmedEmail,
  ownAppointmentsCondition,
  ownRequestsCondition,
} from "./family-data-conditions.server.ts";

/** The data of an account that erasing needs. */
export type ErasableAccount = { id: number; email: string; confirmedEmails: readonly ConfirmedEmail[] };

/** Replaces a custom title, which may contain a name. */
const OTHER_SERVICE_TITLE = "Other service";
const ERASED_TEXT = "Removed with the account";

/**
 * Deletes every row of a family, and the account itself.
 * Payments and refunds stay without their owner: number, amount, dates, method, service, and the provider's number.
 * Entries of the audit trail stay, because they contain only numbers. A request about privacy or accessibility, or an
 * incident, stays with its kind, days and outcome.
 * Requests and mail without an account that name an email address of the family are deleted if the family has confirmed
 * that address, now or earlier; otherwise they could be another person's. Invitations are always deleted, because the
 * practice sent them.
 */
export async function eraseAccountRows(transaction: Transaction, account: ErasableAccount): Promise<void> {
  const { id: userId, confirmedEmails } = account;
  // Done first, because payments and messages without an account are found through their visits and requests.
  await erasePaymentAndRefundDetails(
    transaction,
    await buildOwnPaymentsCondition(userId, confirmedEmails, transaction),
  );
  await transaction.message.deleteMany({ where: await erasedMessagesCondition(account, transaction) });
  await transaction.hold.deleteMany({ where: { userId } });
  await transaction.document.deleteMany({ where: { userId } });
  const visits = ownAppointmentsCondition(userId, confirmedEmails);
  await deleteInvitations(transaction, erasedInvitationsCondition(account));
  await transaction.appointment.deleteMany({ where: visits });
  const requests = ownRequestsCondition(userId, confirmedEmails);
  await transaction.consultationRequest.deleteMany({ where: requests });
  await transaction.intakeForm.deleteMany({ where: { userId } });
  await transaction.intakeFormVersion.deleteMany({ where: { userId } });
  await transaction.familyNote.deleteMany({ where: { userId } });
  await anonymizeAndCloseComplianceCases(transaction, requests);
  // Also deletes what belongs only to the account: sessions, links, drafts, the second factor, email preferences.
  await transaction.user.delete({ where: { id: userId }, select: { id: true } });
  recordAuditInTransaction(transaction, {
    action: "account-erased",
    actorId: null,
    familyId: userId,
    objectId: userId,
  });
}

/**
 * Prisma filter for the messages that are erased with an account: its own, the practice's invitations to its address,
 * and those to the consultant about what it did.
 */
export async function erasedMessagesCondition(account: ErasableAccount, reader?: Transaction) {
  const { OR: own } = await buildOwnMessagesCondition(account.id, account.confirmedEmails, reader);
  const toConsultant = await consultantMessagesCondition(account.id, account.confirmedEmails, reader);
  return { OR: [...own, erasedInvitationMailsCondition(account), toConsultant] };
}

/**
 * Removes personal data from cases. Closes open requests, because nobody remains to be answered. An open incident stays
 * open, because other people may still have to be notified.
 */
async function anonymizeAndCloseComplianceCases(
  transaction: Transaction,
  where: ReturnType<typeof ownRequestsCondition>,
): Promise<void> {
  await transaction.complianceCase.updateMany({
    where: { ...where, closedAt: null, kind: { not: "incident" } },
    data: { closedAt: now(), outcome: "account-erased" },
  });
  await eraseCaseTexts(transaction, where);
}

/** Removes names, addresses and texts from cases. */
export async function eraseCaseTexts(transaction: Transaction, where: Prisma.ComplianceCaseWhereInput): Promise<void> {
  const contact = { userId: null, name: null, email: null, phone: null, network: null, wideNetwork: null };
  await transaction.complianceCase.updateMany({ where, data: { ...contact, text: ERASED_TEXT, resolution: null } });
}

/** Removes personal data from payments and their refunds. They stay, because the practice must keep its books. */
export async function erasePaymentAndRefundDetails(
  transaction: Transaction,
  payments: Prisma.PaymentWhereInput,
): Promise<void> {
  await transaction.refund.updateMany({ where: { payment: payments }, data: { reason: ERASED_TEXT } });
  const select = { id: true, booking: true, createdAt: true } as const;
  for await (const payment of readRowsInBatches((after, take) =>
    transaction.payment.findMany({ where: { ...payments, id: { gt: after } }, orderBy: { id: "asc" }, take, select }),
  ))
    await erasePaymentDetails(transaction, payment);
}

async function erasePaymentDetails(
  transaction: Transaction,
  { id, booking, createdAt }: { id: number; booking: string; createdAt: Date },
): Promise<void> {
  const fields = parseStoredBooking({ booking });
  const title = (fields && knownServiceTitle(fields.title)) ?? OTHER_SERVICE_TITLE;
  const { appointmentDate = createdAt, duration, type, isClosedByRestore } = fields ?? {};
  await transaction.payment.update({
    where: { id },
    data: {
      userId: null,
      booking: JSON.stringify({ title, appointmentDate, duration, type, isClosedByRestore }),
      note: null,
      idempotencyKey: null,
      requestHash: null,
      refusal: null,
      // The other columns of the checkout stay: a charge that arrives late is found, and given back, through its order.
      checkoutUrl: null,
    },
    select: { id: true },
  });
}
