import { Link } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { COMPLIANCE_PATH } from "../practice/site-links.ts";
import { Badge } from "../ui/badge.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { formatLongDay } from "../ui/dates.ts";
import { PageTitle } from "../ui/page-title.tsx";
import type { Route } from "./+types/cases-list";
import { type CaseRow, listCases } from "./cases.server.ts";

const TITLE = "Requests and incidents";

export function loader({ context }: Route.LoaderArgs) {
  return listCases(requirePerson(context));
}

/** What the legal pages promise an answer to, and by when. */
export default function CasesList({ loaderData: { open, closed } }: Route.ComponentProps) {
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageTitle>{TITLE}</PageTitle>
      <h1>{TITLE}</h1>
      <p>
        The legal pages promise an answer: 30 days for privacy, 2 business days for accessibility, 60 days to notify
        families of an incident.
      </p>
      <Card
        title="Open"
        action={
          <LinkButton to={`${COMPLIANCE_PATH}/new`} variant="primary">
            Enter one
          </LinkButton>
        }
      >
        {open.length === 0 && <p>Nothing is open.</p>}
        <ul className="rows">
          {open.map((row) => (
            <CaseItem key={row.id} row={row} />
          ))}
        </ul>
      </Card>
      {closed.length > 0 && (
        <Card title="Closed">
          <ul className="rows">
            {closed.map((row) => (
              <CaseItem key={row.id} row={row} />
            ))}
          </ul>
        </Card>
      )}
    </main>
  );
}

function CaseItem({ row }: { row: CaseRow }) {
  const { id, label, name, receivedDay, dueDay, timeLeft, tone, closedAt } = row;
  return (
    <li className="row items-start">
      <div className="min-w-0 flex-1 basis-72">
        <p className="wrap-anywhere">
          <Link to={`${COMPLIANCE_PATH}/${id}`} className="font-bold">
            {label} {id}
          </Link>
          {name && `, ${name}`}
        </p>
        <p className="text-muted">
          From {formatLongDay(receivedDay)}, due {formatLongDay(dueDay)}
        </p>
      </div>
      <p className="row-actions">
        {closedAt ? <Badge tone="green">closed</Badge> : <Badge tone={tone}>{timeLeft}</Badge>}
      </p>
    </li>
  );
}
