import { filterNewAccountIds } from "../../accounts/new-account.server.ts";
import { ACTIVE_ACCOUNT_CONDITION } from "../../accounts/person.ts";
import { db } from "../../db/database-client.server.ts";
import { env } from "../../env.server.ts";

/** Maximum number of families that can wait for one day. Source: docs/product.md, Limits. */
export const MAX_WAITING_FAMILIES = 50;

/** Prisma filter for entries of families that wait: a closed account, or one that is to be erased, has no place. */
export const WAITING_CONDITION = { endedAt: null, user: ACTIVE_ACCOUNT_CONDITION } as const;

/** Columns that decide whether a family is established, for the queries of entries. */
export const WAITING_LIST_USER_SELECT = {
  select: { emailConfirmedAt: true, intakeForm: { select: { id: true } } },
} as const;

type WaitingEntry = {
  userId: number;
  day: string;
  user: { emailConfirmedAt: Date | null; intakeForm: { id: number } | null };
};

/**
 * Marks the entries of established families: those whose first visit has taken place, or whose address is confirmed and
 * whose intake form is submitted. With RATE_LIMITS=off, all families are established.
 */
export async function markEstablishedFamilies<Entry extends WaitingEntry>(
  entries: readonly Entry[],
): Promise<(Entry & { isEstablished: boolean })[]> {
  const isVerified = ({ user }: Entry) => user.emailConfirmedAt !== null && user.intakeForm !== null;
  const unverified = env.isRateLimitingEnabled ? entries.filter((entry) => !isVerified(entry)) : [];
  const userIds = [...new Set(unverified.map(({ userId }) => userId))];
  const newAccountIds = userIds.length > 0 ? await filterNewAccountIds(userIds, db) : new Set<number>();
  return entries.map((entry) => ({ ...entry, isEstablished: isVerified(entry) || !newAccountIds.has(entry.userId) }));
}

/** Sorts by day, and within each day established families first, otherwise in the given order. */
export function sortByOfferOrder<Entry extends { day: string; isEstablished: boolean }>(
  entries: readonly Entry[],
): Entry[] {
  return entries.toSorted((a, b) => a.day.localeCompare(b.day) || Number(b.isEstablished) - Number(a.isEstablished));
}
