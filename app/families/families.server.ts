import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { fullName, type Person } from "../accounts/person.ts";
import { db } from "../db/client.server.ts";
import { PAGE_SIZE, countPages, readFilter, readPage, readSearch, searchTerms } from "../http/list-query.ts";
import { containsText, findIdsContaining } from "../db/search.server.ts";
import { INTAKE_FILTERS } from "./filters.ts";

/** A page of all families by name that match `?q=`; for the administrator only. */
export async function listFamilies(person: Person, query: URLSearchParams) {
  if (!person.isAdmin) throw new Error("Only the administrator sees the families.");
  const search = readSearch(query);
  const intake = readFilter(query, "intake", INTAKE_FILTERS);
  const where = { isAdmin: false, AND: [await searchCondition(searchTerms(search)), ...INTAKE_CONDITIONS[intake]] };
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

const ACCOUNT = { firstName: true, lastName: true, email: true, phone: true } as const;
const OF_FORM = { select: { childName: true, fullName: true, phoneNumber: true } } as const;

/** Accounts are searched in the database; encrypted forms, other spellings and numbers in the rows that the server reads. */
async function searchCondition(words: string[]): Promise<Prisma.UserWhereInput> {
  if (words.length === 0) return {};
  const ids = await findIdsContaining(words, async (before, take) => {
    const where = { id: before, isAdmin: false };
    const select = { id: true, ...ACCOUNT, intakeForm: OF_FORM };
    const rows = await db.user.findMany({ where, orderBy: { id: "desc" }, take, select });
    return rows.map(({ id, intakeForm, ...account }) => ({
      id,
      texts: [...Object.values(account), ...Object.values(intakeForm ?? {})],
    }));
  });
  return { OR: [{ AND: words.map(matchesTerm) }, { id: { in: ids } }] };
}

function matchesTerm(term: string): Prisma.UserWhereInput {
  const contains = containsText(term);
  return { OR: [{ firstName: contains }, { lastName: contains }, { email: contains }, { phone: contains }] };
}
