import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { createPortal } from "react-dom";
import { useNavigate } from "react-router";
import type { AdminRow } from "../../booking/appointment-list/admin-appointment-row-data.ts";
import { MINUTE_MS } from "../../time-units.ts";
import { useSite } from "../../practice/site.ts";
import { formatLongDate, formatTime, formatTimeRange } from "../../ui/format-date-time.ts";
import { showToast } from "../../ui/toast.ts";
import type { CalendarOrigin } from "./calendar-query.ts";
import type { CalendarDayData, CalendarGrid } from "./calendar.server.ts";
import { type DropTarget, findDropTarget, snapToGrid, type GridPosition } from "./drop-target.ts";
import { trackDrag, canStartDrag, enablePointerDrag } from "./pointer-drag.ts";
import { adminConfirmMovePath } from "./calendar-paths.ts";
import { GRID_UNIT_MINUTES } from "./time-grid.ts";

type VisitDragProps = {
  root: RefObject<HTMLElement | null>;
  origin: CalendarOrigin;
  days: readonly CalendarDayData[];
  grid: CalendarGrid;
  currentTime: string;
};
/** Where the visit would be dropped: the hour's element, which moves with the page, and its position in the grid. */
type HoveredSlot = { hour: Element; place: GridPosition };

const CONFLICT_TEXTS: Record<NonNullable<DropTarget["conflict"]>, string> = {
  closed: "outside your hours",
  past: "in the past",
  unchanged: "as it is now",
  occupied: "taken",
  unbookable: "can't be booked",
};

/**
 * Lets a visit of the grid be dragged to another time, and shows it there during the drag. Dropping it opens the same
 * question as choosing a free time for a moved visit. Nothing changes until the question is answered.
 */
export default function TimeGridVisitDrag({ root, origin, days, grid, currentTime }: VisitDragProps) {
  const navigate = useNavigate();
  const { timeZone } = useSite().practice;
  const [dragged, setDragged] = useState<{ row: AdminRow; hovered: HoveredSlot | null } | null>(null);
  const findTarget = (row: AdminRow, { place }: HoveredSlot) =>
    findDropTarget({ days, grid, now: new Date(currentTime) }, row, place);

  const drop = useEffectEvent((row: AdminRow, hovered: HoveredSlot) => {
    const target = findTarget(row, hovered);
    if (!target || target.conflict === "unchanged") return;
    if (target.conflict === null || target.conflict === "closed")
      return navigate(adminConfirmMovePath(row.id, target.day, target.time, origin), { preventScrollReset: true });
    const time = `${formatLongDate(target.start, timeZone)}, ${formatTime(target.start, timeZone)}`;
    showToast({
      title: "Nothing was moved",
      description: `${row.client.name} can't move to ${time}: ${CONFLICT_TEXTS[target.conflict]}.`,
      style: "destructive",
    });
  });
  const press = useEffectEvent((event: PointerEvent, element: HTMLElement, signal: AbortSignal) => {
    const block = visitBlockOf(event);
    const row = days.flatMap(({ rows }) => rows).find(({ id }) => String(id) === block?.dataset.visit);
    if (!block || !row || !canStartDrag(event)) return;
    const grabOffsetPx = event.clientY - block.getBoundingClientRect().top;
    let hovered: HoveredSlot | null = null;
    trackDrag(element, event, {
      signal,
      onMove: (x, y) => {
        block.dataset.dragged = "";
        hovered = findHoveredSlot(element, { x, y, top: y - grabOffsetPx });
        setDragged({ row, hovered });
      },
      onEnd: (isDropped) => {
        delete block.dataset.dragged;
        setDragged(null);
        if (isDropped && hovered) void drop(row, hovered);
      },
    });
  });
  useEffect(() => (root.current ? enablePointerDrag(root.current, press) : undefined), [root]);

  const target = dragged?.hovered && findTarget(dragged.row, dragged.hovered);
  if (!dragged?.hovered || !target) return null;
  const { row, hovered } = dragged;
  const { conflict, start } = target;
  const end = new Date(start.getTime() + row.duration * MINUTE_MS);
  const hours = formatTimeRange(start, end, timeZone).replaceAll(":00", "").replaceAll(" ", "\u00a0");
  const [offset, height] = [hovered.place.minutes / GRID_UNIT_MINUTES, Math.ceil(row.duration / GRID_UNIT_MINUTES)];
  return createPortal(
    <div
      className={`time-visit is-dragged at-${offset} tall-${height} conflict-${conflict ?? "nothing"}`}
      aria-hidden="true"
    >
      <p>
        <strong>{hours}</strong> {conflict && <em>{CONFLICT_TEXTS[conflict]}</em>} <span>{row.client.name}</span>
      </p>
    </div>,
    hovered.hour,
  );
}

/** Returns the visit's block, if hours have a height. On a narrow screen the week is a list without hours. */
function visitBlockOf({ target }: Event): HTMLElement | null {
  const block = target instanceof Element ? target.closest<HTMLElement>("[data-visit]") : null;
  return block?.closest(".time-hour")?.clientHeight ? block : null;
}

/**
 * Returns the hour in which a visit with its top at `top` would start, with the pointer at `x` and `y`; null beyond the
 * hours. Measured for each call, because a line above the grid that appears or disappears moves the grid.
 */
function findHoveredSlot(root: Element, { x, y, top }: { x: number; y: number; top: number }): HoveredSlot | null {
  for (const [column, day] of [...root.querySelectorAll(".time-day")].entries()) {
    const hours = [...day.querySelectorAll(".time-hour")];
    const [first, last] = [hours[0]?.getBoundingClientRect(), hours.at(-1)?.getBoundingClientRect()];
    if (!first || !last || x < first.left || x >= first.right || y < first.top || y >= last.bottom) continue;
    const position = snapToGrid(column, top - first.top, { hours: hours.length, height: last.bottom - first.top });
    const hour = hours[position.row];
    return hour ? { hour, place: position } : null;
  }
  return null;
}
