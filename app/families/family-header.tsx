import { Link } from "react-router";
import { appointmentDetailsPath, returnQuery } from "../booking/paths.ts";
import { NEW_DOCUMENT_PATH } from "../documents/paths.ts";
import { familyExportPath } from "../data-rights/paths.ts";
import { useSite } from "../practice/site.ts";
import { phoneLink } from "../practice/site-links.ts";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { formatDateTime } from "../ui/dates.ts";
import { VideoIcon } from "../ui/icons.tsx";
import { SeparatedList } from "../ui/separated-list.tsx";
import { ZonedTime } from "../ui/zoned-time.tsx";
import type { FamilyPage } from "./family.server.ts";

/** What the administrator needs in the two minutes before a visit, and what she does most. */
export function FamilyHeader({ family }: { family: FamilyPage }) {
  const { timeZone } = useSite().practice;
  const { id, profile, running, next, due, phone, email } = family;
  const visit = running ?? next;
  const backTo = returnQuery(`/families/${id}`);
  return (
    <div role="region" className="card" aria-label="At a glance">
      <dl className="facts lg:grid-cols-[max-content_1fr_max-content_1fr]">
        {profile && (
          <>
            <dt>Child</dt>
            <dd className="font-bold">{profile.child}</dd>
            {profile.school && (
              <>
                <dt>School</dt>
                <dd>{profile.school}</dd>
              </>
            )}
          </>
        )}
        <dt>Phone</dt>
        <dd>
          {phone ? <a href={phoneLink(phone)}>{phone}</a> : "Not given"}
          {profile?.prefers === "phone" && " (prefers a call)"}
        </dd>
        <dt>Email</dt>
        <dd>
          <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>
          {profile?.prefers === "email" && " (prefers email)"}
        </dd>
        <dt>{running ? "Visit now" : "Next visit"}</dt>
        <dd>
          {visit ? (
            <SeparatedList
              items={[
                <Link key="visit" to={`${appointmentDetailsPath(visit.id)}${backTo}`}>
                  <ZonedTime instant={visit.start} zone={timeZone} inSentence>
                    {formatDateTime(visit.start, timeZone)}
                  </ZonedTime>
                </Link>,
                visit.canCancel && (
                  <Link key="move" to={`${appointmentDetailsPath(visit.id)}/reschedule${backTo}`} preventScrollReset>
                    Move<span className="sr-only"> this visit</span>
                  </Link>
                ),
              ]}
            />
          ) : (
            "None booked"
          )}
        </dd>
        <dt>Money due</dt>
        <dd className={due ? "font-bold text-warn" : ""}>{due ?? "Nothing"}</dd>
      </dl>
      <div className="actions">
        {visit?.callLabel && (
          <LinkButton variant={running ? "primary" : "secondary"} to={`/video-call/${visit.id}`}>
            <VideoIcon /> {visit.callLabel}
          </LinkButton>
        )}
        <LinkButton to="#new-note">Write a note</LinkButton>
        <LinkButton to={`${NEW_DOCUMENT_PATH}?userId=${id}`}>Upload</LinkButton>
        <LinkButton to={`/families/${id}/appointments/new`} preventScrollReset>
          Book
        </LinkButton>
      </div>
    </div>
  );
}

/** Since when the family has its account, and what the administrator can do with it. */
export function AccountCard({ family }: { family: FamilyPage }) {
  const { timeZone } = useSite().practice;
  const { id, createdAt, closedAt, eraseAfter, upcoming } = family;
  const hasUpcoming = upcoming.some(({ isCancelled }) => !isCancelled);
  return (
    <Card title="Account">
      <p>
        Family since <ZonedTime instant={createdAt} zone={timeZone} inSentence />.
      </p>
      {closedAt && (
        <p role="note" className="notice">
          You closed this account on <ZonedTime instant={closedAt} zone={timeZone} inSentence />. The family can't sign
          in.
        </p>
      )}
      {eraseAfter && (
        <p role="note" className="notice">
          This family asked to delete its account. Everything about it is deleted on{" "}
          <ZonedTime instant={eraseAfter} zone={timeZone} inSentence />, your notes too, unless it signs in before and
          keeps it. Payments stay, without a name.
        </p>
      )}
      <div className="actions">
        {!closedAt && <LinkButton to="/dashboard/reset-link">Password link</LinkButton>}
        {closedAt && (
          <LinkButton to={`/families/${id}/open`} preventScrollReset>
            Open account again
          </LinkButton>
        )}
        {(!closedAt || hasUpcoming) && (
          <LinkButton to={`/families/${id}/close`} preventScrollReset>
            {closedAt ? "Cancel what is left" : "Close account"}
          </LinkButton>
        )}
        <LinkButton href={familyExportPath(id)}>Download everything</LinkButton>
        <LinkButton to={`/activity?family=${id}`}>Who opened this file</LinkButton>
        <LinkButton to="/families">All families</LinkButton>
      </div>
    </Card>
  );
}
