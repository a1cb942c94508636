import { AdminRows } from "../booking/admin-row.tsx";
import type { AdminRow as Row } from "../booking/admin-rows.ts";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { ListSearch } from "../ui/list-search.tsx";
import { Pagination } from "../ui/pages.tsx";
import { type Filters, STATUSES, TIMES } from "./filters.ts";

type Appointments = { found: number; pages: number; coming: Row[]; earlier: Row[] };
type AppointmentListProps = { appointments: Appointments; filters: Filters; carried: string };

const TIME_LABELS: Record<(typeof TIMES)[number], string> = {
  any: "Any time",
  upcoming: "Coming up",
  past: "Earlier",
};

/** Everybody's appointments, a page at a time. */
export function AppointmentList({ appointments, filters, carried }: AppointmentListProps) {
  const { found, pages, coming, earlier } = appointments;
  const isFiltered = filters.question !== "" || filters.when !== "any" || filters.status !== "any";
  const page = Math.min(filters.page, pages);
  return (
    <div id="appointments">
      <Card title="All Appointments" action={<LinkButton to="/calendar">Calendar page</LinkButton>}>
        <ListSearch
          action="/dashboard"
          label="Search appointments"
          hint="A name, an email address, a service or words of the notes."
          search={filters.question}
          isFiltered={isFiltered}
          filters={[
            { name: "when", label: "When", value: filters.when, options: TIMES.map(timeOption) },
            { name: "status", label: "Status", value: filters.status, options: STATUSES.map(statusOption) },
          ]}
        />
        {isFiltered && <p role="status">{found === 1 ? "1 appointment found." : `${found} appointments found.`}</p>}
        {found === 0 && !isFiltered && (
          <EmptyState
            illustration="calendar"
            title="No appointments yet"
            text="Visits show up here as soon as a family books."
          />
        )}
        {coming.length > 0 && <AdminRows heading="Coming up" rows={coming} carried={carried} />}
        {earlier.length > 0 && <AdminRows heading="Earlier" rows={earlier} carried={carried} />}
        <Pagination page={page} pageCount={pages} label="Pages of appointments" />
      </Card>
    </div>
  );
}

function timeOption(value: (typeof TIMES)[number]) {
  return { value, label: TIME_LABELS[value] };
}

function statusOption(value: (typeof STATUSES)[number]) {
  return { value, label: value === "any" ? "Any status" : value };
}
