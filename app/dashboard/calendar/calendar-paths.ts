import { returnQuery, reschedulePath } from "../../booking/paths.ts";
import type { CalendarView } from "./calendar-view.ts";

/** The visits of the calendar as a list in a dialog. */
export const APPOINTMENT_AGENDA_PATH = "/dashboard/calendar";

export function calendarPath(view: CalendarView, day: string): string {
  return `/calendar?view=${view}&day=${day}`;
}

/** Returns the path on which choosing a free time moves the appointment `id`. */
export function calendarMovePath(view: CalendarView, day: string, id: number): string {
  return `${calendarPath(view, day)}&move=${id}`;
}

/** Returns the path that books an appointment on `day` at `time` ("14:30") and then returns to the calendar. */
export function adminNewAppointmentPath(view: CalendarView, day: string, time?: string): string {
  return `/calendar/new?${new URLSearchParams({ view, day, ...(time ? { time } : {}) })}`;
}

/**
 * Returns the path of the question that moves an appointment to a day and time ("14:30") and then returns to the
 * calendar.
 */
export function adminConfirmMovePath(
  id: number,
  day: string,
  time: string,
  origin: { view: CalendarView; day: string },
): string {
  const query = new URLSearchParams({ date: day, time });
  return `${reschedulePath(id)}${returnQuery(calendarPath(origin.view, origin.day))}&${query}`;
}
