import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { assertAdministrator } from "../accounts/authorization.server.ts";
import type { Person } from "../accounts/person.ts";
import { db } from "../db/database-client.server.ts";
import { containsTextFilter, findIdsInNewestRows } from "../db/text-search.server.ts";
import { env } from "../env.server.ts";
import { type RequestRow, toRequestRow } from "./request-rows.ts";
import { CONSULTATION_REQUEST_SELECT } from "./consultation-requests.server.ts";

const PLAIN_COLUMNS = ["firstName", "lastName", "email", "phone"] as const;
const SEARCHED_SELECT = {
  id: true,
  firstName: true,
  lastName: true,
  email: true,
  phone: true,
  serviceNeeds: true,
  message: true,
} as const;

/**
 * Returns the Prisma filter for requests that contain all words; without words, for all requests. Names and addresses
 * are searched in the database, encrypted texts in rows that the server decrypts. The caller must check access.
 */
export async function buildRequestSearchCondition(
  words: readonly string[],
): Promise<Prisma.ConsultationRequestWhereInput> {
  if (words.length === 0) return {};
  const ids = await findIdsInNewestRows(words, async (before, take) => {
    const rows = await db.consultationRequest.findMany({
      where: { id: before },
      orderBy: { id: "desc" },
      take,
      select: SEARCHED_SELECT,
    });
    return rows.map(({ id, ...texts }) => ({ id, texts: Object.values(texts) }));
  });
  const plainColumnConditions = words.map((word) => ({
    OR: PLAIN_COLUMNS.map((field) => ({ [field]: containsTextFilter(word) })),
  }));
  return { OR: [{ AND: plainColumnConditions }, { id: { in: ids } }] };
}

export type FoundRequest = Pick<RequestRow, "id" | "name" | "email" | "phone" | "waiting"> & {
  isOpen: boolean;
  appointment: { id: number; start: string } | null;
};

const VISIT_SELECT = { select: { id: true, appointmentDate: true, userId: true } } as const;

/**
 * Returns the people without an account whose requests contain all words: open requests first, then the latest first;
 * at most `take` rows, and the total count. For the administrator; throws for anyone else.
 */
export async function findRequestsWithoutAccount(
  person: Person,
  words: readonly string[],
  take: number,
): Promise<{ rows: FoundRequest[]; count: number }> {
  assertAdministrator(person);
  const withoutAccountCondition = { userId: null, OR: [{ appointment: null }, { appointment: { userId: null } }] };
  const where = { AND: [withoutAccountCondition, await buildRequestSearchCondition(words)] };
  const orderBy = [{ status: "asc" as const }, { createdAt: "desc" as const }, { id: "desc" as const }];
  const select = { ...CONSULTATION_REQUEST_SELECT, appointment: VISIT_SELECT };
  const found = await db.consultationRequest.findMany({ where, orderBy, take, select });
  const rows = found.map(({ appointment, status, ...request }) => {
    const { id, name, email, phone, waiting } = toRequestRow(request, env.practice);
    const visit = appointment && { id: appointment.id, start: appointment.appointmentDate.toISOString() };
    return { id, name, email, phone, waiting, isOpen: status === "pending", appointment: visit };
  });
  return { rows, count: rows.length < take ? rows.length : await db.consultationRequest.count({ where }) };
}
