import { useId } from "react";
import { Form, useLocation, useOutlet } from "react-router";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card, StatLink } from "../../ui/card.tsx";
import { PageMeta } from "../../ui/page-meta.tsx";
import type { loadAdminOverview } from "./admin-overview.server.ts";
import { AppointmentList } from "./appointment-list.tsx";
import { pickAppointmentFilterParams } from "../appointment-filters.ts";
import { AttentionList } from "./attention-list.tsx";
import { EmergenciesAndNextVisit } from "./emergencies-and-next-visit.tsx";
import { PendingConsultationRequests } from "./pending-consultation-requests.tsx";
import { CurrentAndNextVisits, OtherVisitsToday } from "./today-visit-cards.tsx";
import { usePolledData } from "../use-polled-data.ts";

type AdminOverview = Awaited<ReturnType<typeof loadAdminOverview>>;

const POLL_OPTIONS = {
  /** The code is loaded with the first change. Where it can't be loaded, the change is shown all the same. */
  apply: (update: () => void) =>
    void import("../update-preserving-focus-and-scroll.ts").then(
      ({ updatePreservingFocusAndScroll }) => updatePreservingFocusAndScroll(update),
      update,
    ),
};

/** Shows the administrator's dashboard. Its data is polled; polling does not affect an open dialog above it. */
export function AdminDashboard({ overview }: { overview: AdminOverview }) {
  const query = pickAppointmentFilterParams(useLocation().search);
  const {
    current: data,
    paused: isPaused,
    setPaused: setIsPaused,
  } = usePolledData(overview, `/dashboard/latest${query || "?"}&refresh`, POLL_OPTIONS);
  const dialog = useOutlet();
  return (
    <main id="main" tabIndex={-1} className="page">
      {!dialog && <PageMeta>Admin Dashboard</PageMeta>}
      <h1 className="text-2xl">Admin Dashboard</h1>
      <EmergenciesAndNextVisit
        today={data.today}
        emergencies={data.emergencyCount}
        hasWarnings={data.warnings.length > 0}
        query={query}
      />
      <SystemWarnings warnings={data.warnings} />
      <div className="stat-row">
        <StatLink label="Total Appointments" value={data.appointmentCount} to={`/dashboard${query}#appointments`} />
        <StatLink label="Consultation Requests" value={data.pendingCount} to={`/dashboard${query}#requests`} />
        <StatLink label="Documents" value={data.documentCount} to="/documents" />
        <StatLink label="Appointment Calendar" value="View" to={`/dashboard/calendar${query}`} />
      </div>
      <div className="day-columns">
        <CurrentAndNextVisits today={data.today} asOf={data.asOf} query={query} />
        <OtherVisitsToday today={data.today} query={query} />
        <AttentionList
          attention={data.attention}
          requests={data.requests.filter(({ badge }) => badge.color !== "grey")}
          urgentCount={data.urgentCount}
          asOf={data.asOf}
          query={query}
        />
      </div>
      <p className="scripted text-sm text-muted">
        This page refreshes by itself.{" "}
        <Button variant="quiet" type="button" aria-pressed={isPaused} onClick={() => setIsPaused(!isPaused)}>
          {isPaused ? "Resume refreshing" : "Pause refreshing"}
        </Button>
      </p>
      <PendingConsultationRequests
        requests={data.requests}
        pendingCount={data.pendingCount}
        urgentCount={data.urgentCount}
        filterQuery={query}
      />
      <AppointmentList
        appointments={data.appointments}
        todayCount={data.today.visitCount}
        filters={data.filters}
        filterQuery={query}
      />
      <Card title="More to do">
        <div className="actions">
          <LinkButton to="/dashboard/reset-link">Password link for a family</LinkButton>
          <LinkButton to="/dashboard/settings">Account Settings</LinkButton>
          <Form method="post" action="/logout">
            <Button variant="quiet" type="submit">
              Logout
            </Button>
          </Form>
        </div>
      </Card>
      {dialog}
    </main>
  );
}

/** Shows the warnings of the system checks. Renders nothing when there are none. */
function SystemWarnings({ warnings }: { warnings: readonly string[] }) {
  const id = useId();
  if (warnings.length === 0) return null;
  return (
    <section className="notice space-y-2" aria-labelledby={id}>
      <h2 id={id} className="text-xl">
        System checks
      </h2>
      <ul className="list-disc space-y-1 pl-5">
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </section>
  );
}
