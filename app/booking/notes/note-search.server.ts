import { assertAdministrator } from "../../accounts/authorization.server.ts";
import type { Person } from "../../accounts/person.ts";
import { type FamilySearch, findFamilyRecords } from "../../accounts/search/family-search.server.ts";
import { db } from "../../db/database-client.server.ts";

/**
 * Returns the newest `take` notes that a search finds, with the total count. For the administrator; throws for anyone
 * else.
 */
export function searchNotes(person: Person, families: FamilySearch, take: number) {
  assertAdministrator(person);
  return findFamilyRecords(families, readNoteBatch, take);
}

async function readNoteBatch(before: { lt: number }, take: number) {
  const select = { id: true, userId: true, text: true, createdAt: true };
  const rows = await db.familyNote.findMany({ where: { id: before }, orderBy: { id: "desc" }, take, select });
  return rows.map(({ id, userId, text, createdAt }) => ({ id, familyId: userId, texts: [text], createdAt }));
}
