import { type KeyboardEvent, lazy, Suspense, useRef, useState } from "react";
import { PersonIcon, VideoIcon } from "../../ui/icons.tsx";
import { LinkIcon } from "./link-icon.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { WEEKDAYS } from "../../practice/office-hours.ts";
import type { CalendarDayData, VisitToMove } from "./calendar.server.ts";
import { MonthDay } from "./month-day.tsx";
import stylesheet from "./month.css?url";

/** Loaded when a mouse or a pen moves over the month. If loading fails, *Move* still works. */
const MonthDrag = lazy(() => import("./month-visit-drag.tsx").catch(() => ({ default: () => null })));

const DAYS_PER_WEEK = 7;
const ARROW_KEY_STEPS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -DAYS_PER_WEEK,
  ArrowDown: DAYS_PER_WEEK,
};

type MonthProps = { day: string; days: readonly CalendarDayData[]; visitToMove: VisitToMove | null };

/**
 * Shows a month as weeks that start on Sunday. With script, Tab stops at one day and then at the links of that day; the
 * arrow keys move between days.
 */
export function MonthView({ day, days, visitToMove }: MonthProps) {
  const root = useRef<HTMLOListElement>(null);
  const isHydrated = useHydrated();
  const [stop, setStop] = useState(day);
  const [isPointerNear, setPointerNear] = useState(false);
  function onKeyDown(event: KeyboardEvent) {
    const step = ARROW_KEY_STEPS[event.key];
    const from = (event.target as HTMLElement).closest<HTMLElement>("[data-day]")?.dataset.day;
    const next = step && from ? days[days.findIndex((each) => each.day === from) + step] : undefined;
    if (!next) return;
    event.preventDefault();
    setStop(next.day);
    root.current?.querySelector<HTMLElement>(`[data-day="${next.day}"] .month-date`)?.focus();
  }
  return (
    <div className="month">
      <link rel="stylesheet" href={stylesheet} precedence="page" />
      <div className="month-weekdays" aria-hidden="true">
        {WEEKDAYS.map((name) => (
          <span key={name}>{name.slice(0, 3)}</span>
        ))}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the links inside have the focus */}
      <ol
        ref={root}
        className="month-days"
        onKeyDown={onKeyDown}
        onPointerOver={({ pointerType }) => pointerType !== "touch" && setPointerNear(true)}
      >
        {days.map((each) => (
          <MonthDay
            key={each.day}
            day={each}
            month={day}
            visitToMove={visitToMove}
            isTabStop={!isHydrated || each.day === stop}
          />
        ))}
      </ol>
      {isPointerNear && (
        <Suspense>
          <MonthDrag root={root} month={day} days={days} />
        </Suspense>
      )}
      <p className="month-legend text-muted">
        <span>
          <VideoIcon className="inline size-4 align-[-0.15em]" /> Video
        </span>
        <span>
          <LinkIcon className="inline size-4 align-[-0.15em]" /> By link
        </span>
        <span>
          <PersonIcon className="inline size-4 align-[-0.15em]" /> In person
        </span>
        <span>
          <strong className="text-warn">$</strong> Money due
        </span>
        <span>$ To pay</span>
        <span>
          <strong>✕</strong> No-show
        </span>
        <span>
          <i className="month-open-sample" /> No status yet
        </span>
        <span>
          <i className="month-closed-sample" /> Closed
        </span>
      </p>
    </div>
  );
}
