import { type RefObject, useEffect, useEffectEvent } from "react";
import { useNavigate } from "react-router";
import type { AdminRow } from "../../booking/appointment-list/admin-appointment-row-data.ts";
import { formatTimeOfDay, toWallTime } from "../../booking/wall-time.ts";
import { useSite } from "../../practice/site.ts";
import { showToast } from "../../ui/toast.ts";
import { adminConfirmMovePath } from "./calendar-paths.ts";
import type { CalendarDayData } from "./calendar.server.ts";
import { trackDrag, canStartDrag, enablePointerDrag } from "./pointer-drag.ts";

type MonthDragProps = { root: RefObject<HTMLElement | null>; month: string; days: readonly CalendarDayData[] };

/**
 * Lets a visit of the month be dragged to another day; it keeps its time of day. Dropping it opens the same question as
 * *Move here*. Nothing changes until the question is answered.
 */
export default function MonthVisitDrag({ root, month, days }: MonthDragProps) {
  const navigate = useNavigate();
  const { timeZone } = useSite().practice;

  const drop = useEffectEvent((row: AdminRow, day: CalendarDayData) => {
    const { day: currentDay, minutes } = toWallTime(new Date(row.start), timeZone);
    if (day.day === currentDay) return;
    if (day.isBookable) {
      const path = adminConfirmMovePath(row.id, day.day, formatTimeOfDay(minutes), { view: "month", day: month });
      void navigate(path, { preventScrollReset: true });
      return;
    }
    const reason = day.isPast ? "that day is over" : "nothing can be booked that far ahead";
    const description = `${row.client.name} can't move to ${day.name}: ${reason}.`;
    showToast({ title: "Nothing was moved", description, style: "destructive" });
  });
  const press = useEffectEvent((event: PointerEvent, element: HTMLElement, signal: AbortSignal) => {
    const line = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-visit]") : null;
    const row = days.flatMap(({ rows }) => rows).find(({ id }) => String(id) === line?.dataset.visit);
    if (!line || !row || !canStartDrag(event)) return;
    let cell: HTMLElement | null = null;
    const hover = (next: HTMLElement | null) => {
      if (next === cell) return;
      delete cell?.dataset.drop;
      cell = next;
      const day = days.find((each) => each.day === next?.dataset.day);
      if (next && day && !next.contains(line)) next.dataset.drop = day.isBookable ? "Move here" : "Can't be booked";
    };
    trackDrag(element, event, {
      signal,
      onMove: (x, y) => {
        line.dataset.dragged = "";
        hover(document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-day]") ?? null);
      },
      onEnd: (isDropped) => {
        const day = days.find((each) => each.day === cell?.dataset.day);
        delete line.dataset.dragged;
        hover(null);
        if (isDropped && day) drop(row, day);
      },
    });
  });
  useEffect(() => (root.current ? enablePointerDrag(root.current, press) : undefined), [root]);
  return null;
}
