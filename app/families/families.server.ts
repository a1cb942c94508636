import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { fullName, type Person } from "../accounts/person.ts";
import { db } from "../db.server.ts";
import { PAGE_SIZE, countPages, readFilter, readPage, readSearch, searchTerms } from "../http/list-query.ts";
import { containsText, idsHolding } from "../http/matching.server.ts";
import { INTAKES } from "./filters.ts";

/** One page of all families by name, found by the words of `?q=`; for the administrator alone. */
export async function listFamilies(person: Person, query: URLSearchParams) {
  if (!person.isAdmin) throw new Error("Only the administrator sees the families.");
  const question = readSearch(query);
  const intake = readFilter(query, "intake", INTAKES);
  const where = { isAdmin: false, AND: [await holdsWords(searchTerms(question)), ...INTAKE_CONDITIONS[intake]] };
  const found = await db.user.count({ where });
  const pages = countPages(found);
  const page = Math.min(readPage(query), pages);
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
    child: row.intakeForm?.childName ?? null,
    appointments: row._count.appointments,
    documents: row._count.documents,
  }));
  return { question, intake, found, page, pages, families };
}

const INTAKE_CONDITIONS: Record<(typeof INTAKES)[number], Prisma.UserWhereInput[]> = {
  any: [],
  yes: [{ intakeForm: { isNot: null } }],
  no: [{ intakeForm: { is: null } }],
};

const ACCOUNT = { firstName: true, lastName: true, email: true, phone: true } as const;
const OF_FORM = { select: { childName: true, fullName: true, phoneNumber: true } } as const;

/** An account is found among all, the names and number of an intake form in those that the server can look through. */
async function holdsWords(words: string[]): Promise<Prisma.UserWhereInput> {
  if (words.length === 0) return {};
  const ids = await idsHolding(words, async (before, take) => {
    const where = { id: before, intakeForm: { isNot: null } };
    const select = { id: true, ...ACCOUNT, intakeForm: OF_FORM };
    const rows = await db.user.findMany({ where, orderBy: { id: "desc" }, take, select });
    return rows.map(({ id, intakeForm, ...account }) => ({
      id,
      texts: [...Object.values(account), ...Object.values(intakeForm ?? {})],
    }));
  });
  return { OR: [{ AND: words.map(holdsWord) }, { id: { in: ids } }] };
}

function holdsWord(word: string): Prisma.UserWhereInput {
  const text = containsText(word);
  return { OR: [{ firstName: text }, { lastName: text }, { email: text }, { phone: text }] };
}
