import { type ReactNode, Suspense } from "react";
import { Link } from "react-router";
import { buildReturnPathQuery } from "../../booking/appointment-paths.ts";
import { useSite } from "../../practice/site.ts";
import { LinkButton } from "../../ui/button.tsx";
import { formatDateTime, zoneAbbreviation } from "../../ui/format-date-time.ts";
import { PlusIcon } from "../../ui/icons.tsx";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import stylesheet from "./calendar.css?url";
import {
  APPOINTMENT_AGENDA_PATH,
  calendarPath,
  calendarMovePath,
  calendarOriginPath,
  adminNewAppointmentPath,
} from "./calendar-paths.ts";
import { type CalendarOrigin, type CalendarView, CALENDAR_VIEWS } from "./calendar-query.ts";
import type { CalendarPageData } from "./calendar.server.ts";
import { CanceledVisitsList } from "./canceled-visits-list.tsx";
import { MonthUpcomingVisits } from "./month-upcoming-visits.tsx";
import { MonthView } from "./month-view.tsx";
import { WaitingListCard } from "./waiting-list-card.tsx";

/** Loaded on demand, because the month view doesn't need it. */
const TimeGrid = lazyComponent(async () => (await import("./time-grid-view.tsx")).TimeGrid);

type CalendarPageProps = { data: CalendarPageData; dialog?: ReactNode };

/**
 * Shows a month, a week or a day of the practice, with its closed days. Also rendered behind a dialog that is opened
 * from it.
 */
export function CalendarPage({ data, dialog }: CalendarPageProps) {
  const { view, day, title, today, previous, next, days, grid, moved: visitToMove, asOf, showsEarlier, waiting } = data;
  const { timeZone } = useSite().practice;
  const origin = { view, day, showsEarlier };
  const isEmpty = days.every(({ rows }) => rows.length === 0);
  const hidesPast = view === "week" && !showsEarlier && days.some(({ isToday }) => isToday);
  const facts = (
    <p className="calendar-facts text-muted">
      {isEmpty && (
        <strong className="font-bold text-ink">
          Nothing is booked {view === "day" ? "on this day" : `in this ${view}`}.{" "}
        </strong>
      )}
      All times are {zoneAbbreviation(today, timeZone)}.{" "}
      {!visitToMove && (grid ? "Choose an empty time to make an appointment. " : "Choose a day to see its hours. ")}
      {!visitToMove && !isEmpty && <span className="calendar-drag">Drag a visit to move it. </span>}
      <Link to="/calendar/weekly-hours">Your weekly hours</Link>{" "}
      {view === "day" && day >= today ? (
        <Link to={`/calendar/hours?day=${day}`}>Close this day or change its hours</Link>
      ) : (
        <Link to="/calendar/hours">Closed days</Link>
      )}{" "}
      {!visitToMove && (
        <Link to={agendaPath(origin)} preventScrollReset className="sm:hidden!">
          List of visits
        </Link>
      )}{" "}
      {hidesPast && (
        <Link to={calendarOriginPath({ view, day, showsEarlier: true })} className="calendar-earlier">
          Show the earlier days
        </Link>
      )}
    </p>
  );
  return (
    <main id="main" tabIndex={-1} className="page calendar">
      <link rel="stylesheet" href={stylesheet} precedence="page" />
      {!dialog && <PageMeta>{`Calendar, ${title}`}</PageMeta>}
      <div className="calendar-toolbar">
        <div className="calendar-head">
          <h1>{title.replace(/(\p{L}+) (\d+,)/u, "$1\u00a0$2")}</h1>
          <LinkButton to={adminNewAppointmentPath(origin)} variant="primary">
            <PlusIcon /> <span className="max-sm:sr-only">New appointment</span>
          </LinkButton>
        </div>
        <CalendarNav
          origin={origin}
          today={today}
          previous={previous}
          next={next}
          visitToMoveId={visitToMove?.id ?? null}
        />
      </div>
      {visitToMove && (
        <div className="notice moving-notice flex flex-wrap items-center gap-x-6 gap-y-2" role="status">
          <p>
            <strong>Moving {visitToMove.name}</strong>, {visitToMove.title}, now{" "}
            {formatDateTime(visitToMove.start, timeZone)}.{" "}
            {view === "month" ? "Choose a day." : `Only times with ${visitToMove.duration} free minutes are offered.`}
          </p>
          <LinkButton to={calendarOriginPath(origin)} preventScrollReset>
            Stop moving
          </LinkButton>
        </div>
      )}
      {isEmpty && !visitToMove && view !== "day" && facts}
      <div className={view === "day" ? "calendar-day" : "calendar-days"}>
        <div className={hidesPast ? "hides-past" : undefined}>
          {grid ? (
            <Suspense>
              <TimeGrid key={view} origin={origin} days={days} grid={grid} asOf={asOf} visitToMove={visitToMove} />
            </Suspense>
          ) : (
            <MonthView key={day} day={day} days={days} visitToMove={visitToMove} />
          )}
        </div>
        <div className="calendar-more">
          {view === "month" && !visitToMove && <MonthUpcomingVisits days={days} month={day} />}
          {(!isEmpty || visitToMove || view === "day") && facts}
          <CanceledVisitsList days={days} origin={origin} />
          {waiting.length > 0 && <WaitingListCard waiting={waiting} />}
        </div>
      </div>
      {dialog}
    </main>
  );
}

/** Returns the path of the same visits as a list. Closing the list returns to this page. */
function agendaPath(origin: CalendarOrigin): string {
  return APPOINTMENT_AGENDA_PATH + buildReturnPathQuery(calendarOriginPath(origin));
}

type NavProps = {
  origin: CalendarOrigin;
  today: string;
  previous: string;
  next: string;
  visitToMoveId: number | null;
};

/** Links to the previous and next days, today, and the views. A visit that is being moved stays selected. */
function CalendarNav({ origin, today, previous, next, visitToMoveId }: NavProps) {
  const { view, day } = origin;
  const path = (to: CalendarView, date: string) =>
    visitToMoveId ? calendarMovePath({ view: to, day: date }, visitToMoveId) : calendarPath(to, date);
  return (
    <nav aria-label="Calendar" className="actions calendar-nav">
      <LinkButton to={path(view, previous)}>
        <span aria-hidden="true">‹</span>
        <span className="sr-only">Previous {view}</span>
      </LinkButton>
      <LinkButton to={path(view, today)}>Today</LinkButton>
      <LinkButton to={path(view, next)}>
        <span aria-hidden="true">›</span>
        <span className="sr-only">Next {view}</span>
      </LinkButton>
      <ul className="actions">
        {CALENDAR_VIEWS.map((item) => (
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
        {visitToMoveId === null && (
          <li className="max-sm:hidden">
            <Link to={agendaPath(origin)} preventScrollReset className="button button-quiet">
              List
            </Link>
          </li>
        )}
      </ul>
    </nav>
  );
}
