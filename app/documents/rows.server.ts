import { fullName } from "../accounts/person.ts";
import type { Person } from "../accounts/person.ts";
import { db } from "../db.server.ts";
import { wordsOf } from "../http/list-query.ts";
import { holding } from "../http/matching.server.ts";
import { deletableBy, findIntakeDocument, seenBy, SHOWN } from "./documents.server.ts";
import { extensionOf, INTAKE_DOCUMENT_ID, type Kind, KINDS, kindOf, readableSize } from "./rules.ts";

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
};

export type Shelf = { family: { id: number; name: string; email: string } | null; rows: DocumentRow[] };

const COLUMNS = {
  ...SHOWN,
  uploadedById: true,
  appointment: { select: { title: true, appointmentDate: true } },
  user: { select: { firstName: true, lastName: true, email: true } },
} as const;

/**
 * What the documents screen shows, or what of it the words of `question` find: a family's own on one shelf, for the administrator a shelf per family, by name. The
 * intake form always comes first.
 */
export async function documentShelves(
  person: Person,
  sort: Sort,
  question = "",
): Promise<{ shelves: Shelf[]; counts: { label: string; count: number }[] }> {
  const [found, intake] = await Promise.all([
    db.document.findMany({
      where: { ...seenBy(person), AND: wordsOf(question).map(holdsWord) },
      orderBy: orderOf(sort),
      select: COLUMNS,
    }),
    findIntakeDocument(person),
  ]);
  const may = deletableBy(person);
  const shelves = new Map<number, Shelf>();
  const kinds: Kind[] = found.map(({ fileType }) => kindOf(fileType));
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
    });
  }
  if (intake.ok) {
    const { fileName, description, fileSize, uploadedAt } = intake.value.document;
    const row = {
      id: INTAKE_DOCUMENT_ID,
      isIntake: true,
      fileName,
      description,
      what: `Text, ${readableSize(fileSize)}`,
      uploadedAt: uploadedAt.toISOString(),
    };
    const shelf = shelves.get(person.id) ?? { family: null, rows: [] };
    shelves.set(person.id, {
      ...shelf,
      rows: [{ ...row, appointment: null, isShared: true, isDeletable: false, fromConsultant: false }, ...shelf.rows],
    });
    kinds.push("document");
  }
  return {
    shelves: [...shelves.values()].toSorted((one, other) =>
      (one.family?.name ?? "").localeCompare(other.family?.name ?? ""),
    ),
    counts:
      kinds.length === 0
        ? []
        : KINDS.map(({ kind, label }) => ({ label, count: kinds.filter((each) => each === kind).length })),
  };
}

/** What an upload can be put with: the appointments it may belong to and, for the administrator, the families. */
export async function uploadChoices(person: Person) {
  const families = person.isAdmin
    ? await db.user.findMany({
        where: { isAdmin: false },
        orderBy: [{ lastName: "asc" }, { firstName: "asc" }],
        select: { id: true, firstName: true, lastName: true, email: true },
      })
    : [];
  const appointments = await db.appointment.findMany({
    where: person.isAdmin ? { userId: { not: null } } : { userId: person.id },
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

function holdsWord(word: string) {
  const text = holding(word);
  const ofFamily = [{ firstName: text }, { lastName: text }, { email: text }].map((user) => ({ user }));
  return { OR: [{ fileName: text }, { description: text }, ...ofFamily] };
}
