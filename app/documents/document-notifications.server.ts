import { notifyAccount, notifyConsultant } from "../accounts/email/queue-account-message.server.ts";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import type { Transaction } from "../db/database-client.server.ts";
import { MINUTE_MS } from "../time-units.ts";
import { documentAddedContent } from "../mail/messages/document-messages.ts";

/** Time window that groups uploads: twelve photographed pages cause one message, not twelve. */
const WINDOW_MS = 10 * MINUTE_MS;

/**
 * Notifies the other side about a document that `person` has added for a family, at most once per family in each
 * 10-minute window.
 */
export async function notifyDocumentAdded(transaction: Transaction, person: Person, userId: number): Promise<void> {
  const subjectKey = `window ${Math.floor(now().getTime() / WINDOW_MS)}`;
  const compose = ({ firstName }: { firstName: string }) => ({
    event: "document-added" as const,
    subjectKey,
    content: documentAddedContent(firstName, { isFromFamily: !person.isAdmin }),
    isExemptFromLimits: person.isAdmin,
  });
  await (person.isAdmin ? notifyAccount(transaction, userId, compose) : notifyConsultant(transaction, userId, compose));
}
