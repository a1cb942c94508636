import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import { db } from "../../db/client.server.ts";
import {
  containsTextFilter,
  createMatcher,
  MAX_FOUND_IDS,
  newestRows,
  type SearchableRow,
} from "../../db/search.server.ts";

const ACCOUNT = { firstName: true, lastName: true, email: true, phone: true } as const;
const FORM = { select: { childName: true, fullName: true, phoneNumber: true } } as const;

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
 * and phone number. The newest 5,000 are also searched by the child, the name and the phone number in the intake form,
 * which are encrypted. The caller checks access.
 */
export async function searchFamilies(words: readonly string[]): Promise<FamilySearch> {
  const texts = new Map<number, SearchableRow["texts"]>();
  const ids: number[] = [];
  const textsOf = (familyId: number | null) => texts.get(familyId ?? 0) ?? [];
  if (words.length === 0) return { words, condition: {}, textsOf };
  const isMatch = createMatcher(words);
  for await (const row of newestRows(readFamilies)) {
    texts.set(row.id, row.texts);
    if (ids.length < MAX_FOUND_IDS && isMatch(row.texts)) ids.push(row.id);
  }
  return { words, condition: { OR: [{ AND: words.map(accountContains) }, { id: { in: ids } }] }, textsOf };
}

/**
 * Prisma filter for accounts whose name, address or phone number contains `word`, as far as the database can compare
 * them.
 */
export function accountContains(word: string): Prisma.UserWhereInput {
  const contains = containsTextFilter(word);
  return { OR: [{ firstName: contains }, { lastName: contains }, { email: contains }, { phone: contains }] };
}

async function readFamilies(before: { lt: number }, take: number): Promise<SearchableRow[]> {
  const where = { id: before, isAdmin: false };
  const select = { id: true, ...ACCOUNT, intakeForm: FORM };
  const rows = await db.user.findMany({ where, orderBy: { id: "desc" }, take, select });
  return rows.map(({ id, intakeForm, ...account }) => ({
    id,
    texts: [...Object.values(account), ...Object.values(intakeForm ?? {})],
  }));
}
