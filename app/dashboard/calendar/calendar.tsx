import { recordListRead } from "../../audit/list-reads.server.ts";
import { Link } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { useSite } from "../../practice/site.ts";
import { LinkButton } from "../../ui/button.tsx";
import { formatDateTime, zoneAbbreviation } from "../../ui/dates.ts";
import { PlusIcon } from "../../ui/icons.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import type { Route } from "./+types/calendar";
import "./calendar.css";
import { CalendarDayCell } from "./calendar-day-cell.tsx";
import { calendarPath, adminNewAppointmentPath, type View, VIEWS } from "./calendar-range.ts";
import { loadCalendarPage } from "./calendar.server.ts";
import { CancelledVisits } from "./cancelled-visits.tsx";
import { WaitingListCard } from "./waiting-list-card.tsx";
import { TimeGrid } from "./time-grid-view.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  await recordListRead();
  return loadCalendarPage(requirePerson(context), url.searchParams);
}

/** A month, a week or a day of the practice, with its closed days. */
export default function Calendar({ loaderData }: Route.ComponentProps) {
  const { view, day, title, today, previous, next, days, grid, moved, asOf, showsEarlier, waiting } = loaderData;
  const { timeZone } = useSite().practice;
  const isEmpty = days.every(({ rows }) => rows.length === 0);
  const hidesPast = !showsEarlier && days.some((each) => each.isToday && !each.isOtherMonth);
  return (
    <main id="main" tabIndex={-1} className="page calendar">
      <PageTitle>{`Calendar, ${title}`}</PageTitle>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1>{title.replace(/(\p{L}+) (\d+,)/u, "$1\u00a0$2")}</h1>
        <LinkButton to={adminNewAppointmentPath(view, day)} variant="primary">
          <PlusIcon /> New appointment
        </LinkButton>
      </div>
      <CalendarNav view={view} day={day} today={today} previous={previous} next={next} movedId={moved?.id ?? null} />
      {moved && (
        <div className="notice flex flex-wrap items-center gap-x-6 gap-y-2" role="status">
          <p>
            <strong>Moving {moved.name}</strong>, {moved.title}, now {formatDateTime(moved.start, timeZone)}. Choose an
            empty time.
          </p>
          <LinkButton to={calendarPath(view, day)} preventScrollReset>
            Stop moving
          </LinkButton>
        </div>
      )}
      <p className="calendar-facts text-muted">
        {isEmpty && view !== "day" && (
          <strong className="font-bold text-ink">Nothing is booked in this {view}. </strong>
        )}
        All times are {zoneAbbreviation(today, timeZone)}.{" "}
        {grid && !moved && "Choose an empty time to make an appointment. "}
        <Link to="/calendar/weekly-hours">Your weekly hours</Link> <Link to="/calendar/hours">Closed days</Link>{" "}
        {hidesPast && view !== "day" && (
          <Link to={`${calendarPath(view, day)}&earlier`} className="calendar-earlier">
            Show the earlier days
          </Link>
        )}
      </p>
      <div className={hidesPast ? "hides-past" : undefined}>
        {grid ? (
          <TimeGrid key={view} view={view} day={day} days={days} grid={grid} asOf={asOf} moved={moved} />
        ) : (
          <ol className="grid gap-2 lg:grid-cols-7">
            {days.map((item) => (
              <CalendarDayCell key={item.day} day={item} />
            ))}
          </ol>
        )}
      </div>
      {grid && <CancelledVisits days={days} view={view} day={day} />}
      {waiting.length > 0 && <WaitingListCard waiting={waiting} />}
    </main>
  );
}

type NavProps = { view: View; day: string; today: string; previous: string; next: string; movedId: number | null };

/** Days before and after, today, and the views. A visit that is being moved stays chosen between days. */
function CalendarNav({ view, day, today, previous, next, movedId }: NavProps) {
  const path = (to: View, date: string) =>
    calendarPath(to, date) + (movedId && to !== "month" ? `&move=${movedId}` : "");
  return (
    <nav aria-label="Calendar" className="actions max-sm:gap-2 max-sm:[&_.button]:px-3">
      <LinkButton to={path(view, previous)}>
        <span>
          Previous <span className="max-sm:sr-only">{view}</span>
        </span>
      </LinkButton>
      <LinkButton to={path(view, today)}>Today</LinkButton>
      <LinkButton to={path(view, next)}>
        <span>
          Next <span className="max-sm:sr-only">{view}</span>
        </span>
      </LinkButton>
      <ul className="actions max-sm:gap-2">
        {VIEWS.map((item) => (
          <li key={item}>
            <Link
              to={path(item, day)}
              aria-current={item === view ? "page" : undefined}
              className="button button-quiet"
            >
              {item === "day" ? "Day" : item === "week" ? "Week" : "Month"}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
