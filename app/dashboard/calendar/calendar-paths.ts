import { buildReturnPathQuery, adminReschedulePath } from "../../booking/appointment-paths.ts";
import type { CalendarOrigin, CalendarView } from "./calendar-query.ts";

/** The visits of the calendar as a list in a dialog. */
export const APPOINTMENT_AGENDA_PATH = "/dashboard/calendar";

export function calendarPath(view: CalendarView, day: string): string {
  return `/calendar?view=${view}&day=${day}`;
}

/** Returns the path to which the pages and dialogs return that are opened from the calendar. */
export function calendarOriginPath({ view, day, showsEarlier }: CalendarOrigin): string {
  return `${calendarPath(view, day)}${showsEarlier ? "&earlier" : ""}`;
}

/** Returns the path on which choosing a free time moves the appointment `id`. */
export function calendarMovePath(origin: CalendarOrigin, id: number): string {
  return `${calendarOriginPath(origin)}&move=${id}`;
}

/** Returns the path that books an appointment on the day at `time` ("14:30") and then returns to the calendar. */
export function adminNewAppointmentPath({ view, day, showsEarlier }: CalendarOrigin, time?: string): string {
  const query = new URLSearchParams({ view, day, ...(time && { time }), ...(showsEarlier && { earlier: "" }) });
  return `/calendar/new?${query}`;
}

/**
 * Returns the path of the question that moves an appointment to a day and time ("14:30") and then returns to the
 * calendar.
 */
export function adminConfirmMovePath(id: number, day: string, time: string, origin: CalendarOrigin): string {
  const query = new URLSearchParams({ date: day, time });
  return `${adminReschedulePath(id)}${buildReturnPathQuery(calendarOriginPath(origin))}&${query}`;
}
