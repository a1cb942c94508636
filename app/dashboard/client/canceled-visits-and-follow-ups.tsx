import { Form } from "react-router";
import type { SharedFollowUp } from "../../booking/follow-ups/follow-ups.server.ts";
import { useSite } from "../../practice/site.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { formatLongPlainDate } from "../../ui/format-date-time.ts";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import type { ClientOverview } from "./client-dashboard.tsx";

/** Says which upcoming visits the practice has canceled, until the family has booked another one. */
export function CanceledVisitsCard({ visits }: { visits: ClientOverview["canceled"] }) {
  const { timeZone } = useSite().practice;
  return (
    <Card title={visits.length === 1 ? "We had to cancel a visit" : "We had to cancel visits"}>
      <ul className="rows">
        {visits.map(({ id, title, start }) => (
          <li key={id} className="row">
            <p>
              <strong className="wrap-anywhere">{title}</strong>
              <br />
              <ZonedTime instant={start} zone={timeZone} />
            </p>
          </li>
        ))}
      </ul>
      <p>Your appointments say why, and what goes back to you.</p>
      <div className="row-actions">
        <LinkButton to="/appointments/new">Book another time</LinkButton>
        <LinkButton to="/appointments" variant="quiet">
          See why
        </LinkButton>
      </div>
    </Card>
  );
}

/** Renders the rows of the follow-ups that the consultant planned with the family. */
export function SharedFollowUps({ followUps }: { followUps: readonly SharedFollowUp[] }) {
  return followUps.map((followUp) => <FollowUp key={followUp.id} followUp={followUp} />);
}

function FollowUp({ followUp: { id, text, dueDay, isDone } }: { followUp: SharedFollowUp }) {
  return (
    <li className="row">
      <p className="min-w-0 flex-1 basis-64">
        <strong className="wrap-anywhere">{text}</strong>
        <br />
        {isDone ? "Done" : `By ${formatLongPlainDate(dueDay)}`}
      </p>
      <Form method="post" action="/dashboard" preventScrollReset>
        <input type="hidden" name="followUp" value={id} />
        <Button name="intent" value={isDone ? "reopened" : "done"} variant={isDone ? "quiet" : "secondary"}>
          {isDone ? "Undo" : "I did this"}
          <span className="sr-only">: {text}</span>
        </Button>
      </Form>
    </li>
  );
}
