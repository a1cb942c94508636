import { Link } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { COMPLIANCE_CASES_PATH } from "../practice/site-links.ts";
import { Badge } from "../ui/badge.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { formatLongPlainDate } from "../ui/format-date-time.ts";
import { formatCountWithNoun } from "../format-count-with-noun.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import { Pagination } from "../ui/pagination.tsx";
import type { Route } from "./+types/compliance-case-list";
import { type CaseRow, loadCaseListWithAudit } from "./compliance-case-list.server.ts";

const TITLE = "Legal requests";

export function loader({ context, url }: Route.LoaderArgs) {
  return loadCaseListWithAudit(requirePerson(context), url.searchParams);
}

/** Shows the cases to which the legal pages promise an answer, with their due days. */
export default function ComplianceCaseList({ loaderData }: Route.ComponentProps) {
  const { status, rows, total, page, pageCount } = loaderData;
  const isOpen = status === "open";
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta>{TITLE}</PageMeta>
      <h1>{TITLE}</h1>
      <p>
        The legal pages promise an answer: 30 days for privacy, 2 business days for accessibility, 60 days to notify
        families of an incident.
      </p>
      <Card
        title={isOpen ? "Open" : "Closed"}
        action={
          <LinkButton to={`${COMPLIANCE_CASES_PATH}/new`} variant="primary">
            Add a request
          </LinkButton>
        }
      >
        <p>
          {total === 0
            ? `Nothing is ${status}.`
            : `${formatCountWithNoun(total, "request or incident", "requests and incidents")}.`}
        </p>
        <ul className="rows">
          {rows.map((row) => (
            <CaseItem key={row.id} row={row} />
          ))}
        </ul>
        <Pagination page={page} pageCount={pageCount} label="Pages of requests and incidents" />
      </Card>
      <p>
        <LinkButton to={isOpen ? `${COMPLIANCE_CASES_PATH}?status=closed` : COMPLIANCE_CASES_PATH}>
          {isOpen ? "See what is closed" : "See what is open"}
        </LinkButton>
      </p>
    </main>
  );
}

function CaseItem({ row }: { row: CaseRow }) {
  const { id, label, name, receivedDay, dueDay, timeLeft, color, closedAt } = row;
  return (
    <li className="row items-start">
      <div className="min-w-0 flex-1 basis-72">
        <p className="wrap-anywhere">
          <Link to={`${COMPLIANCE_CASES_PATH}/${id}`} className="font-bold">
            {label} {id}
          </Link>
          {name && `, ${name}`}
        </p>
        <p className="text-muted">
          From {formatLongPlainDate(receivedDay)}, due {formatLongPlainDate(dueDay)}
        </p>
      </div>
      <p className="row-actions">
        {closedAt ? <Badge color="green">closed</Badge> : <Badge color={color}>{timeLeft}</Badge>}
      </p>
    </li>
  );
}
