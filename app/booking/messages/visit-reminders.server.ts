import { now } from "../../clock.ts";
import { db, inTransaction } from "../../db/database-client.server.ts";
import { HOUR_MS, MINUTE_MS } from "../../time-units.ts";
import { dropReminders } from "../../mail/drop-messages.server.ts";
import { latestMessageTimes } from "../../mail/outbox.server.ts";
import type { PeriodicJob } from "../../periodic-job.ts";
import { OPEN_STATUSES } from "../appointment-status.ts";
import { isReminderWritten, writeVisitReminder } from "./visit-notifications.server.ts";

/**
 * A reminder is due `leadMs` before the start, in elapsed hours, independent of clock changes. After an outage, it is
 * sent late as long as more than `minLeadMs` remain.
 */
const REMINDERS = [
  { event: "visit-reminder-24h", leadMs: 24 * HOUR_MS, minLeadMs: 2 * HOUR_MS },
  { event: "visit-reminder-1h", leadMs: HOUR_MS, minLeadMs: 5 * MINUTE_MS },
] as const;

/**
 * Writes the reminders that are due. Visits that were booked, moved or assigned to the family within the reminder's
 * lead time get none. Any number of processes can run this: each start of a visit gets at most one reminder of each
 * kind.
 */
export async function writeVisitReminders(): Promise<void> {
  const at = now().getTime();
  for (const { event, leadMs, minLeadMs } of REMINDERS) {
    const rows = await db.appointment.findMany({
      where: {
        appointmentDate: { gt: new Date(at + minLeadMs), lte: new Date(at + leadMs) },
        status: { in: OPEN_STATUSES },
        userId: { not: null },
      },
      select: { id: true, appointmentDate: true, createdAt: true, movedAt: true },
    });
    // The family of a visit booked without an account is notified when the visit is assigned to it.
    const bookingMessageTimes = await latestMessageTimes("visit-booked", rows);
    const dueVisits = rows.filter(({ id, appointmentDate, createdAt, movedAt }) => {
      const notifiedAtMs = Math.max((movedAt ?? createdAt).getTime(), bookingMessageTimes.get(id)?.getTime() ?? 0);
      return notifiedAtMs <= appointmentDate.getTime() - leadMs;
    });
    const reminderTimes = await latestMessageTimes(event, dueVisits);
    for (const visit of dueVisits)
      if (!isReminderWritten(visit, reminderTimes))
        await inTransaction(async (transaction) => {
          await writeVisitReminder(transaction, visit.id, event);
          // Prevents both reminders from arriving together after an outage.
          if (event === "visit-reminder-1h") await dropReminders(transaction, visit.id, ["visit-reminder-24h"]);
        });
  }
}

export const reminderJob: PeriodicJob = { name: "writing reminders", intervalMs: MINUTE_MS, run: writeVisitReminders };
