import { Form } from "react-router";
import type { SharedFollowUp } from "../../booking/follow-ups/follow-ups.server.ts";
import { Button } from "../../ui/button.tsx";
import { formatLongDay } from "../../ui/dates.ts";

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
        {isDone ? "Done" : `By ${formatLongDay(dueDay)}`}
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
