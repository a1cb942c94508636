import { db, type Transaction } from "../db/database-client.server.ts";

/**
 * An email address that a family has confirmed. `until` (UTC) is set for an earlier address, which another person may
 * have used since then; it is null for the current one.
 */
export type ConfirmedEmail = { email: string; until: Date | null };

/**
 * Returns the addresses of an account that its family has confirmed: the current one, and earlier ones that no other
 * account has now. An earlier one counts until the end of the period in which its change could be undone.
 */
export async function findConfirmedEmailHistory(
  userId: number,
  reader: Pick<Transaction, "user" | "emailChange"> = db,
): Promise<ConfirmedEmail[]> {
  const { email, emailConfirmedAt } = await reader.user.findUniqueOrThrow({
    where: { id: userId },
    select: { email: true, emailConfirmedAt: true },
  });
  const earlierEmails = await reader.emailChange.findMany({
    where: { userId, oldEmail: { not: email } },
    orderBy: { id: "asc" },
    select: { oldEmail: true, undoUntil: true },
  });
  const taken = await reader.user.findMany({
    where: { email: { in: earlierEmails.map(({ oldEmail }) => oldEmail) } },
    select: { email: true },
  });
  const takenEmails = new Set(taken.map((each) => each.email));
  return [
    ...(emailConfirmedAt ? [{ email, until: null }] : []),
    ...earlierEmails
      .filter(({ oldEmail }) => !takenEmails.has(oldEmail))
      .map(({ oldEmail, undoUntil }) => ({ email: oldEmail, until: undoUntil })),
  ];
}

/**
 * Prisma filter for a family's consultation requests and requests about privacy: sent while it was signed in, or while
 * signed out with an address that it has confirmed. Used for both its export and its erasure.
 */
export function ownRequestsCondition(userId: number, confirmedEmails: readonly ConfirmedEmail[]) {
  const signedOutConditions = confirmedEmails.map(({ email, until }) => ({
    userId: null,
    email,
    ...sentUntilCondition(until),
  }));
  return { OR: [{ userId }, ...signedOutConditions] };
}

/**
 * Prisma filter for a family's visits: of its account, or without an account and scheduled from one of its requests.
 * Used for both its export and its erasure.
 */
export function ownAppointmentsCondition(userId: number, confirmedEmails: readonly ConfirmedEmail[]) {
  return { OR: [{ userId }, { userId: null, consultationRequest: ownRequestsCondition(userId, confirmedEmails) }] };
}

/**
 * Prisma filter for records that were created up to `until`, while an address belonged to the family; all records if
 * null.
 */
export function sentUntilCondition(until: Date | null) {
  return until ? { createdAt: { lte: until } } : {};
}
