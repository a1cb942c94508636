import type { RouterContextProvider } from "react-router";
import { getPerson } from "../../accounts/guards.server.ts";
import type { Person } from "../../accounts/person.ts";
import { getChosenService } from "../../accounts/sessions/chosen-service.server.ts";
import { getSession } from "../../accounts/sessions/session.server.ts";
import { nextDay, startOfDay, toWallTime } from "../../booking/wall-time.ts";
import { findUnfinishedBooking } from "../../booking/resume/unfinished-booking.server.ts";
import { now } from "../../clock.ts";
import { countPendingConsultationRequests } from "../../consultations/requests.server.ts";
import { db } from "../../db/client.server.ts";
import { env } from "../../env.server.ts";
import { hasIntakeForm } from "../../intake/intake.server.ts";

/** What the public page says to a signed-in person; null for visitors, whose page is cached. */
export async function loadWelcome(context: Readonly<RouterContextProvider>) {
  const person = getPerson(context);
  if (!person) return null;
  if (person.isAdmin) return { role: "administrator" as const, ...(await countDay(person)) };
  const hasIntake = await hasIntakeForm(person);
  const { booking } = await findUnfinishedBooking(person, { chosenService: getChosenService(context), hasIntake });
  return {
    role: "client" as const,
    firstName: person.firstName,
    isFirstVisit: getSession(context)?.data.isFirst ?? false,
    booking,
  };
}

export type Welcome = NonNullable<Awaited<ReturnType<typeof loadWelcome>>>;

/** Today's visits, without the cancelled ones, and the open requests. */
async function countDay(person: Person) {
  const { timeZone } = env.practice;
  const { day } = toWallTime(now(), timeZone);
  const appointmentDate = { gte: startOfDay(day, timeZone), lt: startOfDay(nextDay(day), timeZone) };
  const [visits, requests] = await Promise.all([
    db.appointment.count({ where: { appointmentDate, status: { not: "cancelled" } } }),
    countPendingConsultationRequests(person),
  ]);
  return { visits, requests };
}
