import { now } from "../../clock.ts";
import type { Transaction } from "../../db/database-client.server.ts";
import { creditUnusedHoldBudget } from "../holds/hold-budget.server.ts";
import { dropUnsentMessagesBySubject } from "../../mail/drop-messages.server.ts";

export const OFFER_EVENT = "waiting-list-offer";

/** Returns the subject (`subjectKey`) of an offer's message. */
export function offerSubjectKey(id: number): string {
  return `offer ${id}`;
}

/**
 * Ends offers to a family, whose row the caller has locked, and deletes their holds and unsent email messages, so that
 * no message offers a time that is not held. The rows are kept, so that no offer is made twice.
 */
export async function endOffersAndReleaseHolds(
  transaction: Transaction,
  userId: number,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  const idFilter = { in: [...ids] };
  const chosen = await transaction.hold.findFirst({ where: { offerId: idFilter, chosenByUserId: userId } });
  await transaction.hold.deleteMany({ where: { offerId: idFilter } });
  if (chosen) await creditUnusedHoldBudget(transaction, userId, chosen);
  await transaction.waitingListOffer.updateMany({
    where: { id: idFilter, expiresAt: { gt: now() } },
    data: { expiresAt: now() },
  });
  await dropUnsentMessagesBySubject(transaction, userId, OFFER_EVENT, ids.map(offerSubjectKey));
}

/** Ends all open offers to a family. The family stays on its waiting lists. */
export async function endOffersOfFamily(transaction: Transaction, userId: number): Promise<void> {
  const offers = await transaction.waitingListOffer.findMany({
    where: { entry: { userId }, expiresAt: { gt: now() } },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  await endOffersAndReleaseHolds(
    transaction,
    userId,
    offers.map(({ id }) => id),
  );
}
