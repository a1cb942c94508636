import { Form, useOutlet } from "react-router";
import { UnfinishedBookingCard } from "../../booking/resume/unfinished-booking-card.tsx";
import { DownloadLink, ViewLink } from "../../documents/document-links.tsx";
import { useSite } from "../../practice/site.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card, Stat } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { VideoIcon } from "../../ui/icons.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { SeparatedList } from "../../ui/separated-list.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import { NextVisit } from "./next-visit.tsx";
import { ClientTasks } from "./client-tasks.tsx";
import type { clientOverview } from "./client-overview.server.ts";

export type ClientOverview = Awaited<ReturnType<typeof clientOverview>> & {
  firstName: string;
  isFirstVisit: boolean;
  needsEmailConfirmation: boolean;
  /** The visit whose room the family has just left. */
  leftVisitId: number | null;
};

export function ClientDashboard({ overview }: { overview: ClientOverview }) {
  const dialog = useOutlet();
  const { unfinished } = overview;
  const isPickedUp = unfinished.booking !== null || unfinished.intake !== null;
  return (
    <main id="main" tabIndex={-1} className="page">
      {!dialog && <PageTitle>Dashboard</PageTitle>}
      <h1>
        {overview.isFirstVisit ? "Welcome" : "Welcome back"}, {overview.firstName}!
      </h1>
      {overview.joinable.map(({ id, title, start, entry }) => (
        <JoinableAppointment
          key={id}
          id={id}
          title={title}
          start={start}
          isNow={entry === "join-now"}
          isLeft={id === overview.leftVisitId}
        />
      ))}
      <UnfinishedBookingCard unfinished={unfinished} />
      {overview.next && <NextVisit visit={overview.next} />}
      <ClientTasks
        needsIntake={!overview.hasIntake && !isPickedUp}
        needsEmailConfirmation={overview.needsEmailConfirmation}
        nextVisitId={overview.next?.id ?? null}
        followUps={overview.followUps}
      />
      <RecentAppointments
        appointments={overview.recent}
        total={overview.total}
        isPrimary={overview.joinable.length === 0 && !isPickedUp}
      />
      <RecentDocuments documents={overview.recentDocuments} />
      <div className="stats stats-small">
        <Stat label="Upcoming Appointments" value={overview.upcoming} to="/appointments" />
        <Stat label="Total Appointments" value={overview.total} to="/appointments" />
        <Stat label="Documents" value={overview.documents} to="/documents" />
      </div>
      <div className="row-actions">
        <LinkButton variant="quiet" to="/dashboard/intake-form">
          Intake Form
        </LinkButton>
        <LinkButton variant="quiet" to="/dashboard/settings">
          Account Settings
        </LinkButton>
        <Form method="post" action="/logout" className="contents">
          <Button variant="quiet" type="submit">
            Logout
          </Button>
        </Form>
      </div>
      {dialog}
    </main>
  );
}

/** A video visit that can be joined now. */
function JoinableAppointment({
  id,
  title,
  start,
  isNow,
  isLeft,
}: {
  id: number;
  title: string;
  start: string;
  isNow: boolean;
  isLeft: boolean;
}) {
  const { timeZone } = useSite().practice;
  const heading = isLeft ? "You left the room" : isNow ? "Happening now" : "Starting soon";
  return (
    <div
      role="region"
      className="notice flex flex-wrap items-center justify-between gap-x-6 gap-y-3"
      aria-label={heading}
    >
      <p className="min-w-0 wrap-anywhere">
        <strong>{heading}:</strong> {title}
        <br />
        <ZonedTime instant={start} zone={timeZone} />
      </p>
      <p>
        <LinkButton variant="primary" to={`/video-call/${id}`}>
          <VideoIcon /> {isLeft ? "Rejoin" : isNow ? "Join call now" : "Waiting Room"}
        </LinkButton>
      </p>
    </div>
  );
}

type RecentAppointmentsProps = { appointments: ClientOverview["recent"]; total: number; isPrimary: boolean };

/** Booking is the next thing to do, unless a visit can be joined now. */
function RecentAppointments({ appointments, total, isPrimary }: RecentAppointmentsProps) {
  const { timeZone } = useSite().practice;
  const variant = isPrimary ? "primary" : "secondary";
  const isFirst = total === 0;
  const bookNew = (
    <LinkButton variant={isFirst ? "secondary" : variant} to="/appointments">
      Book New
    </LinkButton>
  );
  return (
    <Card title="Recent Appointments" action={bookNew}>
      {isFirst && (
        <EmptyState
          illustration="calendar"
          title="No appointments yet"
          text="Pick a time that suits your family. The intake form comes with it: about ten minutes."
          action={
            <LinkButton variant={variant} to="/appointments">
              Schedule Your First Appointment
            </LinkButton>
          }
        />
      )}
      {!isFirst && appointments.length === 0 && <p>Nothing is coming up. Cancelled visits are in your appointments.</p>}
      {appointments.length > 0 && (
        <ul className="rows">
          {appointments.map((appointment) => (
            <li key={appointment.id} className="row">
              <div className="min-w-0 flex-1 basis-full">
                <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                  <strong className="min-w-0 wrap-anywhere">{appointment.title}</strong>
                  <span className="flex flex-wrap gap-2">
                    <Badge tone={appointment.badge.tone}>{appointment.badge.label}</Badge>
                    {appointment.isPaid && <Badge tone="green">PAID</Badge>}
                  </span>
                </p>
                <p>
                  <SeparatedList
                    items={[
                      <ZonedTime key="when" instant={appointment.start} zone={timeZone} />,
                      !appointment.isOver && appointment.kindLabel,
                    ]}
                  />
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {!isFirst && (
        <LinkButton variant="quiet" to="/appointments" className="-ml-3 self-start">
          View All Appointments
        </LinkButton>
      )}
    </Card>
  );
}

function RecentDocuments({ documents }: { documents: ClientOverview["recentDocuments"] }) {
  const { timeZone } = useSite().practice;
  if (documents.length === 0) {
    return (
      <Card title="Recent Documents" action={<LinkButton to="/documents">Upload</LinkButton>}>
        <EmptyState
          illustration="document"
          title="No documents yet"
          text="School letters, evaluations and plans can wait here, private, until we meet."
          action={<LinkButton to="/documents">Upload Your First Document</LinkButton>}
        />
      </Card>
    );
  }
  return (
    <Card title="Recent Documents" action={<LinkButton to="/documents">Upload</LinkButton>}>
      <ul className="rows">
        {documents.map((document) => (
          <li key={document.id} className="row">
            <div className="min-w-0 flex-1 basis-60">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <strong className="min-w-0 wrap-anywhere">
                  <bdi>{document.fileName}</bdi>
                </strong>
                {document.isNew && <Badge tone="yellow">New</Badge>}
              </p>
              <p className="text-muted">
                <SeparatedList
                  items={[document.description, <ZonedTime key="when" instant={document.uploadedAt} zone={timeZone} />]}
                />
              </p>
            </div>
            <span className="row-actions md:ml-auto">
              <ViewLink row={document} intakeDialog="/dashboard/intake-form" />
              <DownloadLink row={document} />
            </span>
          </li>
        ))}
      </ul>
      <LinkButton variant="quiet" to="/documents" className="-ml-3 self-start">
        View All Documents
      </LinkButton>
    </Card>
  );
}
