import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import { db } from "../../db/database-client.server.ts";
import { excerptAround } from "../../excerpt.ts";
import {
  containsTextFilter,
  createTextMatcher,
  MAX_FOUND_IDS,
  readNewestRows,
  type ReadSearchableRows,
  type SearchableRow,
} from "../../db/text-search.server.ts";

const SEARCHED_ACCOUNT_SELECT = { firstName: true, lastName: true, email: true, phone: true } as const;
const SEARCHED_INTAKE_SELECT = {
  select: { childName: true, fullName: true, phoneNumber: true, emailAddress: true },
} as const;

export type FamilySearch = {
  words: readonly string[];
  /** Prisma filter for the families that match all words. */
  condition: Prisma.UserWhereInput;
  /**
   * Returns the texts by which a family is found, for records that are searched together with their family's texts;
   * empty if there is no family.
   */
  textsOf: (familyId: number | null) => SearchableRow["texts"];
};

/**
 * Builds the search for families that every search of the consultant uses. All accounts are searched by name, address
 * and phone number. The newest 5,000 are also searched by the names, the phone number and the email address in the
 * intake form, which are encrypted. The caller checks access.
 */
export async function buildFamilySearch(words: readonly string[]): Promise<FamilySearch> {
  const texts = new Map<number, SearchableRow["texts"]>();
  const ids: number[] = [];
  const getFamilyTexts = (familyId: number | null) => texts.get(familyId ?? 0) ?? [];
  if (words.length === 0) return { words, condition: {}, textsOf: getFamilyTexts };
  const isMatch = createTextMatcher(words);
  for await (const row of readNewestRows(readFamilies)) {
    texts.set(row.id, row.texts);
    if (ids.length < MAX_FOUND_IDS && isMatch(row.texts)) ids.push(row.id);
  }
  return {
    words,
    condition: { OR: [{ AND: words.map(accountContainsCondition) }, { id: { in: ids } }] },
    textsOf: getFamilyTexts,
  };
}

/**
 * Prisma filter for accounts whose name, address or phone number contains `word`, as far as the database can compare
 * them.
 */
export function accountContainsCondition(word: string): Prisma.UserWhereInput {
  const contains = containsTextFilter(word);
  return { OR: [{ firstName: contains }, { lastName: contains }, { email: contains }, { phone: contains }] };
}

type SearchableFamilyRow = SearchableRow & { familyId: number };

/**
 * Finds records of families in whose texts at least one word is, and all words together with their family's texts.
 * Searches the newest 5,000, because the texts are encrypted. Returns the newest `take`, each with an excerpt around a
 * word, and the number found, at most 400. The caller checks access and records that the excerpts are shown.
 */
export async function findFamilyRecords<Row extends SearchableFamilyRow>(
  { words, textsOf }: FamilySearch,
  read: ReadSearchableRows<Row>,
  take: number,
) {
  const rows: (Row & { excerpt: string })[] = [];
  let count = 0;
  const hasAllWords = createTextMatcher(words);
  const hasAnyWord = createTextMatcher(words, { matchesAny: true });
  for await (const row of readNewestRows(read)) {
    if (!hasAllWords([...row.texts, ...textsOf(row.familyId)])) continue;
    const text = row.texts.find((each) => hasAnyWord([each]));
    if (!text) continue;
    if (rows.length < take) rows.push({ ...row, excerpt: excerptAround(text, words) });
    count += 1;
    if (count === MAX_FOUND_IDS) break;
  }
  return { count, rows };
}

async function readFamilies(before: { lt: number }, take: number): Promise<SearchableRow[]> {
  const where = { id: before, isAdmin: false };
  const select = { id: true, ...SEARCHED_ACCOUNT_SELECT, intakeForm: SEARCHED_INTAKE_SELECT };
  const rows = await db.user.findMany({ where, orderBy: { id: "desc" }, take, select });
  return rows.map(({ id, intakeForm, ...account }) => ({
    id,
    texts: [...Object.values(account), ...Object.values(intakeForm ?? {})],
  }));
}
