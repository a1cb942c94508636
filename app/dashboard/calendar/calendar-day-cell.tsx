import { Link, useLocation } from "react-router";
import { appointmentDetailsPath, returnQuery } from "../../booking/paths.ts";
import { useSite } from "../../practice/site.ts";
import { Badge } from "../../ui/badge.tsx";
import { formatTime } from "../../ui/dates.ts";
import { VideoIcon } from "../../ui/icons.tsx";
import { formatCents } from "../../ui/money.ts";
import { calendarPath } from "./calendar-range.ts";
import type { CalendarDayData } from "./calendar.server.ts";

/** One day of the month. Small screens hide empty days. */
export function CalendarDayCell({ day }: { day: CalendarDayData }) {
  const { timeZone } = useSite().practice;
  const { pathname, search } = useLocation();
  const isEmpty = day.rows.length === 0 && day.hours === undefined && !day.isToday;
  const borderClass = day.isToday ? "border-2 border-pine" : "border border-line";
  const backgroundClass = day.isOtherMonth ? "bg-sunk" : "bg-raised";
  const visibilityClass = `${isEmpty ? "max-lg:hidden" : ""} ${day.isPast ? "is-past" : ""}`;
  return (
    <li
      id={day.isToday ? "today" : undefined}
      className={`min-w-0 rounded-md p-2 lg:min-h-28 ${borderClass} ${backgroundClass} ${visibilityClass}`}
    >
      <h2 className="font-text text-base">
        <Link
          to={calendarPath("day", day.day)}
          className="inline-flex min-h-11 flex-wrap items-center gap-x-3 font-bold text-pine no-underline lg:min-h-0 lg:flex-col lg:items-start lg:py-1"
        >
          <span className="underline">
            <DayLabel day={day} />
          </span>
          {day.isToday && <span className="text-sm font-normal">Today</span>}
        </Link>
      </h2>
      {day.hours !== undefined && <Badge tone={day.hours === null ? "red" : "yellow"}>{day.hours ?? "closed"}</Badge>}
      <ul className="mt-1 grid gap-1">
        {day.rows.map((row) => (
          <li key={row.id}>
            <Link
              to={`${appointmentDetailsPath(row.id)}${returnQuery(pathname + search)}`}
              className={`block rounded-sm border-l-4 px-2 py-1.5 text-sm wrap-anywhere hover:underline ${row.isCancelled ? "border-edge bg-quiet-soft text-quiet" : "border-pine bg-pine-soft text-ink"}`}
            >
              <span className={row.isCancelled ? "line-through" : ""}>
                <span className="font-bold lg:block">{formatTime(row.start, timeZone)}</span> {row.client.name}
              </span>
              <span className="block text-muted">
                {row.visitKind === "video" && <VideoIcon className="inline size-4 align-[-0.15em]" />} {row.badge.label}
                {row.dueCents > 0 && <strong className="text-warn"> · {formatCents(row.dueCents)} due</strong>}
              </span>
              <span className="sr-only">, {day.name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** In seven columns only the number is visible; screen readers and small screens get the full name. */
function DayLabel({ day }: { day: CalendarDayData }) {
  return (
    <>
      <span className="lg:sr-only">{day.name}</span>
      <span className="hidden lg:inline" aria-hidden="true">
        {day.short}
      </span>
    </>
  );
}
