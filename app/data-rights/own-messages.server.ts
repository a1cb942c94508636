import { listRequestReceivedMessageKeys } from "../consultation-requests/consultation-request-notifications.server.ts";
import { db, type Transaction } from "../db/database-client.server.ts";
import { messagesToAccountCondition } from "../mail/outbox.server.ts";
import {
  ownAppointmentsCondition,
  ownRequestsCondition,
  type ConfirmedEmail,
} from "./family-data-conditions.server.ts";

type Reader = Pick<Transaction, "appointment" | "auditEntry" | "consultationRequest">;

/**
 * Returns a Prisma filter for a family's messages: to its account or its confirmed addresses, and to other addresses
 * about one of its visits, even if that was deleted, or about a request that was sent while signed out and belongs to
 * the family now. Used for both its export and its erasure.
 */
export async function buildOwnMessagesCondition(
  userId: number,
  confirmedEmails: readonly ConfirmedEmail[],
  reader: Reader = db,
) {
  const select = { id: true } as const;
  const visits = await reader.appointment.findMany({
    where: ownAppointmentsCondition(userId, confirmedEmails),
    select,
  });
  const entries = await reader.auditEntry.findMany({
    where: { familyId: userId, action: { in: ["appointment-deleted", "request-sent"] } },
    select: { action: true, objectId: true },
  });
  const idsOf = (action: string) => entries.flatMap((each) => (each.action === action ? (each.objectId ?? []) : []));
  const requests = await reader.consultationRequest.findMany({
    where: { ...ownRequestsCondition(userId, confirmedEmails), id: { notIn: idsOf("request-sent") } },
    select: { id: true, email: true, userId: true, createdAt: true },
  });
  const visitIds = [...visits.map(({ id }) => id), ...idsOf("appointment-deleted")];
  const otherAddressConditions = [
    { appointmentId: { in: visitIds } },
    { key: { in: requests.flatMap(listRequestReceivedMessageKeys) } },
  ];
  const { OR: own } = messagesToAccountCondition(userId, confirmedEmails);
  return { OR: [...own, ...otherAddressConditions.map((each) => ({ ...each, userId: null }))] };
}
