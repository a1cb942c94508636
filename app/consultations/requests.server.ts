import { HOUR_SECONDS } from "../duration.ts";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { networkLimit } from "../http/rate-limit.server.ts";
import { accepted, type Outcome, refused, type Refusal } from "../http/outcome.ts";
import { networksOfVisitor } from "./network.server.ts";
import type { RequestFields } from "./schemas.ts";

const requestLimit = networkLimit("consultation-request", 5, HOUR_SECONDS);

export const REQUEST_COLUMNS = {
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

export type ConsultationRequest = NonNullable<Awaited<ReturnType<typeof findPendingRequest>>>;

/** The pending requests for the administrator, oldest first; scheduled requests are not among them. */
export async function listRequests(person: Person): Promise<ConsultationRequest[]> {
  if (!person.isAdmin) return [];
  return db.consultationRequest.findMany({
    where: { status: "pending" },
    select: REQUEST_COLUMNS,
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
}

export async function findPendingRequest(person: Person, id: number | null) {
  if (!person.isAdmin || id === null) return null;
  return db.consultationRequest.findFirst({ where: { id, status: "pending" }, select: REQUEST_COLUMNS });
}

/**
 * Stores a consultation request of anyone, linked to the family if one is signed in. At most 5 an hour from one
 * network.
 */
export async function createRequest(
  person: Person | null,
  fields: RequestFields,
  ip: string,
): Promise<Outcome<ConsultationRequest>> {
  const tooMany = await requestLimit.consume(ip);
  if (tooMany) return tooMany;
  const { phone, message, ...rest } = fields;
  const userId = person && !person.isAdmin ? person.id : null;
  const networks = await networksOfVisitor(person, ip);
  const data = { ...rest, ...networks, phone: phone ?? null, message: message ?? null, userId, createdAt: now() };
  return accepted(await db.consultationRequest.create({ data, select: REQUEST_COLUMNS }));
}

/** Deletes a pending request. Refusal: notFound, also for a scheduled one. */
export async function deleteRequest(person: Person, id: string | undefined): Promise<Outcome<null>> {
  const requestId = parseId(id);
  if (!person.isAdmin || requestId === null) return requestNotFound();
  const { count } = await db.consultationRequest.deleteMany({ where: { id: requestId, status: "pending" } });
  return count === 1 ? accepted(null) : requestNotFound();
}

export function requestNotFound(): Refusal {
  return refused("notFound", "There is no such consultation request.");
}
