import { db, type Transaction } from "../db/database-client.server.ts";
import { messageKey, triggeredMessagesCondition } from "../mail/message-key.server.ts";
import { type ConfirmedEmail, ownRequestsCondition } from "./family-data-conditions.server.ts";

type Reader = Pick<Transaction, "complianceCase" | "consultationRequest" | "user">;

const REQUEST_EVENTS = ["new-request", "new-legal-request"];

/**
 * Returns a Prisma filter for the messages to the administrators that a family's actions triggered, including those
 * about requests that it sent while signed out. They name the family by its number and tell when its visits are, so they
 * are erased with it, also those to people who are administrators no longer. They are not in its export: each is about a
 * record that is.
 */
export async function consultantMessagesCondition(
  userId: number,
  confirmedEmails: readonly ConfirmedEmail[],
  reader: Reader = db,
) {
  const where = ownRequestsCondition(userId, confirmedEmails);
  const select = { id: true } as const;
  const [requests, cases] = await Promise.all([
    reader.consultationRequest.findMany({ where, select }),
    reader.complianceCase.findMany({ where, select }),
  ]);
  const keys = await visitorRequestMessageKeys({ requests, cases }, reader);
  return { userId: { not: null }, OR: [...triggeredMessagesCondition(userId), { key: { in: keys } }] };
}

type VisitorRequests = { requests: readonly { id: number }[]; cases: readonly { id: number }[] };

/** Returns the keys of the messages to administrators, also former ones, about requests that were sent while signed out. */
export async function visitorRequestMessageKeys(
  { requests, cases }: VisitorRequests,
  reader: Pick<Transaction, "user"> = db,
): Promise<string[]> {
  const recipients = await reader.user.findMany({
    where: { messages: { some: { event: { in: REQUEST_EVENTS } } } },
    select: { id: true, email: true },
  });
  return recipients.flatMap(({ id, email: address }) => {
    const recipient = { userId: id, address, triggeringFamilyId: null };
    return [
      ...requests.flatMap((request) =>
        [false, true].map((isUrgent) => messageKey("new-request", `request ${request.id}`, { ...recipient, isUrgent })),
      ),
      ...cases.map((each) => messageKey("new-legal-request", `case ${each.id}`, recipient)),
    ];
  });
}
