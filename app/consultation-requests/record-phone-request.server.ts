import { refusalUnlessAdmin } from "../accounts/authorization.server.ts";
import type { Person } from "../accounts/person.ts";
import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { now } from "../clock.ts";
import { inTransaction } from "../db/database-client.server.ts";
import { accepted, type Outcome } from "../http/outcome.ts";
import { notifyPhoneRequestReceived } from "./consultation-request-notifications.server.ts";
import type { PhoneRequestValues } from "./consultation-request-schemas.ts";

/**
 * Stores a request that the consultant received by phone. It is marked as entered by her, does not count toward the
 * limits of visitors, and has no account until it is scheduled. With `sendsConfirmation`, the caller is sent an email
 * message. Returns the request's id. Refusal: forbidden.
 */
export async function recordPhoneRequest(person: Person, fields: PhoneRequestValues): Promise<Outcome<number>> {
  const notAdminRefusal = refusalUnlessAdmin(person);
  if (notAdminRefusal) return notAdminRefusal;
  const { email = "", phone = null, sendsConfirmation, ...rest } = fields;
  const data = { ...rest, email, phone, isEntered: true, createdAt: now() };
  return inTransaction(async (transaction) => {
    const { id } = await transaction.consultationRequest.create({ data, select: { id: true } });
    if (sendsConfirmation) await notifyPhoneRequestReceived(transaction, { id, email });
    recordAuditInTransaction(transaction, { action: "request-entered", objectId: id });
    return accepted(id);
  });
}
