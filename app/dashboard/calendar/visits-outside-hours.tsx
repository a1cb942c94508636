import { Link } from "react-router";
import type { VisitOutsideHours } from "../../booking/availability/visits-outside-hours.server.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";

type VisitsOutsideHoursProps = {
  title: string;
  text: string;
  visits: readonly VisitOutsideHours[];
  /** The page to return to after moving or canceling. */
  path: string;
};

const ACTIONS = [
  { text: "Move", segment: "reschedule" },
  { text: "Cancel", segment: "cancel" },
];

/**
 * Lists the visits that were booked before the hours changed, until each is moved or canceled. Renders nothing when
 * there are none.
 */
export function VisitsOutsideHours({ title, text, visits, path }: VisitsOutsideHoursProps) {
  if (visits.length === 0) return null;
  const query = `?from=${encodeURIComponent(path)}`;
  return (
    <Card title={`${title} (${visits.length})`}>
      <p>{text}</p>
      <ul className="rows">
        {visits.map(({ path: visitPath, name, title: service, when }) => (
          <li key={visitPath} className="row">
            <p className="min-w-0 flex-1 basis-64 wrap-anywhere">
              <Link to={visitPath + query} className="link-target font-bold">
                {name}
                <span className="sr-only">, {when}</span>
              </Link>{" "}
              {when} <span className="text-muted">{service}</span>
            </p>
            <span className="row-action flex flex-wrap gap-2">
              {ACTIONS.map((action) => (
                <LinkButton key={action.segment} to={`${visitPath}/${action.segment}${query}`}>
                  {action.text}
                  <span className="sr-only">
                    {" "}
                    {name}, {when}
                  </span>
                </LinkButton>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
