import { Form, useLocation, useOutlet } from "react-router";
import { Button, LinkButton } from "../ui/button.tsx";
import { Card, Stat } from "../ui/card.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import type { adminOverview } from "./admin-overview.server.ts";
import { AppointmentList } from "./appointment-list.tsx";
import { Attention } from "./attention.tsx";
import { filtersOf } from "./filters.ts";
import { RequestList } from "./request-list.tsx";
import { useRefreshed } from "./use-refreshed.ts";

type Overview = Awaited<ReturnType<typeof adminOverview>>;

/** The consultant's day on one page. Its lists keep themselves fresh; whatever is open above them stays as it is. */
export function AdminDashboard({ overview }: { overview: Overview }) {
  const filters = filtersOf(useLocation().search);
  const { current, paused, setPaused } = useRefreshed(overview, `/dashboard/latest${filters || "?"}&refresh`);
  const dialog = useOutlet();
  return (
    <main id="main" tabIndex={-1} className="page">
      {!dialog && <PageTitle>Admin Dashboard</PageTitle>}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1>Admin Dashboard</h1>
        <Button
          variant="quiet"
          type="button"
          aria-pressed={paused}
          className="scripted -mx-3"
          onClick={() => setPaused(!paused)}
        >
          {paused ? "Resume refreshing" : "Pause refreshing"}
        </Button>
      </div>
      <Attention troubles={current.troubles} />
      <div className="stats">
        <Stat label="Total Appointments" value={current.total} to={`/dashboard${filters}#appointments`} />
        <Stat label="Consultation Requests" value={current.waiting} to={`/dashboard${filters}#requests`} />
        <Stat label="Documents" value={current.documents} to="/documents" />
        <Stat label="Appointment Calendar" value="Open" to={`/dashboard/calendar${filters}`} />
      </div>
      <RequestList
        requests={current.requests}
        waiting={current.waiting}
        pressingLater={current.pressingLater}
        filters={filters}
      />
      <AppointmentList appointments={current.appointments} filters={current.filters} carried={filters} />
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
