import { Link } from "react-router";
import type { listWaitingListEntries } from "../../booking/waiting-list/waiting-list.server.ts";
import { useSite } from "../../practice/site.ts";
import { Card } from "../../ui/card.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";

type WaitingListCardProps = { waiting: Awaited<ReturnType<typeof listWaitingListEntries>> };

/** Lists the families that wait for a time on one of the shown days, in the order of the waiting list. */
export function WaitingListCard({ waiting }: WaitingListCardProps) {
  const { timeZone } = useSite().practice;
  const days = Map.groupBy(waiting, ({ dayName }) => dayName);
  return (
    <Card title="Waiting list">
      <p className="text-muted">
        A time that opens is offered to the first family, then to the next, two hours each, not counting the night. New
        families come last, until they confirm their email and send in the intake form.
      </p>
      {[...days].map(([dayName, families]) => (
        <section key={dayName}>
          <h3 className="text-lg">{dayName}</h3>
          <ol className="rows">
            {families.map(({ id, familyId, name, duration, offered }) => (
              <li key={id} className="row">
                <Link
                  to={`/families/${familyId}`}
                  className="inline-flex min-h-11 min-w-0 items-center font-bold text-primary underline decoration-1 underline-offset-4 wrap-anywhere hover:decoration-2"
                >
                  {name}
                </Link>
                <span className="text-muted">{duration} minutes</span>
                {offered && (
                  <span>
                    <ZonedTime instant={offered} zone={timeZone} inSentence /> is offered now
                  </span>
                )}
              </li>
            ))}
          </ol>
        </section>
      ))}
    </Card>
  );
}
