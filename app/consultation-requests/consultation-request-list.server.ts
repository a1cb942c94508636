import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { assertAdministrator } from "../accounts/authorization.server.ts";
import { recordTextsListed } from "../audit/record-list-reads.server.ts";
import type { Person } from "../accounts/person.ts";
import { db } from "../db/database-client.server.ts";
import { env } from "../env.server.ts";
import {
  PAGE_SIZE,
  countPages,
  readFilter,
  readPageNumber,
  readSearchText,
  splitSearchTerms,
} from "../http/list-query.ts";
import { buildRequestSearchCondition } from "./request-search.server.ts";
import { addUndeliveredFlags } from "./consultation-request-notifications.server.ts";
import { belongsToAccount, type RequestRow, shortenRequestTexts, toRequestRow } from "./request-rows.ts";
import { ADMIN_REQUEST_SELECT } from "./consultation-requests.server.ts";
import { findRankedRequestIdsForPaging } from "./request-ranking.server.ts";
import { REQUEST_STATUS_FILTERS, URGENCY_FILTERS } from "./request-filter-options.ts";

/** Higher than any possible number of open requests. */
const MAX_RANKED_REQUESTS = 1_000_000;

/**
 * Returns a page of the requests that match `?q=` and the filters, for the administrator; throws for anyone else.
 * Without `?status=`, returns the open requests, ranked as on the dashboard; requests of other statuses are listed
 * latest first. A search covers requests of every status, open ones first, unless only scheduled ones are requested;
 * `openCount` is then the number of open requests found.
 */
export async function loadConsultationRequestsPage(person: Person, query: URLSearchParams) {
  assertAdministrator(person);
  const search = readSearchText(query);
  const requestedStatus = readFilter(query, "status", REQUEST_STATUS_FILTERS);
  const statusFilter = search !== "" && requestedStatus === "open" ? "any" : requestedStatus;
  const urgency = readFilter(query, "urgency", URGENCY_FILTERS);
  const where: Prisma.ConsultationRequestWhereInput = {
    ...(await buildRequestSearchCondition(splitSearchTerms(search))),
    ...(statusFilter === "any" ? {} : { status: statusFilter === "open" ? "pending" : "scheduled" }),
    ...(urgency === "any" ? {} : { urgency }),
  };
  const page = readPageNumber(query);
  const { rows, ...counts } =
    statusFilter === "open"
      ? await loadRankedRequestsPage(where, page)
      : await loadLatestRequestsPage(where, page, search === "" ? LATEST_FIRST : OPEN_FIRST);
  const isSearchInAll = search !== "" && statusFilter === "any";
  const openCount = isSearchInAll
    ? await db.consultationRequest.count({ where: { ...where, status: "pending" } })
    : null;
  const path = `/requests${query.size > 0 ? `?${query}` : ""}`;
  await recordTextsListed(rows.map(({ userId }) => userId));
  const requests = (await addUndeliveredFlags(shortenRequestTexts(rows))).map(toListedRequest);
  return { path, search, statusFilter, urgency, openCount, ...counts, requests };
}

const LISTED_REQUEST_SELECT = {
  ...ADMIN_REQUEST_SELECT,
  appointment: { select: { id: true, appointmentDate: true, userId: true } },
} as const;

const LATEST_FIRST = [{ createdAt: "desc" as const }, { id: "desc" as const }];
/** "pending" sorts before "scheduled". */
const OPEN_FIRST = [{ status: "asc" as const }, ...LATEST_FIRST];

async function loadLatestRequestsPage(
  where: Prisma.ConsultationRequestWhereInput,
  requestedPage: number,
  orderBy: Prisma.ConsultationRequestOrderByWithRelationInput[],
) {
  const counts = clampPage(await db.consultationRequest.count({ where }), requestedPage);
  const page = { skip: (counts.page - 1) * PAGE_SIZE, take: PAGE_SIZE };
  const rows = await db.consultationRequest.findMany({ where, orderBy, ...page, select: LISTED_REQUEST_SELECT });
  return { ...counts, rows };
}

async function loadRankedRequestsPage(where: Prisma.ConsultationRequestWhereInput, requestedPage: number) {
  const isFiltered = Object.keys(where).length > 1;
  const [matching, ranked] = await Promise.all([
    isFiltered
      ? db.consultationRequest.findMany({
          where,
          orderBy: { id: "asc" },
          take: MAX_RANKED_REQUESTS,
          select: { id: true },
        })
      : null,
    findRankedRequestIdsForPaging(MAX_RANKED_REQUESTS, PAGE_SIZE),
  ]);
  const found = matching && new Set(matching.map(({ id }) => id));
  const order = found ? ranked.filter((id) => found.has(id)) : ranked;
  const counts = clampPage(order.length, requestedPage);
  const ids = order.slice((counts.page - 1) * PAGE_SIZE, counts.page * PAGE_SIZE);
  const rows = await db.consultationRequest.findMany({
    where: { ...where, id: { in: ids } },
    select: LISTED_REQUEST_SELECT,
  });
  return { ...counts, rows: ids.flatMap((id) => rows.find((row) => row.id === id) ?? []) };
}

function clampPage(total: number, requestedPage: number) {
  const pageCount = countPages(total);
  return { total, pageCount, page: Math.min(requestedPage, pageCount) };
}

export type ListedRequest = RequestRow & {
  isOpen: boolean;
  hasAccount: boolean;
  appointment: { id: number; start: string } | null;
};

type RequestRecord = Parameters<typeof toRequestRow>[0] & {
  status: string;
  userId: number | null;
  appointment: { id: number; appointmentDate: Date; userId: number | null } | null;
};

function toListedRequest({ status, appointment, ...request }: RequestRecord): ListedRequest {
  return {
    ...toRequestRow(request, env.practice),
    isOpen: status === "pending",
    hasAccount: belongsToAccount({ userId: request.userId, appointment }),
    appointment: appointment && { id: appointment.id, start: appointment.appointmentDate.toISOString() },
  };
}
