import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { fullName, type Person } from "../accounts/person.ts";
import { db } from "../db.server.ts";
import { PAGE_SIZE, pagesOf, readChoice, readPage, readQuestion, wordsOf } from "../http/list-query.ts";
import { holding } from "../http/matching.server.ts";
import { INTAKES } from "./filters.ts";

/** One page of all families by name, found by the words of `?q=`; for the administrator alone. */
export async function listFamilies(person: Person, query: URLSearchParams) {
  if (!person.isAdmin) throw new Error("Only the administrator sees the families.");
  const question = readQuestion(query);
  const intake = readChoice(query, "intake", INTAKES);
  const where = { isAdmin: false, AND: [...wordsOf(question).map(holdsWord), ...INTAKE_CONDITIONS[intake]] };
  const found = await db.user.count({ where });
  const pages = pagesOf(found);
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
      intakeForm: { select: { childName: true } },
      _count: { select: { appointments: true, documents: true } },
    },
  });
  const families = rows.map((row) => ({
    id: row.id,
    name: fullName(row),
    email: row.email,
    phone: row.phone,
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

function holdsWord(word: string): Prisma.UserWhereInput {
  const text = holding(word);
  const ofIntake = { intakeForm: { is: { OR: [{ childName: text }, { fullName: text }, { phoneNumber: text }] } } };
  return { OR: [{ firstName: text }, { lastName: text }, { email: text }, { phone: text }, ofIntake] };
}
