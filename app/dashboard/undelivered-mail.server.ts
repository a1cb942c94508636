import { refusalUnlessAdmin } from "../accounts/authorization.server.ts";
import type { Person } from "../accounts/person.ts";
import { findOpenInvitationIdsBySubject } from "../booking/invitations/invitations.server.ts";
import { invitationsPath } from "../booking/appointment-paths.ts";
import { findRequestOfMail } from "../consultation-requests/consultation-request-notifications.server.ts";
import {
  type FailedVisitorMail,
  listAccountsWithUndeliveredMail,
  listFailedVisitorMails,
} from "../mail/undelivered-mail.server.ts";

/** The recipient of an undelivered mail. `subject` and `path` describe what it was about, if that is known. */
export type UndeliveredMail = {
  id: number;
  recipient: string | null;
  subject: string | null;
  path: string | null;
  code: string;
  createdAt: string;
  /** Temporarily refused, and retried. */
  isRetrying: boolean;
};

/**
 * Lists recipients of mail from the last two weeks that could not be delivered (see `listFailedAccountMails`), newest
 * first: families, the consultant (without a recipient), and addresses without an account. Leaves out obsolete mail:
 * about an invitation that ended, or a request that was deleted or has an account by now.
 */
export async function listUndeliveredMails(person: Person): Promise<UndeliveredMail[]> {
  if (refusalUnlessAdmin(person)) return [];
  const [accounts, visitors] = [await listAccountsWithUndeliveredMail(), await listFailedVisitorMails()];
  const ofAccounts = accounts.map(({ userId, name, isAdmin, ...failure }) => ({
    ...failure,
    recipient: isAdmin ? null : name,
    subject: null,
    path: isAdmin ? null : `/families/${userId}`,
  }));
  return [...ofAccounts, ...(await listUndeliveredVisitorMails(visitors))].toSorted(
    (first, second) => second.id - first.id,
  );
}

async function listUndeliveredVisitorMails(mails: readonly FailedVisitorMail[]): Promise<UndeliveredMail[]> {
  const ofInvitations = mails.filter(({ event }) => event === "invitation");
  const invitations = await findOpenInvitationIdsBySubject(ofInvitations.map(({ subjectKey }) => subjectKey));
  const listed: UndeliveredMail[] = [];
  for (const mail of mails) {
    const { event, subjectKey, address: recipient, ...failure } = mail;
    const row = { ...failure, recipient };
    if (event === "invitation") {
      if (invitations.has(subjectKey)) listed.push({ ...row, subject: "invitation", path: invitationsPath() });
    } else if (event === "request-received") {
      const request = await findRequestOfMail(mail);
      if (request) listed.push({ ...row, subject: `request ${request.id}`, path: consultationRequestPath(request) });
    } else listed.push({ ...row, subject: null, path: null });
  }
  return listed;
}

/** Returns where a request is shown: an open one at its own address, the others in the list. */
function consultationRequestPath({ id, status }: { id: number; status: string }): string {
  return status === "pending" ? `/dashboard/requests/${id}/schedule` : "/requests?status=scheduled";
}
