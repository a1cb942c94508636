import { knownServiceTitle } from "../booking/prices/service-catalog.ts";
import { parseBookingFields } from "../checkout/create-payment.server.ts";
import { recordAudit } from "../audit/record.server.ts";
import type { Transaction } from "../db/client.server.ts";
import { messagesToCondition } from "../mail/outbox.server.ts";

/** What erasing needs of an account. `confirmedAddress`: its email address, if the person has shown that it is theirs. */
export type ErasableAccount = { id: number; confirmedAddress: string | null };

/** In place of a title that somebody made up, which may hold a name. */
const OTHER_SERVICE = "Other service";
const ERASED_TEXT = "Removed with the account";

/**
 * Deletes every row of a family, and the account itself. Rows of money stay without whose they are: number, amount,
 * dates, method, service, and the provider's number. So do entries of the audit trail, which hold numbers only. Requests
 * and mail that name the family's address without an account are deleted where the address is confirmed: otherwise they
 * could be somebody else's.
 */
export async function eraseRows(transaction: Transaction, account: ErasableAccount): Promise<void> {
  const { id: userId, confirmedAddress } = account;
  await eraseMoneyDetails(transaction, userId);
  await transaction.hold.deleteMany({ where: { userId } });
  await transaction.document.deleteMany({ where: { userId } });
  const requests = requestsOf(account);
  await transaction.appointment.deleteMany({
    where: { OR: [{ userId }, { userId: null, consultationRequest: requests }] },
  });
  await transaction.consultationRequest.deleteMany({ where: requests });
  await transaction.intakeForm.deleteMany({ where: { userId } });
  await transaction.intakeFormVersion.deleteMany({ where: { userId } });
  await transaction.familyNote.deleteMany({ where: { userId } });
  if (confirmedAddress) await transaction.invitation.deleteMany({ where: { email: confirmedAddress } });
  await transaction.complianceCase.deleteMany({ where: requestsOf(account) });
  await transaction.message.deleteMany({ where: messagesToCondition(userId, confirmedAddress) });
  // Deletes with it what belongs to nobody else: sessions, links, drafts, the second factor, choices about mail.
  await transaction.user.delete({ where: { id: userId }, select: { id: true } });
  recordAudit(transaction, { action: "account-erased", actorId: null, familyId: userId, objectId: userId });
}

function requestsOf({ id: userId, confirmedAddress }: ErasableAccount) {
  return { OR: [{ userId }, ...(confirmedAddress ? [{ userId: null, email: confirmedAddress }] : [])] };
}

async function eraseMoneyDetails(transaction: Transaction, userId: number): Promise<void> {
  const payments = await transaction.payment.findMany({
    where: { userId },
    select: { id: true, booking: true, createdAt: true },
  });
  await transaction.refund.updateMany({ where: { payment: { userId } }, data: { reason: ERASED_TEXT } });
  for (const { id, booking, createdAt } of payments) {
    const fields = parseBookingFields({ booking });
    const title = (fields && knownServiceTitle(fields.title)) ?? OTHER_SERVICE;
    const { appointmentDate = createdAt, duration, type } = fields ?? {};
    await transaction.payment.update({
      where: { id },
      data: {
        userId: null,
        booking: JSON.stringify({ title, appointmentDate, duration, type }),
        note: null,
        idempotencyKey: null,
        requestHash: null,
        refusal: null,
      },
      select: { id: true },
    });
  }
}
