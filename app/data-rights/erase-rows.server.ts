import { deleteInvitations } from "../booking/invitations/delete-invitations.server.ts";
import { knownServiceTitle } from "../booking/prices/service-catalog.ts";
import { parseBookingFields } from "../checkout/find-payment.server.ts";
import { now } from "../clock.ts";
import { recordAuditInTransaction } from "../audit/record.server.ts";
import { readRowsInBatches } from "../db/batches.server.ts";
import type { Transaction } from "../db/client.server.ts";
import { erasedInvitationMailsCondition, erasedInvitationsCondition } from "./own-invitations.server.ts";
import { ownMessagesCondition } from "./own-messages.server.ts";
import { type OwnPaymentsCondition, ownPaymentsCondition } from "./own-payments.server.ts";
import { type ConfirmedEmail, ownAppointmentsCondition, ownRequestsCondition } from "./own-records.server.ts";

/** What erasing needs of an account. */
export type ErasableAccount = { id: number; email: string; confirmedEmails: readonly ConfirmedEmail[] };

/** In place of a title that somebody made up, which may hold a name. */
const OTHER_SERVICE = "Other service";
const ERASED_TEXT = "Removed with the account";

/**
 * Deletes every row of a family, and the account itself. Rows of money stay without whose they are: number, amount,
 * dates, method, service, and the provider's number. So do entries of the audit trail, which hold numbers only, and of a
 * request about privacy or accessibility or an incident its kind, days and outcome. Requests and mail that name an address of the family without an account are deleted where it has confirmed the address, now or
 * earlier: otherwise they could be somebody else's. Invitations go in any case: they are ours.
 */
export async function eraseRows(transaction: Transaction, account: ErasableAccount): Promise<void> {
  const { id: userId, confirmedEmails } = account;
  // First, because payments and messages without an account are found by their visits and requests.
  await eraseMoneyDetails(transaction, await ownPaymentsCondition(userId, confirmedEmails, transaction));
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
  await eraseCaseDetails(transaction, requests);
  // Deletes with it what belongs to nobody else: sessions, links, drafts, the second factor, choices about mail.
  await transaction.user.delete({ where: { id: userId }, select: { id: true } });
  recordAuditInTransaction(transaction, {
    action: "account-erased",
    actorId: null,
    familyId: userId,
    objectId: userId,
  });
}

/** The condition on messages that go with an account: its own, and our invitations to its address. */
export async function erasedMessagesCondition(account: ErasableAccount, reader?: Transaction) {
  const { OR: own } = await ownMessagesCondition(account.id, account.confirmedEmails, reader);
  return { OR: [...own, erasedInvitationMailsCondition(account)] };
}

/**
 * Nobody is left to answer, so open requests are closed. An open incident stays open: others may still have to be notified.
 */
async function eraseCaseDetails(
  transaction: Transaction,
  where: ReturnType<typeof ownRequestsCondition>,
): Promise<void> {
  await transaction.complianceCase.updateMany({
    where: { ...where, closedAt: null, kind: { not: "incident" } },
    data: { closedAt: now(), outcome: "account-erased" },
  });
  const contact = { userId: null, name: null, email: null, phone: null, network: null, wideNetwork: null };
  await transaction.complianceCase.updateMany({ where, data: { ...contact, text: ERASED_TEXT, resolution: null } });
}

async function eraseMoneyDetails(transaction: Transaction, payments: OwnPaymentsCondition): Promise<void> {
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
  const fields = parseBookingFields({ booking });
  const title = (fields && knownServiceTitle(fields.title)) ?? OTHER_SERVICE;
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
    },
    select: { id: true },
  });
}
