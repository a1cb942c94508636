import { refusalUnlessAdmin } from "../accounts/authorization.server.ts";
import type { Person } from "../accounts/person.ts";
import { findInvitationsOfMails } from "../booking/invitations/invitations.server.ts";
import { invitationsPath } from "../booking/paths.ts";
import { findRequestOfMail } from "../consultation-requests/request-notifications.server.ts";
import {
  type FailedVisitorMail,
  listFailedAccountMails,
  listFailedVisitorMails,
} from "../mail/undelivered-mail.server.ts";

/** Whom a mail did not reach; `subject` and `path` are of what it was about, where that is known. */
export type UndeliveredMail = {
  id: number;
  recipient: string | null;
  subject: string | null;
  path: string | null;
  code: string;
  at: string;
  /** Refused for now, and tried further. */
  isWaiting: boolean;
};

/**
 * Whom a mail of two weeks could not be delivered to (see `listFailedAccountMails`), newest first: families, the
 * consultant (without a recipient), and addresses without an account. What was about an invitation that ended, or a request that was deleted or
 * has an account by now, is left out: nobody waits for it.
 */
export async function listUndeliveredMails(person: Person): Promise<UndeliveredMail[]> {
  if (refusalUnlessAdmin(person)) return [];
  const [accounts, visitors] = [await listFailedAccountMails(), await listFailedVisitorMails()];
  const ofAccounts = accounts.map(({ userId, name, isAdmin, ...failure }) => ({
    ...failure,
    recipient: isAdmin ? null : name,
    subject: null,
    path: isAdmin ? null : `/families/${userId}`,
  }));
  return [...ofAccounts, ...(await ofVisitors(visitors))].toSorted((first, second) => second.id - first.id);
}

async function ofVisitors(mails: readonly FailedVisitorMail[]): Promise<UndeliveredMail[]> {
  const ofInvitations = mails.filter(({ event }) => event === "invitation");
  const invitations = await findInvitationsOfMails(ofInvitations.map(({ about }) => about));
  const listed: UndeliveredMail[] = [];
  for (const mail of mails) {
    const { event, about, address: recipient, ...failure } = mail;
    const row = { ...failure, recipient };
    if (event === "invitation") {
      if (invitations.has(about)) listed.push({ ...row, subject: "invitation", path: invitationsPath() });
    } else if (event === "request-received") {
      const request = await findRequestOfMail(mail);
      if (request) listed.push({ ...row, subject: `request ${request.id}`, path: requestPath(request) });
    } else listed.push({ ...row, subject: null, path: null });
  }
  return listed;
}

/** Where a request is found: an open one at its own address, the others in their list. */
function requestPath({ id, status }: { id: number; status: string }): string {
  return status === "pending" ? `/dashboard/requests/${id}/schedule` : "/requests?status=scheduled";
}
