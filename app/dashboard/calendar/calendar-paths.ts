import { appointmentDetailsPath, returnQuery } from "../../booking/paths.ts";
import { calendarPath, type View } from "./calendar-view.ts";

/** The question that moves an appointment to a day and time ("14:30"), with the way back to the calendar. */
export function reschedulePath(id: number, day: string, time: string, origin: { view: View; day: string }): string {
  const query = new URLSearchParams({ date: day, time });
  return `${appointmentDetailsPath(id)}/reschedule${returnQuery(calendarPath(origin.view, origin.day))}&${query}`;
}
