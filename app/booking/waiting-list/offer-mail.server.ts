import type { Transaction } from "../../db/client.server.ts";
import { dropMessagesAbout } from "../../mail/drop-messages.server.ts";

export const OFFER_EVENT = "waiting-list-offer";

/** What the message of an offer is about. */
export function aboutOffer(id: number): string {
  return `offer ${id}`;
}

/** Drops the mails of offers that have ended, in the transaction of that: nobody is to be offered what is not held. */
export async function dropOfferMails(
  transaction: Transaction,
  userId: number,
  offerIds: readonly number[],
): Promise<void> {
  await dropMessagesAbout(transaction, userId, OFFER_EVENT, offerIds.map(aboutOffer));
}
