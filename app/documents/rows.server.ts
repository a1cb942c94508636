import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { fullName } from "../accounts/person.ts";
import type { Person } from "../accounts/person.ts";
import { db } from "../db.server.ts";
import { searchTerms } from "../http/list-query.ts";
import { containsText, idsHolding } from "../http/matching.server.ts";
import { deletableBy, type Document, findIntakeDocument, seenBy, SHOWN } from "./documents.server.ts";
import { extensionOf, type Kind, KINDS, kindOf, readableSize } from "./rules.ts";
import { isInTrouble } from "./trouble.server.ts";

export const SORTS = ["newest", "name", "size"] as const;
export type Sort = (typeof SORTS)[number];

/** One document as the list shows it; times are ISO 8601, UTC. */
export type DocumentRow = {
  id: number;
  isIntake: boolean;
  fileName: string;
  description: string | null;
  what: string;
  uploadedAt: string;
  appointment: { title: string; start: string } | null;
  isShared: boolean;
  isDeletable: boolean;
  fromConsultant: boolean;
  /** Its file was missing or damaged when it was last looked at. */
  isInTrouble: boolean;
};

export type Shelf = { family: { id: number; name: string; email: string } | null; rows: DocumentRow[] };

const COLUMNS = {
  ...SHOWN,
  uploadedById: true,
  appointment: { select: { title: true, appointmentDate: true } },
  user: { select: { firstName: true, lastName: true, email: true } },
} as const;

/** How many documents one page of the screen shows. */
const ON_A_PAGE = 100;

type Asked = { sort: Sort; question: string; page: number };

/**
 * One page of what the documents screen shows, or of what the words of `question` find: a family's own on one shelf, for
 * the administrator a shelf per family, by name. The intake form always comes first. The counts are of all pages.
 */
export async function documentShelves(person: Person, { sort, question, page }: Asked) {
  const where = { ...seenBy(person), ...(await holdsWords(person, searchTerms(question))) };
  const byFamily = [
    { user: { lastName: "asc" as const } },
    { user: { firstName: "asc" as const } },
    { userId: "asc" as const },
  ];
  const [found, types, intake] = await Promise.all([
    db.document.findMany({
      where,
      orderBy: [...(person.isAdmin ? byFamily : []), ...orderOf(sort)],
      select: COLUMNS,
      skip: (page - 1) * ON_A_PAGE,
      take: ON_A_PAGE,
    }),
    db.document.groupBy({ by: ["fileType"], where, _count: true }),
    findIntakeDocument(person),
  ]);
  const may = deletableBy(person);
  const shelves = new Map<number, Shelf>();
  const numbers: Record<Kind, number> = { document: 0, image: 0, other: 0 };
  for (const { fileType, _count } of types) numbers[kindOf(fileType)] += _count;
  const stored = types.reduce((sum, { _count }) => sum + _count, 0);
  for (const {
    user,
    userId,
    uploadedById,
    appointment,
    uploadedAt,
    fileType,
    fileSize,
    isSharedWithClient,
    id,
    fileName,
    description,
  } of found) {
    const shelf = shelves.get(userId) ?? {
      family: person.isAdmin ? { id: userId, name: fullName(user), email: user.email } : null,
      rows: [],
    };
    shelves.set(userId, shelf);
    shelf.rows.push({
      id,
      isIntake: false,
      fileName,
      description,
      what: `${whatItIs(fileName, fileType)}, ${readableSize(fileSize)}`,
      uploadedAt: uploadedAt.toISOString(),
      appointment: appointment && { title: appointment.title, start: appointment.appointmentDate.toISOString() },
      isShared: isSharedWithClient,
      isDeletable: !("uploadedById" in may) || may.uploadedById === uploadedById,
      fromConsultant: uploadedById !== userId,
      isInTrouble: isInTrouble(id),
    });
  }
  if (intake.ok) numbers.document += 1;
  if (intake.ok && page === 1) {
    const shelf = shelves.get(person.id) ?? { family: null, rows: [] };
    shelves.set(person.id, { ...shelf, rows: [intakeRow(intake.value.document), ...shelf.rows] });
  }
  const total = stored + (intake.ok ? 1 : 0);
  return {
    shelves: [...shelves.values()],
    counts: total === 0 ? [] : KINDS.map(({ kind, label }) => ({ label, count: numbers[kind] })),
    total,
    page,
    pages: Math.max(1, Math.ceil(stored / ON_A_PAGE)),
  };
}

function intakeRow({ id, fileName, description, fileSize, uploadedAt }: Document): DocumentRow {
  return {
    id,
    isIntake: true,
    fileName,
    description,
    what: `Text, ${readableSize(fileSize)}`,
    uploadedAt: uploadedAt.toISOString(),
    appointment: null,
    isShared: true,
    isDeletable: false,
    fromConsultant: false,
    isInTrouble: false,
  };
}

/**
 * What an upload can be put with: the appointments it may belong to and, for the administrator, the families, in the
 * order of their names as they are read. From the page of one family (`familyId`) it is that one with its appointments.
 */
export async function uploadChoices(person: Person, familyId: number | null) {
  const families = person.isAdmin ? await familiesFor(familyId) : [];
  const one = familyId !== null && families.some(({ id }) => id === familyId) ? familyId : null;
  const appointments = await db.appointment.findMany({
    where: { userId: person.isAdmin ? (one ?? { not: null }) : person.id },
    orderBy: { appointmentDate: "desc" },
    take: 200,
    select: { id: true, title: true, appointmentDate: true, user: { select: { firstName: true, lastName: true } } },
  });
  return {
    families: families.map(({ id, email, ...names }) => ({ id, name: `${fullName(names)} (${email})` })),
    appointments: appointments.map(({ id, title, appointmentDate, user }) => ({
      id,
      title: person.isAdmin && user ? `${fullName(user)}: ${title}` : title,
      start: appointmentDate.toISOString(),
    })),
  };
}

/** One family, or all of them where nobody or nobody known is named. */
async function familiesFor(id: number | null) {
  const orderBy = [{ firstName: "asc" as const }, { lastName: "asc" as const }, { id: "asc" as const }];
  const select = { id: true, firstName: true, lastName: true, email: true };
  const named = id === null ? [] : await db.user.findMany({ where: { id, isAdmin: false }, select });
  return named.length > 0 ? named : db.user.findMany({ where: { isAdmin: false }, orderBy, select });
}

function orderOf(sort: Sort) {
  if (sort === "name") return [{ fileName: "asc" as const }, { id: "desc" as const }];
  if (sort === "size") return [{ fileSize: "desc" as const }, { id: "desc" as const }];
  return [{ uploadedAt: "desc" as const }, { id: "desc" as const }];
}

function whatItIs(fileName: string, fileType: string): string {
  if (fileType === "text/plain") return "Text";
  if (fileType === "application/msword" || extensionOf(fileName).toLowerCase() === "docx") return "Word";
  return extensionOf(fileName).toUpperCase();
}

const FAMILY = { select: { firstName: true, lastName: true, email: true } } as const;

/** Names are found among all documents, descriptions in those that the server can look through. */
async function holdsWords(person: Person, words: string[]): Promise<Prisma.DocumentWhereInput> {
  if (words.length === 0) return {};
  const ids = await idsHolding(words, async (before, take) => {
    const where = { ...seenBy(person), id: before, description: { not: null } };
    const select = { id: true, fileName: true, description: true, user: FAMILY };
    const rows = await db.document.findMany({ where, orderBy: { id: "desc" }, take, select });
    return rows.map(({ id, fileName, description, user }) => ({
      id,
      texts: [fileName, description, ...Object.values(user)],
    }));
  });
  return { OR: [{ AND: words.map(holdsWord) }, { id: { in: ids } }] };
}

function holdsWord(word: string): Prisma.DocumentWhereInput {
  const text = containsText(word);
  const ofFamily = [{ firstName: text }, { lastName: text }, { email: text }].map((user) => ({ user }));
  return { OR: [{ fileName: text }, ...ofFamily] };
}
