import { Form, Link } from "react-router";
import type { FollowUpRow } from "../booking/follow-ups/follow-ups.server.ts";
import { truncateWithEllipsis } from "../excerpt.ts";
import { Badge } from "../ui/badge.tsx";
import { Button, LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { formatLongPlainDate } from "../ui/format-date-time.ts";
import { TrashIcon } from "../ui/icons.tsx";

/** Maximum length of a follow-up's text in the names of its buttons, in characters. */
const MAX_SHORT_TEXT_LENGTH = 80;

type FollowUpsProps = { familyId: number; followUps: readonly FollowUpRow[] };

/** Lists what is to be done for the family, and by when. */
export function FamilyFollowUps({ familyId, followUps }: FollowUpsProps) {
  return (
    <Card
      title="Follow-ups"
      action={
        <LinkButton to={`/families/${familyId}/follow-ups/new`} preventScrollReset>
          Add a follow-up
        </LinkButton>
      }
    >
      {followUps.length === 0 && <p>None yet. When one is due, it shows up on your dashboard.</p>}
      <ul className="rows">
        {followUps.map((followUp) => (
          <FollowUpItem key={followUp.id} followUp={followUp} familyId={familyId} />
        ))}
      </ul>
    </Card>
  );
}

type FollowUpProps = { followUp: FollowUpRow; familyId: number };

function FollowUpItem({
  followUp: { id, text, dueDay, isShared, isDone, isDoneByFamily, isDue },
  familyId,
}: FollowUpProps) {
  const shortText = truncateWithEllipsis(text, MAX_SHORT_TEXT_LENGTH);
  return (
    <li className="row items-start">
      <div className="min-w-0 flex-1 basis-72">
        <p className={`wrap-anywhere ${isDone ? "text-muted line-through" : "font-bold"}`}>{text}</p>
        <p className="flex flex-wrap items-center gap-2 text-muted">
          By {formatLongPlainDate(dueDay)}
          {isDone && <Badge color="green">{isDoneByFamily ? "done by the family" : "done"}</Badge>}
          {!isDone && isDue && <Badge color="yellow">due</Badge>}
          {isShared && <Badge color="blue">the family sees it</Badge>}
        </p>
      </div>
      <div className="row-actions gap-4">
        <Form method="post" action={`/families/${familyId}`} preventScrollReset>
          <input type="hidden" name="id" value={id} />
          <Button name="intent" value={isDone ? "reopened" : "done"} variant="quiet">
            {isDone ? "Undo" : "Done"}
            <span className="sr-only">
              {isDone ? ": open again the follow-up: " : " with the follow-up: "}
              {shortText}
            </span>
          </Button>
        </Form>
        <Link
          to={`/families/${familyId}/follow-ups/${id}/delete`}
          preventScrollReset
          className="button button-quiet button-icon"
          aria-label={`Delete the follow-up: ${shortText}`}
        >
          <TrashIcon />
        </Link>
      </div>
    </li>
  );
}
