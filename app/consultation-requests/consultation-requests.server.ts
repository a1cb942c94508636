import { assertAdministrator } from "../accounts/authorization.server.ts";
import { recordAuditInTransaction, recordAuditRead } from "../audit/record-audit.server.ts";
import { HOUR_SECONDS } from "../time-units.ts";
import {
  resolveRateLimitSubject,
  hashRateLimitSubject,
  checkOpenRequestLimit,
  type SubmissionSource,
  createFormRateLimiter,
} from "../accounts/form-rate-limits.server.ts";
import { familyIdOf, type Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db, inTransaction } from "../db/database-client.server.ts";
import { parseId } from "../http/field-schemas.ts";
import type { NetworkHashes } from "../http/network-hash.server.ts";
import { accepted, type Outcome, refused, type Refusal } from "../http/outcome.ts";
import { SerialQueue } from "../serial-queue.ts";
import "./assign-requests-on-email-confirmation.server.ts";
import { notifyRequestReceived } from "./consultation-request-notifications.server.ts";
import type { ConsultationRequestValues } from "./consultation-request-schemas.ts";

const NETWORK_PURPOSE = "network of a consultation request";
const creationQueue = new SerialQueue();
const formLimiter = createFormRateLimiter("consultation-request", 5, HOUR_SECONDS);

export const CONSULTATION_REQUEST_SELECT = {
  id: true,
  firstName: true,
  lastName: true,
  email: true,
  phone: true,
  serviceNeeds: true,
  urgency: true,
  message: true,
  consent: true,
  status: true,
  userId: true,
  createdAt: true,
} as const;

/** Adds the columns that only the consultant sees. */
export const ADMIN_REQUEST_SELECT = { ...CONSULTATION_REQUEST_SELECT, isEntered: true } as const;

export type ConsultationRequest = Omit<
  NonNullable<Awaited<ReturnType<typeof findPendingConsultationRequest>>>,
  "isEntered"
>;

export async function findPendingConsultationRequest(person: Person, id: number | null) {
  if (!person.isAdmin || id === null) return null;
  return db.consultationRequest.findFirst({ where: { id, status: "pending" }, select: ADMIN_REQUEST_SELECT });
}

/** Does the same as `findPendingConsultationRequest`, and records that the person opened the request. */
export async function findPendingConsultationRequestWithAudit(person: Person, id: number | null) {
  const request = await findPendingConsultationRequest(person, id);
  if (request) await recordConsultationRequestRead(request);
  return request;
}

/** Does the same as `findConsultationRequest`, and records that the person opened the request. */
export async function findConsultationRequestWithAudit(person: Person, id: number | null) {
  const request = await findConsultationRequest(person, id);
  if (request) await recordConsultationRequestRead(request);
  return request;
}

function recordConsultationRequestRead({ id, userId }: { id: number; userId: number | null }): Promise<void> {
  return recordAuditRead({ action: "request-opened", familyId: userId, objectId: id });
}

/** Returns a request by its id, whatever its status. For the administrator; null for anyone else. */
export async function findConsultationRequest(person: Person, id: number | null) {
  if (!person.isAdmin || id === null) return null;
  return db.consultationRequest.findUnique({ where: { id }, select: ADMIN_REQUEST_SELECT });
}

/** Returns how many requests are waiting for an answer. For the administrator; throws for anyone else. */
export function countPendingConsultationRequests(person: Person): Promise<number> {
  assertAdministrator(person);
  return db.consultationRequest.count({ where: { status: "pending" } });
}

/**
 * Stores a consultation request of any person, linked to the family if one is signed in. Refusal: tooMany, after 5
 * requests in an hour from one known family or network, or while 10 of its requests (30 for an IPv6 /48) are open.
 */
export async function createConsultationRequest(
  fields: ConsultationRequestValues,
  source: SubmissionSource,
): Promise<Outcome<ConsultationRequest>> {
  const { person } = source;
  const sender = await resolveRateLimitSubject(source, fields.email);
  const rateLimitOutcome = await formLimiter.consume(sender);
  if (!rateLimitOutcome.ok) return rateLimitOutcome;
  const { phone, message, ...rest } = fields;
  const userId = person && familyIdOf(person);
  const networks = hashRateLimitSubject(NETWORK_PURPOSE, sender);
  const data = { ...rest, ...networks, phone: phone ?? null, message: message ?? null, userId, createdAt: now() };
  const countOpen = (condition: Partial<NetworkHashes>) =>
    db.consultationRequest.count({ where: { ...condition, status: "pending" } });
  return creationQueue.run(
    async () =>
      (rateLimitOutcome.value.isExemptFromNetworkLimit ? null : await checkOpenRequestLimit(networks, countOpen)) ??
      inTransaction(async (transaction) => {
        const request = await transaction.consultationRequest.create({ data, select: CONSULTATION_REQUEST_SELECT });
        await notifyRequestReceived(transaction, request);
        recordAuditInTransaction(transaction, { action: "request-sent", familyId: userId, objectId: request.id });
        return accepted(request);
      }),
  );
}

/**
 * Deletes a pending request, for the administrator. Refusal: notFound, also for a scheduled request and for anyone
 * else.
 */
export async function deleteConsultationRequest(person: Person, id: string | undefined): Promise<Outcome<null>> {
  const requestId = parseId(id);
  if (!person.isAdmin || requestId === null) return consultationRequestNotFoundRefusal();
  return inTransaction(async (transaction) => {
    const where = { id: requestId, status: "pending" };
    const found = await transaction.consultationRequest.findFirst({ where, select: { userId: true } });
    const { count } = await transaction.consultationRequest.deleteMany({ where });
    if (!found || count === 0) return consultationRequestNotFoundRefusal();
    recordAuditInTransaction(transaction, { action: "request-deleted", familyId: found.userId, objectId: requestId });
    return accepted(null);
  });
}

export function consultationRequestNotFoundRefusal(): Refusal {
  return refused("notFound", "There is no such consultation request.");
}
