import type { Person } from "../../accounts/person.ts";
import { recordAuditInTransaction } from "../../audit/record.server.ts";
import { now } from "../../clock.ts";
import { db, inTransaction } from "../../db/client.server.ts";
import { publishSettings, type SchedulingRules, writeSchedulingRules } from "../../practice/settings.server.ts";
import { outsideHoursWarning } from "./availability.server.ts";

/** Visits to come that are compared with new hours. */
const MAX_COMPARED = 500;

/**
 * Sets the hours of each weekday and the minutes of pause and notice. What is booked stays; the result counts the
 * visits to come, at most 500, that are now outside the hours. Only for the administrator.
 */
export async function setWeeklyHours(person: Person, rules: SchedulingRules): Promise<{ outside: number }> {
  if (!person.isAdmin) throw new Error("Only the administrator sets the hours.");
  await inTransaction(async (transaction) => {
    await writeSchedulingRules(transaction, rules);
    recordAuditInTransaction(transaction, { action: "practice-settings-changed" });
  });
  await publishSettings();
  const visits = await db.appointment.findMany({
    where: { appointmentDate: { gt: now() }, status: { not: "cancelled" } },
    orderBy: { appointmentDate: "asc" },
    select: { appointmentDate: true, duration: true },
    take: MAX_COMPARED,
  });
  let outside = 0;
  for (const { appointmentDate: start, duration } of visits)
    if (await outsideHoursWarning({ start, duration })) outside += 1;
  return { outside };
}
