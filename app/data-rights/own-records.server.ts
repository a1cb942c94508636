import { db, type Transaction } from "../db/client.server.ts";

/**
 * An address that a family has shown to be its own. `until` (UTC): an earlier one, which somebody else may have had since;
 * null for the present one.
 */
export type ConfirmedEmail = { email: string; until: Date | null };

/**
 * The addresses of an account that its family has confirmed: the present one, and earlier ones that no other account has
 * now. An earlier one counts until its change could no longer be taken back.
 */
export async function findConfirmedEmails(
  userId: number,
  reader: Pick<Transaction, "user" | "emailChange"> = db,
): Promise<ConfirmedEmail[]> {
  const { email, emailConfirmedAt } = await reader.user.findUniqueOrThrow({
    where: { id: userId },
    select: { email: true, emailConfirmedAt: true },
  });
  const earlier = await reader.emailChange.findMany({
    where: { userId, oldEmail: { not: email } },
    orderBy: { id: "asc" },
    select: { oldEmail: true, undoUntil: true },
  });
  const taken = await reader.user.findMany({
    where: { email: { in: earlier.map(({ oldEmail }) => oldEmail) } },
    select: { email: true },
  });
  const isTaken = new Set(taken.map((each) => each.email));
  return [
    ...(emailConfirmedAt ? [{ email, until: null }] : []),
    ...earlier
      .filter(({ oldEmail }) => !isTaken.has(oldEmail))
      .map(({ oldEmail, undoUntil }) => ({ email: oldEmail, until: undoUntil })),
  ];
}

/**
 * The condition on consultation requests, and on requests about privacy, that are a family's: sent while it was signed
 * in, or signed out with an address that it has confirmed. For its copy of everything and its erasure alike.
 */
export function ownRequestsCondition(userId: number, confirmedEmails: readonly ConfirmedEmail[]) {
  const signedOut = confirmedEmails.map(({ email, until }) => ({ userId: null, email, ...sentUntil(until) }));
  return { OR: [{ userId }, ...signedOut] };
}

/**
 * The condition on visits that are a family's: of its account, or without one and scheduled from a request of its own.
 * For its copy of everything and its erasure alike.
 */
export function ownAppointmentsCondition(userId: number, confirmedEmails: readonly ConfirmedEmail[]) {
  return { OR: [{ userId }, { userId: null, consultationRequest: ownRequestsCondition(userId, confirmedEmails) }] };
}

/** The condition on what was sent while an address was the family's. */
export function sentUntil(until: Date | null) {
  return until ? { createdAt: { lte: until } } : {};
}
