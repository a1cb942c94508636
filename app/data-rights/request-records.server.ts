import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import type { Person } from "../accounts/person.ts";
import { FINAL_STATUSES } from "../booking/appointment-status.ts";
import { pendingNotificationText } from "../booking/manual-notification/manual-notification.ts";
import { now } from "../clock.ts";
import { belongsToAccount } from "../consultation-requests/request-rows.ts";
import { consultationRequestNotFoundRefusal } from "../consultation-requests/consultation-requests.server.ts";
import { db, type Transaction } from "../db/database-client.server.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { visitorMessageCondition } from "../mail/message-key.server.ts";
import { visitorRequestMessageKeys } from "./consultant-messages.server.ts";
import { requestPaymentsCondition } from "./own-payments.server.ts";

export const HAS_ACCOUNT_MESSAGE =
  "This request belongs to a family with an account. Open that family's page to download or delete what we hold about it.";
const UPCOMING_VISIT_MESSAGE = "The visit of this request is still to come. Cancel the visit first.";
const UNTOLD_MESSAGE = "This person doesn't know yet that the visit is canceled. Tell the person first, and mark it.";

type Reader = Pick<
  Transaction,
  "appointment" | "consultationRequest" | "emailChange" | "invitation" | "payment" | "user"
>;

export type RequestRecords = NonNullable<Awaited<ReturnType<typeof findRequest>>>;

function findRequest(id: number, reader: Reader) {
  const appointment = {
    select: { id: true, userId: true, status: true, appointmentDate: true, toldAt: true },
  } as const;
  const select = { id: true, firstName: true, lastName: true, email: true, userId: true, appointment };
  return reader.consultationRequest.findUnique({ where: { id }, select });
}

/**
 * Finds the request of a person without an account, with its visit, for the administrator. Refusals: notFound, also for
 * anyone else; conflict, if the request or its visit belongs to an account.
 */
export async function findRecordsWithoutAccount(
  person: Person,
  id: number | null,
  reader: Reader = db,
): Promise<Outcome<RequestRecords>> {
  const request = person.isAdmin && id !== null ? await findRequest(id, reader) : null;
  if (!request) return consultationRequestNotFoundRefusal();
  return belongsToAccount(request) ? refused("conflict", HAS_ACCOUNT_MESSAGE) : accepted(request);
}

/**
 * Finds a request like `findRecordsWithoutAccount`. Refusal besides: conflict, while its visit is still to come, or
 * canceled and its person not told.
 */
export async function findErasableRecords(
  person: Person,
  id: number | null,
  reader: Reader = db,
): Promise<Outcome<RequestRecords>> {
  const found = await findRecordsWithoutAccount(person, id, reader);
  if (!found.ok) return found;
  const { appointment } = found.value;
  const isUpcoming = appointment && appointment.appointmentDate > now() && !FINAL_STATUSES.includes(appointment.status);
  if (isUpcoming) return refused("conflict", UPCOMING_VISIT_MESSAGE);
  const isUntold = appointment && pendingNotificationText(appointment, now()) !== null;
  return isUntold ? refused("conflict", UNTOLD_MESSAGE) : found;
}

/**
 * Returns the Prisma filters for what belongs to a request. What names only its address (messages, invitations, requests
 * about privacy) counts only if the address occurs nowhere else (`isAddressShared`): nobody proved it, so it may be
 * another person's.
 */
export async function requestRecordsConditions({ id, email, appointment }: RequestRecords, reader: Reader = db) {
  const isAddressShared = email !== "" && (await isAddressUsedElsewhere({ id, email, appointment }, reader));
  const isOwnAddress = email !== "" && !isAddressShared;
  const consultantKeys = await visitorRequestMessageKeys({ requests: [{ id }], cases: [] }, reader);
  const consultantMessages = { userId: { not: null }, key: { in: consultantKeys } };
  const visitMessages = appointment ? [{ userId: null, appointmentId: appointment.id }] : [];
  const visitInvitations = appointment ? [{ appointmentId: appointment.id }] : [];
  return {
    isAddressShared,
    cases: (isOwnAddress ? { userId: null, email } : { id: { in: [] } }) satisfies Prisma.ComplianceCaseWhereInput,
    messages: {
      OR: [consultantMessages, ...visitMessages, ...(isOwnAddress ? [visitorMessageCondition(email)] : [])],
    } satisfies Prisma.MessageWhereInput,
    invitations: {
      OR: [...visitInvitations, ...(isOwnAddress ? [{ email }] : [])],
    } satisfies Prisma.InvitationWhereInput,
    payments: await requestPaymentsCondition(id, reader),
  };
}

/** Whether another request without an account, an account, also formerly, or an invitation that is not to this visit has the address. */
async function isAddressUsedElsewhere(
  { id, email, appointment }: Pick<RequestRecords, "id" | "email" | "appointment">,
  reader: Reader,
): Promise<boolean> {
  const otherVisit = { OR: [{ appointmentId: null }, { appointmentId: { not: appointment?.id ?? 0 } }] };
  // In turn: a transaction has one connection.
  return (
    (await reader.consultationRequest.count({ where: { email, userId: null, id: { not: id } } })) > 0 ||
    (await reader.user.count({ where: { email } })) > 0 ||
    (await reader.emailChange.count({ where: { oldEmail: email } })) > 0 ||
    (await reader.invitation.count({ where: { email, ...otherVisit } })) > 0
  );
}
