import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { assertAdministrator } from "../accounts/authorization.server.ts";
import { buildFamilySearch } from "../accounts/search/family-search.server.ts";
import { fullName, type Person } from "../accounts/person.ts";
import {
  summarizeVisitsByFamily,
  familyWithoutUpcomingVisitCondition,
  familyWithBalanceDueCondition,
} from "../booking/appointment-list/visits-by-family.server.ts";
import { dueFollowUpCondition } from "../booking/follow-ups/follow-ups.server.ts";
import { now } from "../clock.ts";
import { db } from "../db/database-client.server.ts";
import {
  PAGE_SIZE,
  countPages,
  readFilter,
  readPageNumber,
  readSearchText,
  splitSearchTerms,
} from "../http/list-query.ts";
import { UNREVIEWED_INTAKE_FORM } from "../intake/intake-form-review.server.ts";
import { formatCents } from "../ui/format-currency.ts";
import { INTAKE_FILTERS, VISIT_FILTERS } from "./family-filter-options.ts";

/**
 * Returns a page of the families that match `?q=`, sorted by name. For the administrator only; throws for anyone else.
 */
export async function listFamilies(person: Person, query: URLSearchParams) {
  assertAdministrator(person);
  const search = readSearchText(query);
  const intakeFilter = readFilter(query, "intake", INTAKE_FILTERS);
  const visitsFilter = readFilter(query, "visits", VISIT_FILTERS);
  const where = {
    isAdmin: false,
    AND: [
      (await buildFamilySearch(splitSearchTerms(search))).condition,
      ...INTAKE_CONDITIONS[intakeFilter],
      ...visitCondition(visitsFilter),
    ],
  };
  const total = await db.user.count({ where });
  const pageCount = countPages(total);
  const page = Math.min(readPageNumber(query), pageCount);
  const rows = await db.user.findMany({
    where,
    orderBy: [{ lastName: "asc" }, { firstName: "asc" }, { id: "asc" }],
    skip: (page - 1) * PAGE_SIZE,
    take: PAGE_SIZE,
    select: {
      id: true,
      firstName: true,
      lastName: true,
      closedAt: true,
      eraseAfter: true,
      intakeForm: { select: { childName: true } },
    },
  });
  const ids = rows.map(({ id }) => id);
  const visitsByFamily = await summarizeVisitsByFamily(person, ids);
  const families = rows.map((row) => ({
    id: row.id,
    name: fullName(row),
    isClosed: row.closedAt !== null,
    isErasurePending: row.eraseAfter !== null,
    childName: row.intakeForm?.childName ?? null,
    nextVisitAt: visitsByFamily.get(row.id)?.next ?? null,
    lastVisitAt: visitsByFamily.get(row.id)?.last ?? null,
    amountDueText: formatAmountDue(visitsByFamily.get(row.id)?.dueCents ?? 0),
  }));
  return { search, intake: intakeFilter, visits: visitsFilter, total, page, pageCount, families };
}

function visitCondition(filter: (typeof VISIT_FILTERS)[number]): Prisma.UserWhereInput[] {
  if (filter === "any") return [];
  if (filter === "follow-up-due") return [{ followUps: { some: dueFollowUpCondition() } }];
  return [filter === "owes" ? familyWithBalanceDueCondition(now()) : familyWithoutUpcomingVisitCondition(now())];
}

function formatAmountDue(cents: number): string | null {
  return cents > 0 ? `${formatCents(cents)} due` : null;
}

const INTAKE_CONDITIONS: Record<(typeof INTAKE_FILTERS)[number], Prisma.UserWhereInput[]> = {
  any: [],
  yes: [{ intakeForm: { isNot: null } }],
  no: [{ intakeForm: { is: null } }],
  new: [{ intakeForm: { is: UNREVIEWED_INTAKE_FORM } }],
};
