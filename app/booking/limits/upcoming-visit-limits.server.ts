import { now } from "../../clock.ts";
import type { Transaction } from "../../db/database-client.server.ts";
import { env } from "../../env.server.ts";
import type { Refusal } from "../../http/outcome.ts";
import { bookingAlternativesText, OWED_IN_PERSON_CONDITION } from "./network-limits.server.ts";
import { rateLimitRefusal } from "./rate-limit-refusal.server.ts";

/** Maximum number of upcoming visits. Source: docs/product.md, Limits. */
const MAX_UPCOMING_VISITS = 60;
const MAX_UNPAID_HOURS = 60;

/**
 * Returns a refusal (tooMany) when a family has more than 60 upcoming visits, or, with `isByFamily`, more than 60 hours
 * of upcoming visits to be paid in person; otherwise null. Must run in the transaction that has written the visit:
 * calendar writes are serialized, so no concurrent booking is missed. Disabled by RATE_LIMITS=off. Source:
 * docs/decisions/0017.
 */
export async function checkUpcomingLimits(
  transaction: Transaction,
  userId: number | null,
  { isByFamily }: { isByFamily: boolean },
): Promise<Refusal | null> {
  if (!env.isRateLimitingEnabled || userId === null) return null;
  const upcomingCondition = { userId, appointmentDate: { gt: now() } };
  const { _count, _min } = await transaction.appointment.aggregate({
    where: { ...upcomingCondition, status: { not: "cancelled" } },
    _count: true,
    _min: { appointmentDate: true },
  });
  const nextStart = _min.appointmentDate ?? now();
  if (_count > MAX_UPCOMING_VISITS)
    return rateLimitRefusal(
      nextStart,
      `A family can have ${MAX_UPCOMING_VISITS} upcoming visits. Please cancel one first, or call us.`,
    );
  if (!isByFamily) return null;
  const unpaid = await transaction.appointment.aggregate({
    where: { ...upcomingCondition, ...OWED_IN_PERSON_CONDITION },
    _sum: { duration: true },
  });
  if ((unpaid._sum.duration ?? 0) <= MAX_UNPAID_HOURS * 60) return null;
  return rateLimitRefusal(
    nextStart,
    `You can have ${MAX_UNPAID_HOURS} hours of visits to come that are paid in person. ${bookingAlternativesText("cancel one first")}`,
  );
}
