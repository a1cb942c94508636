import { visitorMessageCondition } from "../mail/message-key.server.ts";
import { ownAppointmentsCondition, type ConfirmedEmail, sentUntilCondition } from "./family-data-conditions.server.ts";

/** The account whose invitations are erased. */
type InvitedAccount = { id: number; email: string; confirmedEmails: readonly ConfirmedEmail[] };

/** Prisma filter for a family's invitations: to an address that it has confirmed, or to one of its visits. */
export function ownInvitationsCondition(userId: number, confirmedEmails: readonly ConfirmedEmail[]) {
  const emailConditions = confirmedEmails.map(({ email, until }) => ({ email, ...sentUntilCondition(until) }));
  return { OR: [{ appointment: ownAppointmentsCondition(userId, confirmedEmails) }, ...emailConditions] };
}

/**
 * Prisma filter for the invitations that are erased with an account: its own, and those to its current address, even if
 * that is unconfirmed. They contain only what the consultant entered, and can be sent again.
 */
export function erasedInvitationsCondition({ id, email, confirmedEmails }: InvitedAccount) {
  const { OR: own } = ownInvitationsCondition(id, confirmedEmails);
  return { OR: [...own, { email }] };
}

/** Prisma filter for the invitation messages to the account's current address. */
export function erasedInvitationMailsCondition({ email }: InvitedAccount) {
  return { ...visitorMessageCondition(email), event: "invitation" };
}
