import { sqltag as sql } from "@prisma/client/runtime/client";
import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { buildFamilySearch } from "../accounts/search/family-search.server.ts";
import { fullName, type Person } from "../accounts/person.ts";
import { db, runPreparedQuery } from "../db/database-client.server.ts";
import { splitSearchTerms } from "../http/list-query.ts";
import { findChildren } from "../intake/intake-child-details.server.ts";
import {
  documentsDeletableByCondition,
  type Document,
  DOCUMENT_SELECT,
  NEW_TO_FAMILY_SELECT,
  findIntakeDocument,
  isNewToFamily,
  visibleDocumentsCondition,
} from "./documents.server.ts";
import { fileExtension, type FileCategory, FILE_CATEGORIES, fileCategory, formatBytes } from "./document-file-rules.ts";
import { createDescriptionShortener, type ListedDescription, truncateFileName } from "./list-truncation.ts";
import { UNREVIEWED_UPLOADS_CONDITION } from "./document-review.server.ts";
import { findDocumentSearchCondition } from "./document-search.server.ts";
import { isDocumentDamaged } from "./damaged-documents.server.ts";
import { infectedDocumentText } from "./infected-document-text.server.ts";

/** Sort orders. `family` is for the administrator only, because a family's own list contains just one family. */
export const DOCUMENT_SORT_ORDERS = ["family", "newest", "name", "size"] as const;
export type Sort = (typeof DOCUMENT_SORT_ORDERS)[number];

/** One row of the documents page; times are ISO 8601 in UTC. */
export type DocumentRow = ListedDescription & {
  id: number;
  isIntake: boolean;
  /** Truncated by list-truncation.ts. */
  fileName: string;
  typeAndSize: string;
  uploadedAt: string;
  appointment: { title: string; start: string } | null;
  isShared: boolean;
  isDeletable: boolean;
  isFromConsultant: boolean;
  /** The document is from the other side, and the person who reads the list has not opened it yet. */
  isNew: boolean;
  /** The file was missing or damaged when it was last opened. */
  isDamaged: boolean;
  /** Why the document can't be opened, if it may contain a virus. */
  virusText: string | null;
};

type ListedFamily = { id: number; name: string; email: string; childName: string | null };
/** `family` is null in a family's own list. */
export type DocumentGroup = { family: ListedFamily | null; rows: DocumentRow[] };

const DOCUMENT_LIST_SELECT = {
  ...DOCUMENT_SELECT,
  ...NEW_TO_FAMILY_SELECT,
  reviewedAt: true,
  virusFoundAt: true,
  appointment: { select: { title: true, appointmentDate: true } },
  user: { select: { firstName: true, lastName: true, email: true } },
} as const;

const PAGE_SIZE = 50;

/** `showsOnlyNew`: only uploads of families that the administrator has not opened. */
type ListQuery = { sort: Sort; search: string; page: number; showsOnlyNew: boolean };

/**
 * Returns one page of the documents that match `search`, in groups. A family gets a single group. The administrator
 * gets one group per family, ordered by name, when sorting by family; in the other orders, each run of consecutive
 * documents of the same family is a group. A family's intake form is on page 1: at its date when the newest come first,
 * otherwise at the top. `counts` covers all pages, whether the documents are new or not.
 */
export async function listDocumentGroups(person: Person, { sort, search, page, showsOnlyNew }: ListQuery) {
  const families = await buildFamilySearch(splitSearchTerms(search));
  const searchCondition = {
    ...visibleDocumentsCondition(person),
    ...(await findDocumentSearchCondition(person, families)),
  };
  const where = showsOnlyNew ? { AND: [searchCondition, UNREVIEWED_UPLOADS_CONDITION] } : searchCondition;
  const familyOrder = [
    { user: { lastName: "asc" as const } },
    { user: { firstName: "asc" as const } },
    { userId: "asc" as const },
  ];
  const isByFamily = person.isAdmin && sort === "family";
  const [documents, typeCounts, intake] = await Promise.all([
    db.document.findMany({
      where,
      orderBy: [...(isByFamily ? familyOrder : []), ...documentOrderBy(sort)],
      select: DOCUMENT_LIST_SELECT,
      skip: (page - 1) * PAGE_SIZE,
      take: PAGE_SIZE,
    }),
    person.isAdmin && search === "" ? countAllDocumentsByType() : countDocumentsByType(searchCondition),
    findIntakeDocument(person),
  ]);
  const deletableCondition = documentsDeletableByCondition(person);
  const shortenDescription = createDescriptionShortener();
  const groups: DocumentGroup[] = [];
  const categoryCounts: Record<FileCategory, number> = { document: 0, image: 0, other: 0 };
  for (const { fileType, count } of typeCounts) categoryCounts[fileCategory(fileType)] += count;
  const foundCount = typeCounts.reduce((sum, { count }) => sum + count, 0);
  const newCount = typeCounts.reduce((sum, { fresh }) => sum + fresh, 0);
  const storedCount = showsOnlyNew ? newCount : foundCount;
  const children = await findChildren(
    person,
    documents.map(({ userId }) => userId),
  );
  for (const {
    user,
    userId,
    uploadedById,
    reviewedAt,
    openedByFamilyAt,
    virusFoundAt,
    appointment,
    uploadedAt,
    fileType,
    fileSize,
    isSharedWithClient,
    id,
    fileName,
    description,
  } of documents) {
    const family = person.isAdmin
      ? { id: userId, name: fullName(user), email: user.email, childName: children.get(userId)?.name ?? null }
      : null;
    const last = groups.at(-1);
    const rows = last && last.family?.id === family?.id ? last.rows : [];
    if (rows.length === 0) groups.push({ family, rows });
    rows.push({
      id,
      isIntake: false,
      fileName: truncateFileName(fileName),
      ...shortenDescription(description),
      typeAndSize: `${typeLabel(fileName, fileType)}, ${formatBytes(fileSize)}`,
      uploadedAt: uploadedAt.toISOString(),
      appointment: appointment && { title: appointment.title, start: appointment.appointmentDate.toISOString() },
      isShared: isSharedWithClient,
      isDeletable: !("uploadedById" in deletableCondition) || deletableCondition.uploadedById === uploadedById,
      isFromConsultant: uploadedById !== userId,
      isNew: person.isAdmin
        ? reviewedAt === null && uploadedById === userId
        : isNewToFamily({ userId, uploadedById, openedByFamilyAt }),
      isDamaged: isDocumentDamaged(id),
      virusText: infectedDocumentText(virusFoundAt, person),
    });
  }
  if (intake.ok) categoryCounts.document += 1;
  if (intake.ok && page === 1) {
    const rows = groups[0]?.rows ?? [];
    const row = toIntakeRow(intake.value.document);
    const later = sort === "newest" ? rows.filter(({ uploadedAt }) => uploadedAt > row.uploadedAt).length : 0;
    groups[0] = { family: null, rows: rows.toSpliced(later, 0, row) };
  }
  const total = storedCount + (intake.ok ? 1 : 0);
  return {
    groups,
    newCount,
    counts:
      foundCount === 0 && !intake.ok
        ? []
        : FILE_CATEGORIES.map(({ kind, label }) => ({ label, count: categoryCounts[kind] })),
    total,
    page,
    pages: Math.max(1, Math.ceil(storedCount / PAGE_SIZE)),
  };
}

/** Number of documents of a type; `fresh` is the number of family uploads that the administrator has not opened. */
type TypeCount = { fileType: string; count: number; fresh: number };

/** Counts all documents by type in one query. */
function countAllDocumentsByType(): Promise<TypeCount[]> {
  return runPreparedQuery<TypeCount>(
    sql`SELECT "fileType", CAST(count(*) AS INTEGER) AS "count",
      CAST(sum(CASE WHEN "reviewedAt" IS NULL AND "uploadedById" = "userId" THEN 1 ELSE 0 END) AS INTEGER) AS "fresh"
      FROM "documents" GROUP BY "fileType"`,
  );
}

async function countDocumentsByType(where: Prisma.DocumentWhereInput): Promise<TypeCount[]> {
  const count = (condition: Prisma.DocumentWhereInput) =>
    db.document.groupBy({ by: ["fileType"], where: condition, _count: true });
  const [all, fresh] = await Promise.all([count(where), count({ AND: [where, UNREVIEWED_UPLOADS_CONDITION] })]);
  const newCountByType = new Map(fresh.map(({ fileType, _count }) => [fileType, _count]));
  return all.map(({ fileType, _count }) => ({ fileType, count: _count, fresh: newCountByType.get(fileType) ?? 0 }));
}

function toIntakeRow({ id, fileName, description, fileSize, uploadedAt }: Document): DocumentRow {
  return {
    id,
    isIntake: true,
    fileName,
    description,
    wholeDescription: null,
    typeAndSize: `Text, ${formatBytes(fileSize)}`,
    uploadedAt: uploadedAt.toISOString(),
    appointment: null,
    isShared: true,
    isDeletable: false,
    isFromConsultant: false,
    isNew: false,
    isDamaged: false,
    virusText: null,
  };
}

function documentOrderBy(sort: Sort) {
  if (sort === "name") return [{ fileName: "asc" as const }, { id: "desc" as const }];
  if (sort === "size") return [{ fileSize: "desc" as const }, { id: "desc" as const }];
  return [{ uploadedAt: "desc" as const }, { id: "desc" as const }];
}

function typeLabel(fileName: string, fileType: string): string {
  if (fileType === "text/plain") return "Text";
  if (fileType === "application/msword" || fileExtension(fileName).toLowerCase() === "docx") return "Word";
  return fileExtension(fileName).toUpperCase();
}
