import type { ReactNode } from "react";
import { Link } from "react-router";
import { notesWithoutName } from "../../booking/client-name.ts";
import { RequestFacts } from "../../consultation-requests/request-facts.tsx";
import { EmailLink } from "../../practice/contact-links.tsx";
import { useSite } from "../../practice/site.ts";
import { formatPhone, phoneHref, PRACTICE_DETAILS_PATH } from "../../practice/site-links.ts";
import { SeparatedList } from "../../ui/separated-list.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import type { AppointmentDetails } from "./appointment-details.server.ts";

/** Shows the details of one appointment that its header does not contain: contact, service, place and notes. */
export function AppointmentFacts({ details }: { details: AppointmentDetails }) {
  const { timeZone } = useSite().practice;
  const { client, account } = details;
  const notes = notesWithoutName(details.notes, client.name);
  return (
    <>
      <FactSection title="Client">
        {client.account && <Fact term="Account">{client.account}</Fact>}
        {account && (
          <Fact term="Email">
            <EmailLink email={account.email} className="" />
            {account.mailtoUrl && (
              <>
                {" · "}
                <a href={account.mailtoUrl}>Tell the family by email</a>
              </>
            )}
          </Fact>
        )}
        {account?.phone && (
          <Fact term="Phone">
            <a href={phoneHref(account.phone)}>{formatPhone(account.phone)}</a>
          </Fact>
        )}
        {!account && <Fact term="Account">None: made from a request by someone without an account</Fact>}
      </FactSection>
      {details.request && (
        <section>
          <h3 className="mb-1 text-lg">Request</h3>
          <RequestFacts request={details.request} titleAs="h4" />
        </section>
      )}
      <FactSection title="Appointment">
        <Fact term="Title">
          {details.title}
          {details.isCustomTitle && " (Other)"}
        </Fact>
        <Fact term="When">
          <ZonedTime instant={details.start} zone={timeZone} />
        </Fact>
        <Fact term="Length">
          {details.duration} minutes{details.exceedsServiceDuration && ", longer than sold"}
        </Fact>
        {details.typeLabel && <Fact term="Type">{details.typeLabel}</Fact>}
        {details.cancellation && <Fact term="Canceled">{details.cancellation}</Fact>}
        {details.urgency && <Fact term="Urgency">{details.urgency}</Fact>}
        {details.lacksAccountForVideo && (
          <Fact term="Live video call">Nobody can join it yet: the family needs an account.</Fact>
        )}
        {details.isInPerson && (
          <Fact term="Place">
            {details.place ?? (
              <>
                To be agreed on. The family's mail says that you'll call or email by the day before. You can{" "}
                {details.canSetPlace && "set it below, or "}
                <Link to={PRACTICE_DETAILS_PATH}>set one place for all visits</Link>.
              </>
            )}
          </Fact>
        )}
        <Fact term="Payment">
          <SeparatedList items={[details.price ?? "No price", details.payment]} />
        </Fact>
        {details.description && <Fact term="Description">{details.description}</Fact>}
        {details.meetingLink && (
          <Fact term="Meeting link">
            <a href={details.meetingLink} target="_blank" rel="noopener noreferrer">
              {details.meetingLink}
            </a>
          </Fact>
        )}
        {notes && <Fact term="Notes">{notes}</Fact>}
      </FactSection>
    </>
  );
}

function FactSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-lg">{title}</h3>
      <dl className="facts">{children}</dl>
    </section>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd className="wrap-anywhere whitespace-pre-line">{children}</dd>
    </>
  );
}
