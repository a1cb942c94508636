import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { searchFamilies } from "../accounts/search/family-search.server.ts";
import { fullName, type Person } from "../accounts/person.ts";
import { db } from "../db/client.server.ts";
import { PAGE_SIZE, countPages, readFilter, readPage, readSearch, searchTerms } from "../http/list-query.ts";
import { INTAKE_FILTERS } from "./filters.ts";

/** A page of all families by name that match `?q=`; for the administrator only. */
export async function listFamilies(person: Person, query: URLSearchParams) {
  if (!person.isAdmin) throw new Error("Only the administrator sees the families.");
  const search = readSearch(query);
  const intake = readFilter(query, "intake", INTAKE_FILTERS);
  const where = {
    isAdmin: false,
    AND: [(await searchFamilies(searchTerms(search))).condition, ...INTAKE_CONDITIONS[intake]],
  };
  const total = await db.user.count({ where });
  const pageCount = countPages(total);
  const page = Math.min(readPage(query), pageCount);
  const rows = await db.user.findMany({
    where,
    orderBy: [{ lastName: "asc" }, { firstName: "asc" }, { id: "asc" }],
    skip: (page - 1) * PAGE_SIZE,
    take: PAGE_SIZE,
    select: {
      id: true,
      firstName: true,
      lastName: true,
      email: true,
      phone: true,
      closedAt: true,
      eraseAfter: true,
      intakeForm: { select: { childName: true } },
      _count: { select: { appointments: true, documents: true } },
    },
  });
  const families = rows.map((row) => ({
    id: row.id,
    name: fullName(row),
    email: row.email,
    phone: row.phone,
    isClosed: row.closedAt !== null,
    isErasurePending: row.eraseAfter !== null,
    childName: row.intakeForm?.childName ?? null,
    appointments: row._count.appointments,
    documents: row._count.documents,
  }));
  return { search, intake, total, page, pageCount, families };
}

const INTAKE_CONDITIONS: Record<(typeof INTAKE_FILTERS)[number], Prisma.UserWhereInput[]> = {
  any: [],
  yes: [{ intakeForm: { isNot: null } }],
  no: [{ intakeForm: { is: null } }],
};
