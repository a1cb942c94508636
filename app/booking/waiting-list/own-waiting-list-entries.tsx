import { Form } from "react-router";
import { useSite } from "../../practice/site.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { formatDateTime } from "../../ui/format-date-time.ts";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import { WAITING_LIST_PATH } from "../appointment-paths.ts";
import type { listOwnWaitingListEntries } from "./waiting-list.server.ts";

type OwnEntry = Awaited<ReturnType<typeof listOwnWaitingListEntries>>[number];

/** Shows a time that is held for the family, to accept or decline. */
export function WaitingListOfferCard({
  offer,
  entry: { id: entryId, dayName },
}: {
  offer: NonNullable<OwnEntry["offer"]>;
  entry: OwnEntry;
}) {
  const { timeZone } = useSite().practice;
  const when = formatDateTime(offer.start, timeZone);
  return (
    <Card title={`A time has opened up: ${when}`}>
      <p>
        Until <ZonedTime instant={offer.until} zone={timeZone} inSentence /> we are holding it for you. Then we ask the
        next family on the list.
      </p>
      <Form method="post" action={WAITING_LIST_PATH} className="actions">
        <input type="hidden" name="id" value={offer.id} />
        <Button variant="primary" name="change" value="take" aria-label={`Book this time: ${when}`}>
          Book this time
        </Button>
        <Button name="change" value="decline" aria-label={`I don't need it: ${when}`}>
          I don't need it
        </Button>
      </Form>
      <p>Leaving the list gives this time up, too. Booking it takes you off the list by itself.</p>
      <LeaveListForm id={entryId} dayName={dayName} />
    </Card>
  );
}

/** Shows the days that the family waits for, with its position on each list. */
export function WaitingDaysCard({ entries }: { entries: readonly OwnEntry[] }) {
  return (
    <Card title="You are waiting for">
      <ul className="rows">
        {entries.map(({ id, dayName, duration, queuePosition }) => (
          <li key={id} className="row">
            <div className="min-w-0 flex-1 basis-56">
              <p>
                <strong>{dayName}</strong>
              </p>
              <p className="text-muted">
                A visit of {duration} minutes.{" "}
                {queuePosition === 1 ? "You are first on the list." : `You are number ${queuePosition} on the list.`}
              </p>
            </div>
            <LeaveListForm id={id} dayName={dayName} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function LeaveListForm({ id, dayName }: Pick<OwnEntry, "id" | "dayName">) {
  return (
    <Form method="post" action={WAITING_LIST_PATH} preventScrollReset>
      <input type="hidden" name="id" value={id} />
      <Button name="change" value="leave" aria-label={`Leave the list of ${dayName}`}>
        Leave the list
      </Button>
    </Form>
  );
}
