import {
  AdminAppointmentSection,
  type ListedRow as Row,
} from "../../booking/appointment-list/admin-appointment-section.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ListSearch } from "../../ui/list-search.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import {
  type AppointmentFilters,
  SORT_ORDERS,
  APPOINTMENT_STATUS_FILTERS,
  TIME_FILTERS,
} from "../appointment-filters.ts";

type AppointmentsPage = {
  total: number;
  isUnfiltered: boolean;
  pageCount: number;
  upcoming: Row[];
  past: Row[];
  sorted: Row[];
};
type AppointmentListProps = {
  appointments: AppointmentsPage;
  /** Number of visits that are shown under Today. */
  todayCount: number;
  filters: AppointmentFilters;
  filterQuery: string;
};

const TIME_LABELS: Record<(typeof TIME_FILTERS)[number], string> = {
  any: "Any time",
  upcoming: "Coming up",
  past: "Earlier",
};

const STATUS_LABELS: Partial<Record<(typeof APPOINTMENT_STATUS_FILTERS)[number], string>> = {
  any: "Any status",
  open: "no status yet",
  unpaid: "unpaid",
  "not-told": "not told yet",
};

const SORT_LABELS: Record<(typeof SORT_ORDERS)[number], string> = { date: "Date", family: "Family", money: "Price" };

/** Shows the appointments of all families, paginated. */
export function AppointmentList({ appointments, todayCount, filters, filterQuery }: AppointmentListProps) {
  const { total, pageCount, upcoming, past, sorted } = appointments;
  const isFiltered = filters.search !== "" || filters.when !== "any" || filters.status !== "any";
  const page = Math.min(filters.page, pageCount);
  return (
    <div id="appointments">
      <Card title="All Appointments" action={<LinkButton to="/calendar">Calendar</LinkButton>}>
        <ListSearch
          action="/dashboard#appointments"
          label="Search appointments"
          hint="A name, a child's name, an email address, a phone number, a service or words of a visit's notes."
          search={filters.search}
          isFiltered={isFiltered}
          filters={[
            { name: "when", label: "When", value: filters.when, options: TIME_FILTERS.map(timeOption) },
            {
              name: "status",
              label: "Status",
              value: filters.status,
              options: APPOINTMENT_STATUS_FILTERS.map(statusOption),
            },
            { name: "sort", label: "Sort by", value: filters.sort, options: SORT_ORDERS.map(sortOption) },
          ]}
        />
        {isFiltered && <p role="status">{foundText(total, filters.search)}</p>}
        {appointments.isUnfiltered && todayCount > 0 && (
          <p className="text-muted">Today’s visits stand above, under Today.</p>
        )}
        {total === 0 && todayCount === 0 && !isFiltered && (
          <EmptyState
            illustration="calendar"
            title="No appointments yet"
            text="Visits show up here as soon as a family books."
          />
        )}
        {upcoming.length > 0 && (
          <AdminAppointmentSection heading="Coming up" rows={upcoming} filterQuery={filterQuery} />
        )}
        {past.length > 0 && <AdminAppointmentSection heading="Earlier" rows={past} filterQuery={filterQuery} />}
        {sorted.length > 0 && (
          <AdminAppointmentSection
            heading={`By ${SORT_LABELS[filters.sort].toLowerCase()}`}
            rows={sorted}
            filterQuery={filterQuery}
          />
        )}
        <Pagination page={page} pageCount={pageCount} label="Pages of appointments" anchor="appointments" />
      </Card>
    </div>
  );
}

function timeOption(value: (typeof TIME_FILTERS)[number]) {
  return { value, label: TIME_LABELS[value] };
}

function statusOption(value: (typeof APPOINTMENT_STATUS_FILTERS)[number]) {
  return { value, label: STATUS_LABELS[value] ?? value };
}

function sortOption(value: (typeof SORT_ORDERS)[number]) {
  return { value, label: SORT_LABELS[value] };
}

function foundText(total: number, search: string): string {
  const count = total === 1 ? "1 appointment found" : `${total} appointments found`;
  return search ? `${count} for “${search}”.` : `${count}.`;
}
