import { requirePerson } from "../accounts/guards.server.ts";
import { appointmentDetailsPath } from "../booking/paths.ts";
import { useSite } from "../practice/site.ts";
import { Badge } from "../ui/badge.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ListSearch } from "../ui/list-search.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { Pagination } from "../ui/pagination.tsx";
import { When } from "../ui/when.tsx";
import type { Route } from "./+types/requests-list";
import { type ListedRequest, requestsPage } from "./requests-list.server.ts";
import { STATUS_FILTERS, URGENCY_FILTERS } from "./filters.ts";
import { RequestActions } from "./request-actions.tsx";
import { RequestFacts } from "./request-facts.tsx";

export function loader({ context, url }: Route.LoaderArgs) {
  return requestsPage(requirePerson(context), url.searchParams);
}

/** All requests, including scheduled ones. */
export default function Requests({ loaderData }: Route.ComponentProps) {
  const { search, statusFilter, urgency, total, page, pageCount, requests } = loaderData;
  const isFiltered = search !== "" || statusFilter !== "any" || urgency !== "any";
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageTitle>Consultation requests</PageTitle>
      <h1>Consultation requests</h1>
      <ListSearch
        action="/requests"
        label="Search requests"
        hint="A name, an email address, a phone number or words of the request."
        search={search}
        isFiltered={isFiltered}
        filters={[
          { name: "status", label: "Status", value: statusFilter, options: STATUS_FILTERS.map(toOption) },
          { name: "urgency", label: "Urgency", value: urgency, options: URGENCY_FILTERS.map(toOption) },
        ]}
      />
      <Card title={isFiltered ? "Requests found" : "All requests"}>
        {total === 0 && !isFiltered ? (
          <EmptyState
            illustration="letter"
            title="No requests yet"
            text="Requests from the public page show up here."
          />
        ) : (
          <p role="status">{total === 1 ? "1 request." : `${total} requests.`}</p>
        )}
        <ul className="rows">
          {requests.map((request) => (
            <RequestItem key={request.id} request={request} />
          ))}
        </ul>
        <Pagination page={page} pageCount={pageCount} label="Pages of requests" />
      </Card>
    </main>
  );
}

function RequestItem({ request }: { request: ListedRequest }) {
  const { timeZone } = useSite().practice;
  const { appointment, isOpen, name } = request;
  return (
    <li className="row items-start">
      <RequestFacts request={request} titleAs="h3" />
      <Badge tone={isOpen ? "blue" : "green"}>{isOpen ? "open" : "scheduled"}</Badge>
      <div className="actions mt-1 w-full">
        <RequestActions request={request} isOpen={isOpen} />
        {appointment && (
          <LinkButton to={appointmentDetailsPath(appointment.id)}>
            <span>
              Appointment with {name}: <When instant={appointment.start} zone={timeZone} inSentence />
            </span>
          </LinkButton>
        )}
        {!isOpen && !appointment && <span className="text-muted">Its appointment was deleted.</span>}
      </div>
    </li>
  );
}

function toOption(value: string) {
  return { value, label: value === "any" ? "Any" : value };
}
