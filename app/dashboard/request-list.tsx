import type { RequestRow } from "../consultations/request-rows.ts";
import { RequestFacts } from "../consultations/request-facts.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Empty } from "../ui/empty.tsx";
import { CalendarIcon, MailIcon, TrashIcon } from "../ui/icons.tsx";
import { sayNotice } from "../ui/notice.ts";

type RequestListProps = { requests: RequestRow[]; waiting: number; filters: string };

/** The requests that wait for an answer. */
export function RequestList({ requests, waiting, filters }: RequestListProps) {
  return (
    <div id="requests">
      <Card title="Consultation Requests" action={<LinkButton to="/requests">All requests</LinkButton>}>
        {requests.length === 0 ? (
          <Empty picture="letter" title="No open requests" text="New requests show up here within seconds." />
        ) : (
          <ul className="rows">
            {requests.map((request) => (
              <li key={request.id} className="row items-start">
                <RequestFacts request={request} titleAs="h3" />
                <div className="actions w-full">
                  <LinkButton href={request.mail} onClick={() => sayOpened(request)}>
                    <MailIcon /> Contact Client<span className="sr-only">: {request.name}</span>
                  </LinkButton>
                  <LinkButton to={`/dashboard/requests/${request.id}/schedule${filters}`} preventScrollReset>
                    <CalendarIcon /> Schedule Consultation<span className="sr-only"> with {request.name}</span>
                  </LinkButton>
                  <LinkButton
                    to={`/dashboard/requests/${request.id}/delete${filters}`}
                    preventScrollReset
                    variant="quiet"
                  >
                    <TrashIcon /> Delete<span className="sr-only"> the request of {request.name}</span>
                  </LinkButton>
                </div>
              </li>
            ))}
          </ul>
        )}
        {waiting > requests.length && (
          <p>
            These are the first {requests.length} of {waiting}. <LinkButton to="/requests">See all of them</LinkButton>
          </p>
        )}
      </Card>
    </div>
  );
}

function sayOpened({ name, email }: RequestRow) {
  sayNotice({ title: "Email Client Opened", description: `A letter to ${name} (${email}) is ready to be written.` });
}
