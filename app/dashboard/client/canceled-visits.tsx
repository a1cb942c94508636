import { useSite } from "../../practice/site.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import type { ClientOverview } from "./client-dashboard.tsx";

/** Says which upcoming visits the practice has canceled, until the family has booked another one. */
export function CanceledVisits({ visits }: { visits: ClientOverview["canceled"] }) {
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
