import { canCancel, effectiveNowForFamily, timeStatus } from "../appointment-status.ts";
import { msUntilNextVisitChange } from "../ms-until-next-visit-change.ts";
import { canFamilyMove, isMovableByPhoneOnly } from "../self-service-deadline.ts";
import { offeredRoomLink, roomOpensAt } from "../room-hours.ts";
import { computeBalance, hasPaidBadge } from "../prices/appointment-balance.ts";
import { exceedsServiceDuration, visitLengthText } from "../prices/service-catalog.ts";
import { moveAndCancellationTerms } from "../prices/cancellation-policy.ts";
import { endTime } from "../booking-rules.ts";
import { visitKind } from "../visit-kind.ts";
import type { Appointment } from "../find-appointment.server.ts";

/**
 * Returns the data that a family sees of a visit it has booked or moved, at `currentTime`. Instants are ISO 8601 UTC,
 * times in sentences are in `zone`, and money is in US cents.
 */
export function toBookedVisitDetails(appointment: Appointment, currentTime: Date, zone: string) {
  const now = effectiveNowForFamily(appointment, currentTime);
  const { id, title, appointmentDate: start, duration, meetingLink, paymentMethod, paymentStatus } = appointment;
  const { paidCents, refundedCents, unpaidCents } = computeBalance(appointment);
  const isPaymentPending = paymentMethod === "online" && paymentStatus === "pending";
  return {
    id,
    title,
    start: start.toISOString(),
    end: endTime({ start, duration }).toISOString(),
    duration,
    /** Set if the service is not sold for that length. */
    lengthToConfirm: exceedsServiceDuration(appointment) ? visitLengthText(appointment) : null,
    kind: visitKind(appointment),
    meetingLink,
    isMoved: appointment.movedAt !== null,
    timeStatus: timeStatus(appointment, now),
    roomOpensAt: roomOpensAt(start).toISOString(),
    offeredRoomLink: offeredRoomLink(appointment, now),
    refreshInMs: msUntilNextVisitChange([appointment], currentTime),
    paidCents: paidCents - refundedCents,
    unpaidCents: isPaymentPending ? 0 : unpaidCents,
    isSettling: isPaymentPending,
    isPaid: hasPaidBadge(appointment),
    receipts: appointment.payments.map((payment) => payment.id),
    canMove: canFamilyMove(appointment, now),
    isMovableByPhoneOnly: isMovableByPhoneOnly(appointment, now),
    canCancel: canCancel(appointment, now),
    moveAndCancellationTerms: moveAndCancellationTerms(appointment, now, zone),
  };
}
