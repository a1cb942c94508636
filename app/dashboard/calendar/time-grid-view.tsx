import { type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { Badge } from "../../ui/badge.tsx";
import { useCurrentTime } from "../../ui/use-current-time.ts";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { calendarPath } from "./calendar-paths.ts";
import type { CalendarOrigin } from "./calendar-query.ts";
import type { CalendarDayData, CalendarGrid, VisitToMove } from "./calendar.server.ts";
import { type GridRow, nowOffset } from "./time-grid.ts";
import { findAdjacentSlotElement, CalendarSlotLink } from "./calendar-slot-link.tsx";
import { VisitBlock } from "./visit-block.tsx";

type Column = CalendarGrid["columns"][number];
type GridProps = {
  origin: CalendarOrigin;
  days: readonly CalendarDayData[];
  grid: CalendarGrid;
  asOf: string;
  /** The visit to move to a free time. Without it the free times are links to a new appointment. */
  visitToMove: VisitToMove | null;
};

/** Loaded when a mouse or a pen moves over the grid. If loading fails, *Move* still works. */
const VisitDrag = lazy(() => import("./time-grid-visit-drag.tsx").catch(() => ({ default: () => null })));

const ARROW_KEY_STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Shows a day or a week as columns of hours. Free half hours are links. With script, Tab stops at one of them, and the
 * arrow keys move between them.
 */
export function TimeGrid({ origin, days, grid, asOf, visitToMove }: GridProps) {
  const root = useRef<HTMLDivElement>(null);
  const isDayView = origin.view === "day";
  const isHydrated = useHydrated();
  const [isPointerNear, setPointerNear] = useState(false);
  const currentTime = useCurrentTime(asOf);
  const visitToMoveId = visitToMove?.id ?? null;
  const firstSlot = findFirstFreeSlot(grid, visitToMoveId);
  // The link that selected the visit is gone, so the focus moves to the first free time after it.
  useEffect(() => {
    if (visitToMoveId === null) return;
    root.current?.querySelector<HTMLElement>(".is-first-slot")?.focus();
  }, [visitToMoveId]);
  function onKeyDown(event: KeyboardEvent) {
    const step = ARROW_KEY_STEPS[event.key];
    const slot = (event.target as HTMLElement).closest<HTMLElement>("[data-slot]");
    const target = step && slot ? findAdjacentSlotElement(slot, step) : null;
    if (!target || !slot) return;
    event.preventDefault();
    slot.tabIndex = -1;
    target.tabIndex = 0;
    target.focus();
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the links inside have the focus
    <div
      ref={root}
      className={isDayView ? "time-grid is-day" : "time-grid"}
      onKeyDown={onKeyDown}
      onPointerOver={({ pointerType }) => pointerType !== "touch" && setPointerNear(true)}
    >
      <div className="time-axis" aria-hidden="true">
        {grid.rows.map((row) => (
          <span key={rowKey(row)}>{rowLabel(row)}</span>
        ))}
      </div>
      <ol className="time-days">
        {days.map((each, index) => (
          <li
            key={each.day}
            id={each.isToday ? "today" : undefined}
            className={`time-day ${each.isToday ? "is-today" : ""} ${each.isPast ? "is-past" : ""}`}
          >
            <DayHeading day={each} isLink={!isDayView} />
            {(grid.columns[index] ?? []).map((cell, row) => (
              <Hour
                key={rowKey(grid.rows[row])}
                cell={cell}
                day={each}
                origin={origin}
                visitToMove={visitToMove}
                currentTime={currentTime}
                row={row}
                isFirst={firstSlot === `${index} ${row}`}
                isHydrated={isHydrated}
              />
            ))}
            {!isDayView && each.rows.length === 0 && <p className="time-empty">Nothing is booked.</p>}
          </li>
        ))}
      </ol>
      {isPointerNear && (
        <Suspense>
          <VisitDrag root={root} origin={origin} days={days} grid={grid} currentTime={currentTime} />
        </Suspense>
      )}
    </div>
  );
}

function DayHeading({ day, isLink }: { day: CalendarDayData; isLink: boolean }) {
  const canceled = day.rows.filter(({ isCancelled }) => isCancelled).length;
  return (
    <div className="time-heading">
      <h2>
        {isLink ? (
          <Link to={calendarPath("day", day.day)}>
            <span className="lg:hidden">{day.name}</span>
            <span className="max-lg:sr-only" aria-hidden="true">
              {day.short}
            </span>
            <span className="sr-only max-lg:hidden">{day.name}</span>
          </Link>
        ) : (
          <span className="sr-only">{day.name}</span>
        )}
        {day.isToday && <span className="time-today">Today</span>}
      </h2>
      {day.hours !== undefined && <Badge color={day.hours === null ? "red" : "yellow"}>{day.hours ?? "closed"}</Badge>}
      {canceled > 0 && <span className="text-sm text-muted">{canceled} canceled</span>}
    </div>
  );
}

type HourProps = {
  cell: Column[number];
  day: CalendarDayData;
  origin: CalendarOrigin;
  visitToMove: GridProps["visitToMove"];
  currentTime: string;
  row: number;
  /** Whether the first free time of the grid is in this hour. */
  isFirst: boolean;
  isHydrated: boolean;
};

function Hour({ cell, day, origin, visitToMove, currentTime, row, isFirst, isHydrated }: HourProps) {
  if (!cell) return <div className="time-hour is-missing" />;
  const now = nowOffset(currentTime, cell.start);
  return (
    <div className={`time-hour closed-${cell.closedHalves}`}>
      {cell.times.map((time, index) => (
        <CalendarSlotLink
          key={time}
          time={time}
          day={day}
          row={row}
          origin={origin}
          visitToMove={visitToMove}
          isFirst={isFirst && index === 0}
          isHydrated={isHydrated}
        />
      ))}
      {cell.shortGap !== null && (
        <p className={`time-short at-${cell.shortGap.offset}`}>
          {cell.shortGap.minutes} min free<span className="sr-only">, too short, {day.name}</span>
        </p>
      )}
      {cell.visits.map(({ visit, offset, height }) => (
        <VisitBlock
          key={visit.id}
          row={visit}
          dayName={day.name}
          origin={origin}
          className={`at-${offset} tall-${height}`}
          isMoving={visit.id === visitToMove?.id}
        />
      ))}
      {now !== null && <div className={`time-now at-${now}`} aria-hidden="true" />}
    </div>
  );
}

/**
 * Returns the column and row of the first free time. For a visit that is being moved: of the first one on its day from
 * its current hour on, if there is one.
 */
function findFirstFreeSlot({ columns }: CalendarGrid, visitToMoveId: number | null): string | null {
  const at = (index: number, from: number) => {
    const row = columns[index]?.findIndex((cell, each) => each >= from && cell?.times[0]) ?? -1;
    return row === -1 ? [] : [`${index} ${row}`];
  };
  const ofMoved = columns.flatMap((column, index) => {
    const row = column.findIndex((cell) => cell?.visits.some(({ visit }) => visit.id === visitToMoveId));
    return row === -1 ? [] : at(index, row);
  });
  return [...ofMoved, ...columns.flatMap((_, index) => at(index, 0))][0] ?? null;
}

function rowKey(row: GridRow | undefined): string {
  return `${row?.hour}${row?.isRepeated ? " again" : ""}`;
}

function rowLabel({ hour, isRepeated }: GridRow): string {
  const text = `${hour % 12 || 12} ${hour < 12 ? "AM" : "PM"}`;
  return isRepeated ? `${text} again` : text;
}
