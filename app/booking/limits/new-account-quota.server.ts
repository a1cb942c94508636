import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import { DAY_MS, DAY_SECONDS, MINUTE_SECONDS } from "../../time-units.ts";
import { filterNewAccountIds } from "../../accounts/new-account.server.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { type Refusal, refused } from "../../http/outcome.ts";
import type { Transaction } from "../../db/database-client.server.ts";
import { countWeeklyOfficeMinutes } from "../../practice/office-hours.ts";
import { loadSchedulingRulesInTransaction } from "../../practice/practice-settings.server.ts";
import { HOLD_MINUTES } from "../holds/hold-duration.ts";
import { bookingAlternativesText, isSameWeek, OWED_IN_PERSON_CONDITION } from "./network-limits.server.ts";
import type { RequestedSlot } from "./new-account-limits.server.ts";

/** Maximum share of a week's office hours for the unpaid visits of all new accounts together. */
const MAX_UNPAID_SHARE = 0.5;
/** Maximum share of a week's office hours that the open hosted payment pages of all new accounts together hold. */
const MAX_HOSTED_PAGES_SHARE = 0.25;

const WEEK_MS = 7 * DAY_MS;

/**
 * Returns a refusal (tooMany) when a new account's visit to be paid in person, `requested`, raises the unpaid visits of
 * all new accounts in its week (Monday to Sunday in the practice's time zone) above half of the office hours, otherwise
 * null. A new hold is counted together with the other holds; a booking ignores holds. Counts visits booked by the
 * families and by the administrator for them, but not visits scheduled from a consultation request. Call it only if
 * `hasNewAccountLimits`, in the transaction that has written `requested`. Source: docs/decisions/0017.
 */
export async function checkUnpaidVisitQuota(
  transaction: Transaction,
  requested: RequestedSlot,
): Promise<Refusal | null> {
  const { appointmentDate } = requested;
  if (requested.movedFrom && isSameWeek(requested.movedFrom, appointmentDate)) return null;
  const rows = await transaction.appointment.findMany({
    where: {
      ...OWED_IN_PERSON_CONDITION,
      appointmentDate: {
        gt: new Date(Math.max(now().getTime(), appointmentDate.getTime() - WEEK_MS)),
        lt: new Date(appointmentDate.getTime() + WEEK_MS),
      },
    },
    select: { userId: true, appointmentDate: true, duration: true },
  });
  const held = requested.isHold
    ? await findActiveHoldsWithinWeekOf(transaction, appointmentDate, CHOSEN_OR_OFFERED_CONDITION)
    : [];
  if (await isWithinShare(transaction, appointmentDate, [...rows, ...held], MAX_UNPAID_SHARE)) return null;
  const refusal = refused(
    "tooMany",
    `The times of that week for first visits are taken. ${bookingAlternativesText("choose another week")}`,
  );
  return { ...refusal, retryAfterSeconds: DAY_SECONDS };
}

/**
 * Returns a refusal (tooMany) when the hosted payment page of a new account raises the minutes that such pages of all
 * new accounts hold in its week above a quarter of the office hours, otherwise null. Each page ends within 15 minutes.
 * Call it only if `hasNewAccountLimits`, in the transaction that has written the hold. Source: docs/decisions/0017.
 */
export async function checkHostedPageQuota(
  transaction: Transaction,
  { appointmentDate }: { appointmentDate: Date },
): Promise<Refusal | null> {
  const held = await findActiveHoldsWithinWeekOf(transaction, appointmentDate, { payment: { method: "hosted" } });
  if (await isWithinShare(transaction, appointmentDate, held, MAX_HOSTED_PAGES_SHARE)) return null;
  const refusal = refused(
    "tooMany",
    `Too many payments for that week are in progress. Please try again in ${HOLD_MINUTES} minutes, choose another week, or call us at ${env.practice.phone}.`,
  );
  return { ...refusal, retryAfterSeconds: HOLD_MINUTES * MINUTE_SECONDS };
}

type OwnedSlot = { userId: number | null; appointmentDate: Date; duration: number };

/** Whether the slots of new accounts in the week of the instant `start` take at most `share` of the office hours. */
async function isWithinShare(
  transaction: Transaction,
  start: Date,
  slots: readonly OwnedSlot[],
  share: number,
): Promise<boolean> {
  const inWeek = slots.filter(({ appointmentDate }) => isSameWeek(appointmentDate, start));
  const userIds = new Set(inWeek.flatMap(({ userId }) => userId ?? []));
  const newAccounts = await filterNewAccountIds([...userIds], transaction);
  const minutes = inWeek
    .filter(({ userId }) => userId !== null && newAccounts.has(userId))
    .reduce((sum, { duration }) => sum + duration, 0);
  const { week } = await loadSchedulingRulesInTransaction(transaction);
  return minutes <= countWeeklyOfficeMinutes(week) * share;
}

const CHOSEN_OR_OFFERED_CONDITION: Prisma.HoldWhereInput = {
  OR: [{ chosenByUserId: { not: null } }, { offerId: { not: null } }],
};

/** Returns the current holds of times within a week of an instant (UTC). */
function findActiveHoldsWithinWeekOf(transaction: Transaction, around: Date, condition: Prisma.HoldWhereInput) {
  return transaction.hold.findMany({
    where: {
      ...condition,
      expiresAt: { gt: now() },
      appointmentDate: { gt: new Date(around.getTime() - WEEK_MS), lt: new Date(around.getTime() + WEEK_MS) },
    },
    select: { userId: true, appointmentDate: true, duration: true },
  });
}
