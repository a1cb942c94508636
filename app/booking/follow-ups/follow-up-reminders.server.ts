import { lockAccountRow } from "../../accounts/lock-account-row.server.ts";
import { ACTIVE_ACCOUNT_CONDITION } from "../../accounts/person.ts";
import { notifyAccount } from "../../accounts/email/queue-account-message.server.ts";
import { now } from "../../clock.ts";
import { db, inTransaction } from "../../db/database-client.server.ts";
import { DAY_MS, MINUTE_MS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { messagesBySubjectCondition } from "../../mail/message-key.server.ts";
import { followUpDueContent } from "../../mail/messages/follow-up-messages.ts";
import { formatLongPlainDate } from "../../ui/format-date-time.ts";
import type { PeriodicJob } from "../../periodic-job.ts";
import { toWallTime } from "../wall-time.ts";
import { practiceToday } from "../practice-today.server.ts";

/**
 * Earliest time of day for reminders, in minutes after midnight in the practice's time zone. Prevents reminders at
 * night.
 */
const EARLIEST_REMINDER_MINUTES = 8 * 60;
const MAX_FAMILIES_PER_RUN = 200;

/**
 * Reminds families of shared follow-ups on the day they are due, from 8 AM in the practice's time zone. Each family
 * gets one message a day, regardless of the number of due follow-ups and of processes running this. Skips follow-ups
 * that are done or not shared. A follow-up shared after the day's message was written is included in the next day's
 * message. A family whose account is closed, or that has requested erasure, is reminded only after that has ended.
 */
export async function writeFollowUpReminders(): Promise<void> {
  if (toWallTime(now(), env.practice.timeZone).minutes < EARLIEST_REMINDER_MINUTES) return;
  const today = practiceToday();
  const [event, subjectKey] = ["follow-up-due" as const, `follow-ups of ${today}`];
  // The `createdAt` bound lets the query use the index.
  const todaysMessageCondition = {
    ...messagesBySubjectCondition(event, subjectKey),
    createdAt: { gt: new Date(now().getTime() - 2 * DAY_MS) },
  };
  const user = { ...ACTIVE_ACCOUNT_CONDITION, messages: { none: todaysMessageCondition } };
  const dueCondition = { isShared: true, doneAt: null, remindedAt: null, dueDay: { lte: today }, user };
  const families = await db.followUp.groupBy({
    by: ["userId"],
    where: dueCondition,
    _min: { dueDay: true },
    orderBy: { userId: "asc" },
    take: MAX_FAMILIES_PER_RUN,
  });
  for (const { userId, _min } of families)
    await inTransaction(async (transaction) => {
      if (!(await lockAccountRow(transaction, userId, { isOpen: true, hasNoErasureRequest: true }))) return;
      const { count } = await transaction.followUp.updateMany({
        where: { userId, ...dueCondition },
        data: { remindedAt: now() },
      });
      if (count === 0) return;
      await notifyAccount(transaction, userId, ({ firstName }) => ({
        event,
        subjectKey,
        content: followUpDueContent(firstName, formatLongPlainDate(_min.dueDay ?? today)),
        isExemptFromLimits: true,
      }));
    });
}

export const followUpReminderJob: PeriodicJob = {
  name: "reminding of follow-ups",
  intervalMs: MINUTE_MS,
  run: writeFollowUpReminders,
};
