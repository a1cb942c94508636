import { sentWithoutAccountTo } from "../mail/message-key.server.ts";
import { ownAppointmentsCondition, type ConfirmedEmail, sentUntil } from "./own-records.server.ts";

/** Whose invitations are erased. */
type InvitedAccount = { id: number; email: string; confirmedEmails: readonly ConfirmedEmail[] };

/** The condition on invitations that are a family's: to an address that it has confirmed, or to a visit of its own. */
export function ownInvitationsCondition(userId: number, confirmedEmails: readonly ConfirmedEmail[]) {
  const toEmails = confirmedEmails.map(({ email, until }) => ({ email, ...sentUntil(until) }));
  return { OR: [{ appointment: ownAppointmentsCondition(userId, confirmedEmails) }, ...toEmails] };
}

/**
 * The condition on invitations that go with an account: its own, and those to its present address also where nobody has
 * confirmed that. They hold nothing but what the consultant typed, and can be sent again.
 */
export function erasedInvitationsCondition({ id, email, confirmedEmails }: InvitedAccount) {
  const { OR: own } = ownInvitationsCondition(id, confirmedEmails);
  return { OR: [...own, { email }] };
}

/** The condition on the mail of invitations to the account's present address. */
export function erasedInvitationMailsCondition({ email }: InvitedAccount) {
  return { ...sentWithoutAccountTo(email), event: "invitation" };
}
