import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import type { Person } from "../accounts/person.ts";
import { db } from "../db/client.server.ts";
import { env } from "../env.server.ts";
import { PAGE_SIZE, countPages, readFilter, readPage, readSearch, searchTerms } from "../http/list-query.ts";
import { containsText, findIdsContaining } from "../db/search.server.ts";
import { type RequestRow, shortenTexts, toRequestRow } from "./request-rows.ts";
import { REQUEST_COLUMNS } from "./requests.server.ts";
import { REQUEST_STATUS_FILTERS, URGENCY_FILTERS } from "./filters.ts";

/** A page of all requests, scheduled ones included, latest first, that match `?q=` and the filters. */
export async function requestsPage(person: Person, query: URLSearchParams) {
  if (!person.isAdmin) throw new Error("Only the administrator reads requests.");
  const search = readSearch(query);
  const statusFilter = readFilter(query, "status", REQUEST_STATUS_FILTERS);
  const urgency = readFilter(query, "urgency", URGENCY_FILTERS);
  const where: Prisma.ConsultationRequestWhereInput = {
    ...(await searchCondition(searchTerms(search))),
    ...(statusFilter === "any" ? {} : { status: statusFilter === "open" ? "pending" : "scheduled" }),
    ...(urgency === "any" ? {} : { urgency }),
  };
  const total = await db.consultationRequest.count({ where });
  const pageCount = countPages(total);
  const page = Math.min(readPage(query), pageCount);
  const rows = await db.consultationRequest.findMany({
    where,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    skip: (page - 1) * PAGE_SIZE,
    take: PAGE_SIZE,
    select: { ...REQUEST_COLUMNS, appointment: { select: { id: true, appointmentDate: true } } },
  });
  const path = `/requests${query.size > 0 ? `?${query}` : ""}`;
  const requests = shortenTexts(rows).map(toListedRequest);
  return { path, search, statusFilter, urgency, total, page, pageCount, requests };
}

export type ListedRequest = RequestRow & {
  isOpen: boolean;
  appointment: { id: number; start: string } | null;
};

type RequestRecord = Parameters<typeof toRequestRow>[0] & {
  status: string;
  appointment: { id: number; appointmentDate: Date } | null;
};

function toListedRequest({ status, appointment, ...request }: RequestRecord): ListedRequest {
  return {
    ...toRequestRow(request, env.practice),
    isOpen: status === "pending",
    appointment: appointment && { id: appointment.id, start: appointment.appointmentDate.toISOString() },
  };
}

const PLAIN_COLUMNS = ["firstName", "lastName", "email", "phone"] as const;
const SEARCHED_COLUMNS = {
  id: true,
  firstName: true,
  lastName: true,
  email: true,
  phone: true,
  serviceNeeds: true,
  message: true,
} as const;

/** Names and addresses are searched in the database; encrypted texts in the rows that the server decrypts. */
async function searchCondition(words: string[]): Promise<Prisma.ConsultationRequestWhereInput> {
  if (words.length === 0) return {};
  const ids = await findIdsContaining(words, async (before, take) => {
    const rows = await db.consultationRequest.findMany({
      where: { id: before },
      orderBy: { id: "desc" },
      take,
      select: SEARCHED_COLUMNS,
    });
    return rows.map(({ id, ...texts }) => ({ id, texts: Object.values(texts) }));
  });
  const inPlain = words.map((word) => ({ OR: PLAIN_COLUMNS.map((field) => ({ [field]: containsText(word) })) }));
  return { OR: [{ AND: inPlain }, { id: { in: ids } }] };
}
