import { recordListRead } from "../audit/list-reads.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { appointmentDetailsPath } from "../booking/paths.ts";
import { useSite } from "../practice/site.ts";
import { Badge } from "../ui/badge.tsx";
import { LinkButton } from "../ui/button.tsx";
import { ListPage } from "../ui/list-page.tsx";
import { When } from "../ui/when.tsx";
import type { Route } from "./+types/requests-list";
import { type ListedRequest, requestsPage } from "./requests-list.server.ts";
import { REQUEST_STATUS_FILTERS, URGENCY_FILTERS } from "./filters.ts";
import { RequestActions } from "./request-actions.tsx";
import { RequestFacts } from "./request-facts.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  await recordListRead();
  return requestsPage(requirePerson(context), url.searchParams);
}

/** All requests, including scheduled ones. */
export default function Requests({ loaderData }: Route.ComponentProps) {
  const { search, statusFilter, urgency, total, page, pageCount, requests } = loaderData;
  const isFiltered = search !== "" || statusFilter !== "any" || urgency !== "any";
  return (
    <ListPage
      title="Consultation requests"
      nouns={["request", "requests"]}
      search={{
        action: "/requests",
        label: "Search requests",
        hint: "A name, an email address, a phone number or words of the request.",
        search,
        isFiltered,
        filters: [
          { name: "status", label: "Status", value: statusFilter, options: REQUEST_STATUS_FILTERS.map(toOption) },
          { name: "urgency", label: "Urgency", value: urgency, options: URGENCY_FILTERS.map(toOption) },
        ],
      }}
      emptyText="Requests from the public page show up here."
      total={total}
      page={page}
      pageCount={pageCount}
    >
      {requests.map((request) => (
        <RequestItem key={request.id} request={request} />
      ))}
    </ListPage>
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
