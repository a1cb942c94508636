import { refusalUnlessAdmin } from "../accounts/authorization.server.ts";
import { fullName, type Person } from "../accounts/person.ts";
import { db } from "../db/database-client.server.ts";
import { findConsentDocument } from "./consent-documents.ts";

const UNREVIEWED_CONDITION = { isUnreviewedWithdrawal: true } as const;

/**
 * Returns withdrawn agreements of families that the administrator has not opened since, the newest `take`. Instants are
 * ISO 8601 UTC. Empty for anyone else.
 */
export async function findUnreviewedConsentWithdrawals(person: Person, take: number) {
  if (refusalUnlessAdmin(person)) return [];
  const rows = await db.consent.findMany({
    where: UNREVIEWED_CONDITION,
    orderBy: [{ withdrawnAt: "desc" }, { id: "desc" }],
    take,
    select: {
      id: true,
      userId: true,
      document: true,
      withdrawnAt: true,
      user: { select: { firstName: true, lastName: true } },
    },
  });
  return rows.map(({ id, userId, document, withdrawnAt, user }) => ({
    id,
    userId,
    name: fullName(user),
    title: findConsentDocument(document)?.title ?? document,
    withdrawnAt: withdrawnAt?.toISOString() ?? null,
  }));
}

/** Records that the administrator has seen the family's withdrawals. */
export async function markConsentWithdrawalsReviewed(person: Person, familyId: number): Promise<void> {
  if (!person.isAdmin) return;
  await db.consent.updateMany({
    where: { ...UNREVIEWED_CONDITION, userId: familyId },
    data: { isUnreviewedWithdrawal: false },
  });
}
