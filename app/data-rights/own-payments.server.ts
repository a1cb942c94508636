import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { parseStoredBooking } from "../checkout/find-payment.server.ts";
import { readRowsInBatches } from "../db/batches.server.ts";
import { db, type Transaction } from "../db/database-client.server.ts";
import {
  ownAppointmentsCondition,
  ownRequestsCondition,
  type ConfirmedEmail,
} from "./family-data-conditions.server.ts";

type Reader = Pick<Transaction, "consultationRequest" | "payment">;

/**
 * Returns a Prisma filter for a family's payments: of its account, or without an account for one of its visits, even if
 * that was deleted. Used for both its export and its erasure.
 */
export async function buildOwnPaymentsCondition(
  userId: number,
  confirmedEmails: readonly ConfirmedEmail[],
  reader: Reader = db,
) {
  const visitPaymentsCondition = { userId: null, appointment: ownAppointmentsCondition(userId, confirmedEmails) };
  const deletedVisitPaymentsCondition = {
    id: { in: await findDeletedVisitPaymentIdsOfRequests(ownRequestsCondition(userId, confirmedEmails), reader) },
  };
  return { OR: [{ userId }, visitPaymentsCondition, deletedVisitPaymentsCondition] };
}

/** Prisma filter for the payments without an account for the visit of a request, even if that was deleted. */
export async function requestPaymentsCondition(requestId: number, reader: Reader = db) {
  const visitPaymentsCondition = { userId: null, appointment: { consultationRequestId: requestId } };
  const paymentIds = await findDeletedVisitPaymentIdsOfRequests({ id: requestId }, reader);
  return { OR: [visitPaymentsCondition, { id: { in: paymentIds } }] };
}

/**
 * Returns the ids of payments without an account for deleted visits of these requests. Only the encrypted booking of
 * such a payment names the request, so all payments without a visit are read and checked.
 */
async function findDeletedVisitPaymentIdsOfRequests(
  requestsCondition: Prisma.ConsultationRequestWhereInput,
  reader: Reader,
): Promise<number[]> {
  const requests = await reader.consultationRequest.findMany({
    where: { ...requestsCondition, status: "scheduled", appointment: null },
    orderBy: { createdAt: "asc" },
    select: { id: true, createdAt: true },
  });
  const [oldest] = requests;
  if (!oldest) return [];
  const requestIds = new Set(requests.map(({ id }) => id));
  const where = { userId: null, appointmentId: null, createdAt: { gte: oldest.createdAt } };
  const select = { id: true, booking: true } as const;
  const ids: number[] = [];
  for await (const row of readRowsInBatches((after, take) =>
    reader.payment.findMany({ where: { ...where, id: { gt: after } }, orderBy: { id: "asc" }, take, select }),
  ))
    if (requestIds.has(parseStoredBooking(row)?.consultationRequestId ?? 0)) ids.push(row.id);
  return ids;
}
