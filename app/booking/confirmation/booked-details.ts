import { canCancel, effectiveNowForFamily, timeStatus } from "../appointment-status.ts";
import { msUntilNextChange } from "../ms-until-next-change.ts";
import { canMove, isMovableByPhoneOnly } from "../self-service-deadline.ts";
import { offeredRoomLink, roomOpensAt } from "../room-hours.ts";
import { balance, hasPaidBadge } from "../prices/balance.ts";
import { exceedsServiceDuration, lengthText } from "../prices/service-catalog.ts";
import { moveAndCancellationTerms } from "../prices/refund-rule.ts";
import { endTime } from "../rules.ts";
import { visitKind } from "../visit-kind.ts";
import type { Appointment } from "../appointments.server.ts";

/**
 * Returns the data that a family sees of a visit it has booked or moved, at `currentTime`. Instants are ISO 8601 UTC,
 * times in sentences are in `zone`, and money is in US cents.
 */
export function bookedDetails(appointment: Appointment, currentTime: Date, zone: string) {
  const now = effectiveNowForFamily(appointment, currentTime);
  const { id, title, appointmentDate: start, duration, meetingLink, paymentMethod, paymentStatus } = appointment;
  const { paidCents, refundedCents, unpaidCents } = balance(appointment);
  const isPaymentPending = paymentMethod === "online" && paymentStatus === "pending";
  return {
    id,
    title,
    start: start.toISOString(),
    end: endTime({ start, duration }).toISOString(),
    duration,
    /** Set if the service is not sold for that length. */
    lengthToConfirm: exceedsServiceDuration(appointment) ? lengthText(appointment) : null,
    kind: visitKind(appointment),
    meetingLink,
    isMoved: appointment.movedAt !== null,
    timeStatus: timeStatus(appointment, now),
    roomOpensAt: roomOpensAt(start).toISOString(),
    offeredRoomLink: offeredRoomLink(appointment, now),
    refreshInMs: msUntilNextChange([appointment], currentTime),
    paidCents: paidCents - refundedCents,
    unpaidCents: isPaymentPending ? 0 : unpaidCents,
    isSettling: isPaymentPending,
    isPaid: hasPaidBadge(appointment),
    receipts: appointment.payments.map((payment) => payment.id),
    canMove: canMove(appointment, now),
    isMovableByPhoneOnly: isMovableByPhoneOnly(appointment, now),
    canCancel: canCancel(appointment, now),
    moveAndCancellationTerms: moveAndCancellationTerms(appointment, now, zone),
  };
}
