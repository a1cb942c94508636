import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { assertAdministrator } from "../accounts/authorization.server.ts";
import type { Person } from "../accounts/person.ts";
import { recordListRead } from "../audit/record-list-reads.server.ts";
import { db } from "../db/database-client.server.ts";
import { countPages, PAGE_SIZE, readFilter, readPageNumber } from "../http/list-query.ts";
import { practiceToday } from "../booking/practice-today.server.ts";
import { type CaseKind, KIND_LABELS } from "./case-kinds.ts";
import { dueDateColor, daysUntilDue, formatTimeLeft } from "./case-due-dates.ts";

/** Prisma filter for open requests of visitors without an account. */
export const OPEN_VISITOR_CASES_CONDITION = { closedAt: null, userId: null, kind: { not: "incident" } };
/**
 * Prisma filter for open requests that families sent while signed in, and for open incidents. Anonymous clients can't
 * flood the list with these.
 */
const OPEN_NON_VISITOR_CONDITION = { closedAt: null, OR: [{ userId: { not: null } }, { kind: "incident" }] };
const CLOSED_CONDITION = { closedAt: { not: null } };
const ORDER_BY_DUE_DAY: Prisma.ComplianceCaseOrderByWithRelationInput[] = [{ dueDay: "asc" }, { id: "asc" }];
const ORDER_BY_LATEST_CLOSED: Prisma.ComplianceCaseOrderByWithRelationInput[] = [{ closedAt: "desc" }, { id: "desc" }];

export const CASE_LIST_SELECT = {
  id: true,
  kind: true,
  name: true,
  userId: true,
  receivedDay: true,
  dueDay: true,
  closedAt: true,
} as const;

type ListedRow = {
  id: number;
  kind: string;
  name: string | null;
  userId: number | null;
  receivedDay: string;
  dueDay: string;
  closedAt: Date | null;
};

/** A case in a list. Days are in the practice's time zone ("2026-12-07"). `timeLeft` is the remaining time in words. */
export type CaseRow = ReturnType<typeof toCaseRow>;

/**
 * Returns a page of the open cases, or with `?status=closed` of the closed ones, for the administrator; throws for
 * anyone else. Open cases of families and incidents precede those of visitors, each ordered by due day. Closed cases
 * are ordered latest first.
 */
export async function loadCaseListWithAudit(person: Person, query: URLSearchParams) {
  assertAdministrator(person);
  await recordListRead();
  const status = readFilter(query, "status", ["open", "closed"]);
  const isOpen = status === "open";
  const total = await db.complianceCase.count({ where: isOpen ? { closedAt: null } : CLOSED_CONDITION });
  const pageCount = countPages(total);
  const page = Math.min(readPageNumber(query), pageCount);
  const skip = (page - 1) * PAGE_SIZE;
  const rows = isOpen ? await findOpenCases(skip) : await findCases(CLOSED_CONDITION, skip, ORDER_BY_LATEST_CLOSED);
  return { status, total, page, pageCount, rows: rows.map(toCaseRow) };
}

/** Returns a page of the open cases: those of families and incidents, then those of visitors. */
async function findOpenCases(skip: number): Promise<ListedRow[]> {
  const nonVisitorCount = await db.complianceCase.count({ where: OPEN_NON_VISITOR_CONDITION });
  const nonVisitorCases = skip < nonVisitorCount ? await findCases(OPEN_NON_VISITOR_CONDITION, skip) : [];
  const left = PAGE_SIZE - nonVisitorCases.length;
  const visitors =
    left > 0
      ? await findCases(OPEN_VISITOR_CASES_CONDITION, Math.max(0, skip - nonVisitorCount), ORDER_BY_DUE_DAY, left)
      : [];
  return [...nonVisitorCases, ...visitors];
}

/**
 * Returns the open cases with the earliest due days, at most `take` rows, and the total count, for the administrator;
 * throws for anyone else. At least one row is reserved for visitors. The others are for families and incidents as far
 * as there are any.
 */
export async function findMostUrgentCases(person: Person, take: number): Promise<{ count: number; rows: CaseRow[] }> {
  assertAdministrator(person);
  const [own, visitors] = await Promise.all([
    findCases(OPEN_NON_VISITOR_CONDITION, 0, ORDER_BY_DUE_DAY, take),
    findCases(OPEN_VISITOR_CASES_CONDITION, 0, ORDER_BY_DUE_DAY, take),
  ]);
  const ofVisitors = visitors.slice(0, Math.max(take - own.length, 1));
  const rows = [...own.slice(0, take - ofVisitors.length), ...ofVisitors];
  const isComplete = own.length + visitors.length === rows.length && rows.length < take;
  const count = isComplete ? rows.length : await db.complianceCase.count({ where: { closedAt: null } });
  return { count, rows: rows.map(toCaseRow) };
}

function findCases(
  where: Prisma.ComplianceCaseWhereInput,
  skip: number,
  orderBy = ORDER_BY_DUE_DAY,
  take = PAGE_SIZE,
): Promise<ListedRow[]> {
  return db.complianceCase.findMany({ where, orderBy, skip, take, select: CASE_LIST_SELECT });
}

export function toCaseRow({ kind, closedAt, ...row }: ListedRow) {
  const caseKind = kind as CaseKind;
  const left = daysUntilDue(row.dueDay, practiceToday());
  return {
    ...row,
    kind: caseKind,
    label: KIND_LABELS[caseKind],
    timeLeft: formatTimeLeft(left),
    color: dueDateColor(left),
    closedAt: closedAt?.toISOString() ?? null,
  };
}
