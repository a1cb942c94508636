import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import type { Person } from "../accounts/person.ts";
import { db } from "../db.server.ts";
import { env } from "../env.server.ts";
import { PAGE_SIZE, countPages, readFilter, readPage, readSearch, searchTerms } from "../http/list-query.ts";
import { containsText, idsHolding } from "../http/matching.server.ts";
import { type RequestRow, requestRow } from "./request-rows.ts";
import { REQUEST } from "./requests.server.ts";
import { STANDINGS, URGENCY_FILTERS } from "./filters.ts";

/** Every request there is, the scheduled ones too, the latest first: one page of what `?q=` and the filters find. */
export async function requestArchive(person: Person, query: URLSearchParams) {
  if (!person.isAdmin) throw new Error("Only the administrator reads requests.");
  const question = readSearch(query);
  const standing = readFilter(query, "status", STANDINGS);
  const urgency = readFilter(query, "urgency", URGENCY_FILTERS);
  const where: Prisma.ConsultationRequestWhereInput = {
    ...(await holdsWords(searchTerms(question))),
    ...(standing === "any" ? {} : { status: standing === "open" ? "pending" : "scheduled" }),
    ...(urgency === "any" ? {} : { urgency }),
  };
  const found = await db.consultationRequest.count({ where });
  const pages = countPages(found);
  const page = Math.min(readPage(query), pages);
  const rows = await db.consultationRequest.findMany({
    where,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    skip: (page - 1) * PAGE_SIZE,
    take: PAGE_SIZE,
    select: { ...REQUEST, appointment: { select: { id: true, appointmentDate: true } } },
  });
  return { question, standing, urgency, found, page, pages, requests: rows.map(archived) };
}

export type ArchivedRequest = RequestRow & {
  isOpen: boolean;
  appointment: { id: number; start: string } | null;
};

type Row = Parameters<typeof requestRow>[0] & {
  status: string;
  appointment: { id: number; appointmentDate: Date } | null;
};

function archived({ status, appointment, ...request }: Row): ArchivedRequest {
  return {
    ...requestRow(request, env.practice),
    isOpen: status === "pending",
    appointment: appointment && { id: appointment.id, start: appointment.appointmentDate.toISOString() },
  };
}

const PLAIN = ["firstName", "lastName", "email", "phone"] as const;
const SEARCHED = {
  id: true,
  firstName: true,
  lastName: true,
  email: true,
  phone: true,
  serviceNeeds: true,
  message: true,
} as const;

/** Names and addresses are found among all requests, what was written in those that the server can look through. */
async function holdsWords(words: string[]): Promise<Prisma.ConsultationRequestWhereInput> {
  if (words.length === 0) return {};
  const ids = await idsHolding(words, async (before, take) => {
    const rows = await db.consultationRequest.findMany({
      where: { id: before },
      orderBy: { id: "desc" },
      take,
      select: SEARCHED,
    });
    return rows.map(({ id, ...texts }) => ({ id, texts: Object.values(texts) }));
  });
  const inPlain = words.map((word) => ({ OR: PLAIN.map((field) => ({ [field]: containsText(word) })) }));
  return { OR: [{ AND: inPlain }, { id: { in: ids } }] };
}
