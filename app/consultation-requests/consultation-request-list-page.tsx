import type { ReactNode } from "react";
import { appointmentDetailsPath, buildReturnPathQuery } from "../booking/appointment-paths.ts";
import { useSite } from "../practice/site.ts";
import { Badge } from "../ui/badge.tsx";
import { LinkButton } from "../ui/button.tsx";
import { TrashIcon } from "../ui/icons.tsx";
import { AdminListPage } from "../ui/admin-list-page.tsx";
import { ZonedTime } from "../ui/zoned-time.tsx";
import { REQUEST_STATUS_FILTERS, URGENCY_FILTERS } from "./request-filter-options.ts";
import { RequestListItem } from "./request-list-item.tsx";
import type { ListedRequest, loadConsultationRequestsPage } from "./consultation-request-list.server.ts";

type RequestsPageProps = { data: Awaited<ReturnType<typeof loadConsultationRequestsPage>>; dialog?: ReactNode };

/** Shows all requests, including scheduled ones. Also shown behind a dialog that was opened from this list. */
export function ConsultationRequestsPage({ data, dialog }: RequestsPageProps) {
  const { search, statusFilter, urgency, openCount, total, page, pageCount, requests, path } = data;
  const query = buildReturnPathQuery(path);
  const isFiltered = search !== "" || statusFilter !== "open" || urgency !== "any";
  return (
    <AdminListPage
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
      emptyText="No open requests. New ones from the public page show up here."
      action={<LinkButton to="/requests/new">Add a request</LinkButton>}
      total={total}
      countNote={openCount === null ? null : `${openCount} open, ${total - openCount} scheduled.`}
      page={page}
      pageCount={pageCount}
      dialog={dialog}
      path={path}
    >
      {requests.map((request) => (
        <RequestItem key={request.id} request={request} query={query} isExpanded={requests.length === 1} />
      ))}
    </AdminListPage>
  );
}

type RequestItemProps = { request: ListedRequest; query: string; isExpanded: boolean };

function RequestItem({ request, query, isExpanded }: RequestItemProps) {
  const { timeZone } = useSite().practice;
  const { id, appointment, isOpen, hasAccount, name } = request;
  return (
    <RequestListItem
      request={request}
      query={query}
      isOpen={isOpen}
      isExpanded={isExpanded}
      badge={<Badge color={isOpen ? "blue" : "green"}>{isOpen ? "open" : "scheduled"}</Badge>}
    >
      {appointment && (
        <LinkButton to={`${appointmentDetailsPath(appointment.id)}${query}`}>
          <span>
            Appointment with {name}: <ZonedTime instant={appointment.start} zone={timeZone} inSentence />
          </span>
        </LinkButton>
      )}
      {!isOpen && !hasAccount && (
        <LinkButton to={`/dashboard/requests/${id}/erase${query}`} preventScrollReset variant="quiet">
          <TrashIcon /> Delete everything<span className="sr-only"> about {name}</span>
        </LinkButton>
      )}
      {!isOpen && !appointment && <span className="text-muted">Its appointment was deleted.</span>}
    </RequestListItem>
  );
}

function toOption(value: string) {
  return { value, label: value === "any" ? "Any" : value };
}
