import { assertAdministrator } from "../accounts/authorization.server.ts";
import type { Person } from "../accounts/person.ts";
import { type FamilySearch, findFamilyRecords } from "../accounts/search/family-search.server.ts";
import { db } from "../db/database-client.server.ts";

/** The answers in families' own words. The names, the phone number and the email address find the family itself. */
const SEARCHED_ANSWERS_SELECT = {
  diagnosis: true,
  servicesCurrentlyReceiving: true,
  schoolName: true,
  primaryConcerns: true,
  otherConcerns: true,
  additionalNotes: true,
  preferredDaysTimes: true,
  howDidYouHear: true,
  address: true,
} as const;

/**
 * Returns the newest `take` intake forms that a search finds by their answers, with the total count. For the
 * administrator; throws for anyone else.
 */
export function searchIntakeForms(person: Person, families: FamilySearch, take: number) {
  assertAdministrator(person);
  return findFamilyRecords(families, readIntakeForms, take);
}

async function readIntakeForms(before: { lt: number }, take: number) {
  const select = { id: true, userId: true, updatedAt: true, ...SEARCHED_ANSWERS_SELECT };
  const rows = await db.intakeForm.findMany({ where: { id: before }, orderBy: { id: "desc" }, take, select });
  return rows.map(({ id, userId, updatedAt, primaryConcerns, ...answers }) => ({
    id,
    familyId: userId,
    texts: [...Object.values(answers), ...(JSON.parse(primaryConcerns) as string[])],
    updatedAt,
  }));
}
