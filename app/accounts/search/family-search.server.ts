import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import { db } from "../../db/client.server.ts";
import { containsText, createMatcher, MAX_FOUND_IDS, newestRows, type SearchableRow } from "../../db/search.server.ts";

const ACCOUNT = { firstName: true, lastName: true, email: true, phone: true } as const;
const FORM = { select: { childName: true, fullName: true, phoneNumber: true } } as const;

export type FamilySearch = {
  words: readonly string[];
  /** Meets the families that have all words. */
  condition: Prisma.UserWhereInput;
  /** What a family is found by, for records that are searched together with their family's; empty for no family. */
  textsOf: (familyId: number | null) => SearchableRow["texts"];
};

/**
 * How families are found wherever the consultant searches: by the name, address and number of the account among all of
 * them, and by the child, the name and the number of the intake form, which are encrypted, among the newest 5,000. Access
 * checks are the caller's.
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

/** The account contains `word`, as the database can tell. */
export function accountContains(word: string): Prisma.UserWhereInput {
  const contains = containsText(word);
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
