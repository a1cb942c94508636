import type { ReactNode } from "react";
import { Link } from "react-router";
import { useSite } from "../practice/site.ts";
import { Badge } from "../ui/badge.tsx";
import { SeparatedList } from "../ui/parts.tsx";
import { When } from "../ui/when.tsx";
import type { Details } from "./details.server.ts";

/** What is known of one appointment: whose it is, what and when, where, and what was noted. */
export function DetailsFacts({ details }: { details: Details }) {
  const { timeZone } = useSite().practice;
  const { client, account } = details;
  return (
    <>
      <Facts title="Client">
        <Fact name="Name">{client.name}</Fact>
        {client.account && <Fact name="Account">{client.account}</Fact>}
        {account && (
          <Fact name="Email">
            <a href={`mailto:${account.email}`}>{account.email}</a>
          </Fact>
        )}
        {account?.phone && (
          <Fact name="Phone">
            <a href={`tel:${account.phone.replace(/[^+\d]/g, "")}`}>{account.phone}</a>
          </Fact>
        )}
        {account && (
          <Fact name="Intake form">
            {account.hasIntake ? (
              <Link to={`/dashboard/intake-form?userId=${client.id}`}>Read the intake form</Link>
            ) : (
              "Not filled out yet"
            )}
          </Fact>
        )}
        {!account && <Fact name="Account">None: made from a request of somebody without an account</Fact>}
      </Facts>
      <Facts title="Appointment">
        <Fact name="Title">
          {details.title}
          {details.isOther && " (Other)"}
        </Fact>
        <Fact name="When">
          <When instant={details.start} zone={timeZone} />
        </Fact>
        <Fact name="Reference">{details.id}</Fact>
        <Fact name="Length">{details.duration} minutes</Fact>
        <Fact name="Type">{details.typeLabel}</Fact>
        <Fact name="Status">
          <Badge tone={details.badge.tone}>{details.badge.label}</Badge>
        </Fact>
        {details.urgency && <Fact name="Urgency">{details.urgency}</Fact>}
        <Fact name="Live video call">{details.isLive ? "Yes, on this site" : "No"}</Fact>
        <Fact name="Payment">
          <SeparatedList items={[details.price ?? "No price", details.payment]} />
        </Fact>
        {details.description && <Fact name="Description">{details.description}</Fact>}
      </Facts>
      <Words title="Meeting link">
        {details.meetingLink ? (
          <a href={details.meetingLink} target="_blank" rel="noopener noreferrer">
            {details.meetingLink}
          </a>
        ) : (
          "None."
        )}
      </Words>
      <Words title="Notes">{details.notes ?? "None."}</Words>
    </>
  );
}

function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-lg">{title}</h3>
      <dl className="facts">{children}</dl>
    </section>
  );
}

function Words({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-lg">{title}</h3>
      <p className="wrap-anywhere whitespace-pre-line">{children}</p>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="wrap-anywhere whitespace-pre-line">{children}</dd>
    </>
  );
}
