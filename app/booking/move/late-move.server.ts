import { now } from "../../clock.ts";
import { HOUR_MS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import type { Appointment } from "../find-appointment.server.ts";
import { SELF_SERVICE_DEADLINE_HOURS } from "../self-service-deadline.ts";
import { lateMoveCostText } from "../prices/cancellation-policy.ts";
import { formatTimeOfDay, toWallTime } from "../wall-time.ts";

export type LateMoveWarning = ReturnType<typeof lateMoveWarning>;

/**
 * Returns the instant `deadline` (ISO 8601 UTC) and a sentence that says what a family loses by moving its visit to an
 * earlier start. `deadlineWallTime` is the same instant in the format of the page's date-time field, in the practice's
 * time zone.
 */
export function lateMoveWarning({ paymentAmountCents, paymentMethod, payments }: Appointment) {
  const deadline = new Date(now().getTime() + SELF_SERVICE_DEADLINE_HOURS * HOUR_MS);
  const { day, minutes } = toWallTime(deadline, env.practice.timeZone);
  const paidOnline = paymentMethod === "online" ? payments[0] : undefined;
  return {
    before: deadline.toISOString(),
    deadlineWallTime: `${day}T${formatTimeOfDay(minutes)}`,
    note: lateMoveCostText({
      priceCents: paidOnline?.amountCents ?? paymentAmountCents ?? 0,
      isPaidOnline: paidOnline !== undefined,
    }),
  };
}
