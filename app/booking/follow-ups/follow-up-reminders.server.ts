import { notifyAccount } from "../../accounts/email/notify.server.ts";
import { now } from "../../clock.ts";
import { db, inTransaction } from "../../db/client.server.ts";
import { MINUTE_MS } from "../../duration.ts";
import { env } from "../../env.server.ts";
import { followUpDueContent } from "../../mail/messages/follow-up-messages.ts";
import { formatLongDay } from "../../ui/dates.ts";
import type { Job } from "../../periodic-job.ts";
import { toWallTime } from "../wall-time.ts";
import { practiceToday } from "../practice-today.server.ts";

/** Nobody is reminded in the night: minutes after midnight, in the practice's zone. */
const EARLIEST_MINUTES = 8 * 60;
const MAX_AT_ONCE = 200;

/**
 * Reminds families of shared follow-ups on the day they are due, from 8 AM in the practice's zone on: each once,
 * however many processes run this. One that is done or not shared by then is left out.
 */
export async function writeFollowUpReminders(): Promise<void> {
  if (toWallTime(now(), env.practice.timeZone).minutes < EARLIEST_MINUTES) return;
  const isOpen = { isShared: true, doneAt: null, remindedAt: null, dueDay: { lte: practiceToday() } };
  const rows = await db.followUp.findMany({
    where: isOpen,
    take: MAX_AT_ONCE,
    select: { id: true, userId: true, dueDay: true },
  });
  for (const { id, userId, dueDay } of rows)
    await inTransaction(async (transaction) => {
      const { count } = await transaction.followUp.updateMany({
        where: { id, ...isOpen },
        data: { remindedAt: now() },
      });
      if (count === 0) return;
      await notifyAccount(transaction, userId, ({ firstName }) => ({
        event: "follow-up-due",
        about: `follow-up ${id}`,
        content: followUpDueContent(firstName, formatLongDay(dueDay)),
        isByPractice: true,
      }));
    });
}

export const followUpJob: Job = { name: "reminding of follow-ups", intervalMs: MINUTE_MS, run: writeFollowUpReminders };
