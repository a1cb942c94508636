import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { assertAdministrator } from "../accounts/authorization.server.ts";
import { fullName, type Person } from "../accounts/person.ts";
import { accountContainsCondition, type FamilySearch } from "../accounts/search/family-search.server.ts";
import { db } from "../db/database-client.server.ts";
import { containsTextFilter, findIdsInNewestRows } from "../db/text-search.server.ts";
import { visibleDocumentsCondition } from "./documents.server.ts";
import { truncateFileName } from "./list-truncation.ts";
import { infectedDocumentText } from "./infected-document-text.server.ts";

/**
 * Returns a Prisma filter for the documents that contain all words of a search in their own texts and their family's
 * texts combined; for all documents if there are no words. The database searches names and accounts. Descriptions and
 * intake forms are encrypted, so the server decrypts the newest rows and searches them.
 */
export async function findDocumentSearchCondition(
  person: Person,
  families: FamilySearch,
): Promise<Prisma.DocumentWhereInput> {
  const { words } = families;
  if (words.length === 0) return {};
  const ids = await findIdsInNewestRows(words, async (before, take) => {
    const where = { ...visibleDocumentsCondition(person), id: before };
    const select = { id: true, fileName: true, description: true, userId: true };
    const rows = await db.document.findMany({ where, orderBy: { id: "desc" }, take, select });
    return rows.map(({ id, fileName, description, userId }) => ({
      id,
      texts: [fileName, description, ...families.textsOf(userId)],
    }));
  });
  return { OR: [{ AND: words.map(documentTermCondition) }, { id: { in: ids } }, { user: families.condition }] };
}

function documentTermCondition(term: string): Prisma.DocumentWhereInput {
  return { OR: [{ fileName: containsTextFilter(term) }, { user: accountContainsCondition(term) }] };
}

/**
 * Returns the newest `take` documents that `families` finds, with the total count. For the administrator; throws for
 * anyone else.
 */
export async function findDocuments(person: Person, families: FamilySearch, take: number) {
  assertAdministrator(person);
  const where = await findDocumentSearchCondition(person, families);
  const select = {
    id: true,
    fileName: true,
    userId: true,
    virusFoundAt: true,
    user: { select: { firstName: true, lastName: true } },
  };
  const orderBy = [{ uploadedAt: "desc" as const }, { id: "desc" as const }];
  const rows = await db.document.findMany({ where, orderBy, take, select });
  return {
    count: rows.length < take ? rows.length : await db.document.count({ where }),
    rows: rows.map(({ id, fileName, userId, virusFoundAt, user }) => ({
      id,
      fileName: truncateFileName(fileName),
      virusText: infectedDocumentText(virusFoundAt, person),
      family: { id: userId, name: fullName(user) },
    })),
  };
}
