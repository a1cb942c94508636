import { Link } from "react-router";
import { UpcomingRoomLink } from "../booking/appointment-list/upcoming-room-link.tsx";
import { appointmentDetailsPath, buildReturnPathQuery, adminReschedulePath } from "../booking/appointment-paths.ts";
import { SHORT_VISIT_KIND_LABELS } from "../booking/visit-kind.ts";
import { uploadForFamilyPath } from "../documents/document-paths.ts";
import { deleteFamilyPath, familyExportPath, cancelFamilyErasurePath } from "../data-rights/data-rights-paths.ts";
import { formatCountWithNoun } from "../format-count-with-noun.ts";
import { useSite } from "../practice/site.ts";
import { COMPLIANCE_CASES_PATH, formatPhone, phoneHref } from "../practice/site-links.ts";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { formatDateTime } from "../ui/format-date-time.ts";
import { VideoIcon } from "../ui/icons.tsx";
import { SeparatedList } from "../ui/separated-list.tsx";
import { ZonedTime } from "../ui/zoned-time.tsx";
import type { FamilyPageData } from "./family-page-data.server.ts";

/** Shows what the administrator needs in the two minutes before a visit, and her most frequent actions. */
export function FamilyHeader({ family }: { family: FamilyPageData }) {
  const { id, profile, currentVisit, nextVisit } = family;
  const callVisit = currentVisit?.isOngoing ? currentVisit : nextVisit;
  return (
    <div role="region" className="card gap-3" aria-label="At a glance">
      {currentVisit && (
        <CurrentVisit visit={currentVisit} familyReturnQuery={buildReturnPathQuery(`/families/${id}`)} />
      )}
      {profile && (
        <p className="wrap-anywhere">
          <span className="sr-only">Child: </span>
          <b>{profile.child}</b>
          {profile.school && <span className="block text-muted">{profile.school}</span>}
        </p>
      )}
      <FamilyFacts family={family} />
      <div className="flex flex-wrap gap-2">
        {currentVisit?.needsOutcome && (
          <LinkButton
            variant="primary"
            to={`${appointmentDetailsPath(currentVisit.id)}/after${buildReturnPathQuery(`/families/${id}`)}`}
            preventScrollReset
          >
            Finish visit
          </LinkButton>
        )}
        {callVisit?.callLabel && callVisit.isRoomOpen && (
          <LinkButton
            variant={callVisit.isOngoing && !currentVisit?.needsOutcome ? "primary" : "secondary"}
            to={`/video-call/${callVisit.id}`}
          >
            <VideoIcon /> {callVisit.callLabel}
          </LinkButton>
        )}
        <LinkButton to="#new-note">Write a note</LinkButton>
        <LinkButton to={uploadForFamilyPath(id)} preventScrollReset>
          Upload
        </LinkButton>
        <LinkButton to={`/families/${id}/appointments/new`} preventScrollReset>
          Book
        </LinkButton>
      </div>
    </div>
  );
}

type CurrentVisitProps = { visit: NonNullable<FamilyPageData["currentVisit"]>; familyReturnQuery: string };

/** Shows the visit that is in progress, or that has no outcome yet. */
function CurrentVisit({ visit, familyReturnQuery }: CurrentVisitProps) {
  const { timeZone } = useSite().practice;
  return (
    <p className="border-b border-line pb-2">
      <SeparatedList
        items={[
          <strong key="state" className={visit.isOngoing ? "" : "text-warn"}>
            {visit.isOngoing ? "Visit now" : "Not finished yet"}
          </strong>,
          <Link key="visit" to={`${appointmentDetailsPath(visit.id)}${familyReturnQuery}`} preventScrollReset>
            <ZonedTime instant={visit.start} zone={timeZone} inSentence>
              {formatDateTime(visit.start, timeZone)}
            </ZonedTime>
          </Link>,
          visit.title,
        ]}
      />
    </p>
  );
}

function FamilyFacts({
  family: { id, profile, nextVisit, amountDueText, upcomingAmount, phone, email },
}: {
  family: FamilyPageData;
}) {
  const { timeZone } = useSite().practice;
  const familyReturnQuery = buildReturnPathQuery(`/families/${id}`);
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-2 lg:grid-cols-[repeat(4,auto)] [&_dt]:text-sm [&_dt]:text-muted">
      <div>
        <dt>Phone{profile?.preferredContact === "phone" && ", preferred"}</dt>
        <dd>
          {phone ? (
            <a href={phoneHref(phone)} className="link-target">
              {formatPhone(phone)}
            </a>
          ) : (
            "Not given"
          )}
        </dd>
      </div>
      <div className="min-w-0">
        <dt>Email{profile?.preferredContact === "email" && ", preferred"}</dt>
        <dd className="wrap-anywhere">
          <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>
        </dd>
      </div>
      <div className="max-sm:col-span-2">
        <dt>Next visit</dt>
        <dd>
          {nextVisit ? (
            <SeparatedList
              items={[
                <Link key="visit" to={`${appointmentDetailsPath(nextVisit.id)}${familyReturnQuery}`} preventScrollReset>
                  <ZonedTime instant={nextVisit.start} zone={timeZone} inSentence>
                    {formatDateTime(nextVisit.start, timeZone)}
                  </ZonedTime>
                </Link>,
                <span key="kind" className="wrap-anywhere">
                  {SHORT_VISIT_KIND_LABELS[nextVisit.visitKind]}
                  {nextVisit.ownPlace && `, ${nextVisit.ownPlace}`}
                </span>,
                nextVisit.callLabel && !nextVisit.isRoomOpen && <UpcomingRoomLink key="room" row={nextVisit} />,
                nextVisit.canCancel && (
                  <Link key="move" to={`${adminReschedulePath(nextVisit.id)}${familyReturnQuery}`} preventScrollReset>
                    Move<span className="sr-only"> this visit</span>
                  </Link>
                ),
              ]}
            />
          ) : (
            "None booked"
          )}
        </dd>
      </div>
      <div className="max-sm:col-span-2">
        <dt>Money due</dt>
        <dd>
          <SeparatedList
            items={[
              <span key="due" className={amountDueText ? "font-bold text-warn" : ""}>
                {amountDueText ?? "Nothing"}
              </span>,
              upcomingAmount,
            ]}
          />
        </dd>
      </div>
    </dl>
  );
}

/** Shows since when the family has had its account, and the administrator's actions for it. */
export function AccountCard({ family }: { family: FamilyPageData }) {
  const { timeZone } = useSite().practice;
  const { id, email, createdAt, closedAt, eraseAfter, canCancelErasure, upcoming, unconfirmedRequests } = family;
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
          {family.isErasureByPractice
            ? "You scheduled the deletion of this account."
            : "This family asked to delete its account."}{" "}
          Everything about it is deleted on <ZonedTime instant={eraseAfter} zone={timeZone} inSentence />, your notes
          too, unless {closedAt ? "" : "it signs in before and keeps it, or "}you keep it here. Payments stay, without a
          name.
        </p>
      )}
      {unconfirmedRequests > 0 && (
        <p role="note" className="notice wrap-anywhere">
          {formatCountWithNoun(unconfirmedRequests, "consultation request")} came with {email}, which this family has
          not confirmed. They may be somebody else's, so they are not in its copy of everything and are not deleted with
          its account.{" "}
          <Link to={`/requests?q=${encodeURIComponent(email)}`}>Look at them, and delete the open ones</Link>
        </p>
      )}
      <div className="actions">
        {!closedAt && <LinkButton to="/dashboard/reset-link">Password link</LinkButton>}
        {family.hasUndoLink && (
          <LinkButton to={`/families/${id}/end-undo-link`} preventScrollReset>
            End the link in its old mailbox
          </LinkButton>
        )}
        {closedAt && (
          <LinkButton to={`/families/${id}/open`} preventScrollReset>
            Open account again
          </LinkButton>
        )}
        {!eraseAfter && (!closedAt || hasUpcoming) && (
          <LinkButton to={`/families/${id}/close`} preventScrollReset>
            {closedAt ? "Cancel what is left" : "Close account"}
          </LinkButton>
        )}
        {!eraseAfter && (
          <LinkButton to={deleteFamilyPath(id)} preventScrollReset>
            Delete account
          </LinkButton>
        )}
        {canCancelErasure && (
          <LinkButton to={cancelFamilyErasurePath(id)} preventScrollReset>
            Keep this account
          </LinkButton>
        )}
        <LinkButton href={familyExportPath(id)}>Download everything</LinkButton>
        <LinkButton to={`${COMPLIANCE_CASES_PATH}/new?userId=${id}`}>Enter a request or an incident</LinkButton>
        <LinkButton to={`/activity?family=${id}`}>Access log</LinkButton>
        <LinkButton to="/families">All families</LinkButton>
      </div>
    </Card>
  );
}
