import { assertAdministrator } from "../../accounts/authorization.server.ts";
import type { Person } from "../../accounts/person.ts";
import { type FamilySearch, findFamilyRecords } from "../../accounts/search/family-search.server.ts";
import { db } from "../../db/database-client.server.ts";

/**
 * Returns the newest `take` follow-ups that a search finds, done ones too, with the total count. For the administrator;
 * throws for anyone else.
 */
export function searchFollowUps(person: Person, families: FamilySearch, take: number) {
  assertAdministrator(person);
  return findFamilyRecords(families, readFollowUpBatch, take);
}

async function readFollowUpBatch(before: { lt: number }, take: number) {
  const select = { id: true, userId: true, text: true, dueDay: true, doneAt: true };
  const rows = await db.followUp.findMany({ where: { id: before }, orderBy: { id: "desc" }, take, select });
  return rows.map(({ id, userId, text, dueDay, doneAt }) => ({
    id,
    familyId: userId,
    texts: [text],
    dueDay,
    isDone: doneAt !== null,
  }));
}
