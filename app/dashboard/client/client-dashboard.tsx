import { Form, useOutlet } from "react-router";
import { VisitTitle } from "../../booking/appointment-list/visit-title.tsx";
import { UnfinishedBookingCard } from "../../booking/resume/unfinished-booking-card.tsx";
import { DownloadDocumentLink, ViewDocumentLink } from "../../documents/document-links.tsx";
import { useSite } from "../../practice/site.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card, StatCard } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { SeparatedList } from "../../ui/separated-list.tsx";
import { useRevalidateAfter } from "../../ui/use-revalidate-after.ts";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import { JoinableVisitCard, UpcomingVisitCard } from "./upcoming-visit-card.tsx";
import { ClientTasks } from "./client-tasks.tsx";
import type { loadClientOverview } from "./client-overview.server.ts";

/** Loaded on demand: a visit is rarely canceled by the practice. */
const CanceledVisitsCard = lazyComponent(
  async () => (await import("./canceled-visits-and-follow-ups.tsx")).CanceledVisitsCard,
);

export type ClientOverview = Awaited<ReturnType<typeof loadClientOverview>> & {
  firstName: string;
  isFirstVisit: boolean;
  /** The visit whose room the family has just left. */
  leftVisitId: number | null;
};

export function ClientDashboard({ overview }: { overview: ClientOverview }) {
  const dialog = useOutlet();
  const { next, mainAction } = overview;
  // Waiting rooms open and appointments begin while the page is open.
  useRevalidateAfter(overview.refreshInMs);
  const tasks = (
    <ClientTasks
      needsIntake={overview.needsIntake}
      needsEmailConfirmation={overview.needsEmailConfirmation}
      preparation={overview.preparation}
      followUps={overview.followUps}
      offers={overview.offers}
      primary={mainAction === "task" || mainAction === "offer" ? mainAction : null}
    />
  );
  return (
    <main id="main" tabIndex={-1} className="page">
      {!dialog && <PageMeta>Dashboard</PageMeta>}
      <h1>
        {overview.isFirstVisit ? "Welcome" : "Welcome back"}, {overview.firstName}!
      </h1>
      <div className="dashboard-columns">
        {mainAction === "offer" && tasks}
        <div aria-live="polite">
          {overview.joinable.map((visit) => (
            <JoinableVisitCard key={visit.id} visit={visit} hasJustLeft={visit.id === overview.leftVisitId} />
          ))}
          <UnfinishedBookingCard unfinished={overview.unfinished} isPrimary={mainAction === "unfinished"} />
          {overview.canceled.length > 0 && <CanceledVisitsCard visits={overview.canceled} />}
          {next && mainAction !== "join" && <UpcomingVisitCard visit={next} />}
        </div>
        {mainAction !== "offer" && tasks}
      </div>
      <div className="dashboard-columns">
        <RecentAppointments appointments={overview.recent} total={overview.total} isPrimary={mainAction === "book"} />
        <RecentDocuments documents={overview.recentDocuments} />
      </div>
      <div className="stats stats-small">
        <StatCard label="Upcoming Appointments" value={overview.upcoming} to="/appointments" />
        <StatCard label="Total Appointments" value={overview.total} to="/appointments" />
        <StatCard label="Documents" value={overview.documents} to="/documents" />
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

type RecentAppointmentsProps = { appointments: ClientOverview["recent"]; total: number; isPrimary: boolean };

/** Shows the recent appointments. The booking button is the primary action, unless a visit can be joined now. */
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
          text="Pick a time that suits your family. The intake form comes with it: about 10 minutes."
          action={
            <LinkButton variant={variant} to="/appointments">
              Schedule Your First Appointment
            </LinkButton>
          }
        />
      )}
      {!isFirst && appointments.length === 0 && <p>Nothing is coming up. Canceled visits are in your appointments.</p>}
      {appointments.length > 0 && (
        <ul className="rows">
          {appointments.map((appointment) => (
            <li key={appointment.id} className="row">
              <div className="min-w-0 flex-1 basis-full">
                <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                  <strong className="min-w-0 wrap-anywhere">
                    <VisitTitle visit={appointment} hasPage={appointment.hasPage} />
                  </strong>
                  <span className="flex flex-wrap gap-2">
                    <Badge color={appointment.badge.color}>{appointment.badge.label}</Badge>
                    {appointment.isPaid && <Badge color="green">PAID</Badge>}
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
                {document.isNew && <Badge color="yellow">New</Badge>}
              </p>
              {document.virusText && <p className="text-danger">{document.virusText}</p>}
              <p className="text-muted">
                <SeparatedList
                  items={[document.description, <ZonedTime key="when" instant={document.uploadedAt} zone={timeZone} />]}
                />
              </p>
            </div>
            {!document.virusText && (
              <span className="row-actions md:ml-auto">
                <ViewDocumentLink row={document} intakeDialog="/dashboard/intake-form" />
                <DownloadDocumentLink row={document} />
              </span>
            )}
          </li>
        ))}
      </ul>
      <LinkButton variant="quiet" to="/documents" className="-ml-3 self-start">
        View All Documents
      </LinkButton>
    </Card>
  );
}
