import { Form } from "react-router";
import { invitationsPath } from "../../booking/appointment-paths.ts";
import { EmailLink } from "../../practice/contact-links.tsx";
import { useSite } from "../../practice/site.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import type { listOpenInvitationsWithAudit } from "../../booking/invitations/invitations.server.ts";

type OpenInvitationsProps = { invitations: Awaited<ReturnType<typeof listOpenInvitationsWithAudit>> };

/** Lists the invitations whose link still works. */
export function OpenInvitations({ invitations }: OpenInvitationsProps) {
  const { timeZone } = useSite().practice;
  return (
    <Card title="Open invitations">
      {invitations.length === 0 && <p>None are open. Families who have used their link are in the list of families.</p>}
      <ul className="rows">
        {invitations.map(({ id, name, email, sentAt, expiresAt, visitAt, isVisitCancelled, isUndelivered }) => (
          <li key={id} className="row">
            <div className="min-w-0 flex-1 basis-72">
              <p className="flex flex-wrap items-center gap-2 wrap-anywhere">
                <strong className="min-w-0">{name}</strong>
                {visitAt && <Badge color="green">with a visit</Badge>}
                {isUndelivered && <Badge color="red">Email not delivered</Badge>}
                {isVisitCancelled && <Badge color="yellow">visit cancelled</Badge>}
              </p>
              <p>
                <EmailLink email={email} />
              </p>
              <p className="text-sm text-muted">
                Invited <ZonedTime instant={sentAt} zone={timeZone} inSentence />, open until{" "}
                <ZonedTime instant={expiresAt} zone={timeZone} inSentence />
              </p>
            </div>
            <Form method="post" action={invitationsPath()} preventScrollReset className="flex flex-wrap gap-2">
              <input type="hidden" name="id" value={id} />
              <Button name="change" value="resend" aria-label={`Send again to ${name}`}>
                Send again
              </Button>
              <Button variant="danger" name="change" value="withdraw" aria-label={`Withdraw the invitation of ${name}`}>
                Withdraw
              </Button>
            </Form>
          </li>
        ))}
      </ul>
    </Card>
  );
}
