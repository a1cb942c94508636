import { Link } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { useSite } from "../../practice/site.ts";
import { LinkButton } from "../../ui/button.tsx";
import { zoneAbbreviation } from "../../ui/dates.ts";
import { PageTitle } from "../../ui/page-title.tsx";
import type { Route } from "./+types/calendar";
import { CalendarDayCell } from "./calendar-day-cell.tsx";
import { calendarPath, VIEWS } from "./calendar-range.ts";
import { calendarPage } from "./calendar.server.ts";

export function loader({ context, url }: Route.LoaderArgs) {
  return calendarPage(requirePerson(context), url.searchParams);
}

/** A month, a week or a day of the practice, with its closed days. */
export default function Calendar({ loaderData }: Route.ComponentProps) {
  const { view, day, title, today, previous, next, days } = loaderData;
  const isMonth = view === "month";
  const { timeZone } = useSite().practice;
  const isEmpty = view !== "day" && days.every(({ rows }) => rows.length === 0);
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageTitle>{`Calendar, ${title}`}</PageTitle>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1>{title.replace(/(\p{L}+) (\d+,)/u, "$1\u00a0$2")}</h1>
        <LinkButton to="/calendar/hours">Closed days and hours</LinkButton>
      </div>
      <nav aria-label="Calendar" className="actions max-sm:gap-2 max-sm:[&_.button]:px-4">
        <LinkButton to={calendarPath(view, previous)}>
          <span>
            Previous <span className="max-sm:sr-only">{view}</span>
          </span>
        </LinkButton>
        <LinkButton to={calendarPath(view, today)}>Today</LinkButton>
        <LinkButton to={calendarPath(view, next)}>
          <span>
            Next <span className="max-sm:sr-only">{view}</span>
          </span>
        </LinkButton>
        <ul className="actions">
          {VIEWS.map((item) => (
            <li key={item}>
              <Link
                to={calendarPath(item, day)}
                aria-current={item === view ? "page" : undefined}
                className="button button-quiet"
              >
                {item === "day" ? "Day" : item === "week" ? "Week" : "Month"}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <p className="text-muted">
        {isEmpty && <strong className="font-bold text-ink">Nothing is booked in this {view}. </strong>}
        All times are {zoneAbbreviation(today, timeZone)}.
      </p>
      <ol className={view === "day" ? "grid gap-2" : "grid gap-2 lg:grid-cols-7"}>
        {days.map((item) => (
          <CalendarDayCell key={item.day} day={item} isCompact={isMonth} isDayView={view === "day"} />
        ))}
      </ol>
    </main>
  );
}
