import { requirePerson } from "../accounts/guards.server.ts";
import { detailsAddress } from "../booking/addresses.ts";
import { useSite } from "../practice/site.ts";
import { Badge } from "../ui/badge.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { ListSearch } from "../ui/list-search.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { Pagination } from "../ui/pages.tsx";
import { When } from "../ui/when.tsx";
import type { Route } from "./+types/archive";
import { type ArchivedRequest, requestArchive } from "./archive.server.ts";
import { STANDINGS, URGENCY_FILTERS } from "./filters.ts";
import { RequestActions } from "./request-actions.tsx";
import { RequestFacts } from "./request-facts.tsx";

export function loader({ context, url }: Route.LoaderArgs) {
  return requestArchive(requirePerson(context), url.searchParams);
}

/** All requests, also those that became appointments. */
export default function Requests({ loaderData }: Route.ComponentProps) {
  const { question, standing, urgency, found, page, pages, requests } = loaderData;
  const isFiltered = question !== "" || standing !== "any" || urgency !== "any";
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageTitle>Consultation requests</PageTitle>
      <h1>Consultation requests</h1>
      <ListSearch
        action="/requests"
        label="Search requests"
        hint="A name, an email address, a phone number or words of the request."
        search={question}
        isFiltered={isFiltered}
        filters={[
          { name: "status", label: "Status", value: standing, options: STANDINGS.map(option) },
          { name: "urgency", label: "Urgency", value: urgency, options: URGENCY_FILTERS.map(option) },
        ]}
      />
      <Card title={isFiltered ? "Requests found" : "All requests"}>
        {found === 0 && !isFiltered ? (
          <EmptyState
            illustration="letter"
            title="No requests yet"
            text="Requests from the public page show up here."
          />
        ) : (
          <p role="status">{found === 1 ? "1 request." : `${found} requests.`}</p>
        )}
        <ul className="rows">
          {requests.map((request) => (
            <Archived key={request.id} request={request} />
          ))}
        </ul>
        <Pagination page={page} pageCount={pages} label="Pages of requests" />
      </Card>
    </main>
  );
}

function Archived({ request }: { request: ArchivedRequest }) {
  const { timeZone } = useSite().practice;
  const { appointment, isOpen, name } = request;
  return (
    <li className="row items-start">
      <RequestFacts request={request} titleAs="h3" />
      <Badge tone={isOpen ? "blue" : "green"}>{isOpen ? "open" : "scheduled"}</Badge>
      <div className="actions mt-1 w-full">
        <RequestActions request={request} isOpen={isOpen} />
        {appointment && (
          <LinkButton to={detailsAddress(appointment.id)}>
            <span>
              Appointment of {name}: <When instant={appointment.start} zone={timeZone} inSentence />
            </span>
          </LinkButton>
        )}
        {!isOpen && !appointment && <span className="text-muted">Its appointment was deleted.</span>}
      </div>
    </li>
  );
}

function option(value: string) {
  return { value, label: value === "any" ? "Any" : value };
}
