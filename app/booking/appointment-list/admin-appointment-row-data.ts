import { MINUTE_MS } from "../../time-units.ts";
import { adminBadge, canCancel, isMovable, isMissingOutcome, timeStatus } from "../appointment-status.ts";
import { isRoomOpen, ROOM_CLOSES_MINUTES_AFTER, ROOM_LINK_LABELS } from "../room-hours.ts";
import { resolveClientName } from "../client-name.ts";
import { computeBalance, balanceText, hasPaidBadge } from "../prices/appointment-balance.ts";
import { isCustomTitle, exceedsServiceDuration, titleWithoutClientName } from "../prices/service-catalog.ts";
import { pendingNotificationText } from "../manual-notification/manual-notification.ts";
import { distinctTypeLabel, ownPlace, visitKind } from "../visit-kind.ts";
import { offeredMeetingLink } from "../offered-meeting-link.ts";
import { endTime } from "../booking-rules.ts";

type ListedAppointment = {
  id: number;
  userId: number | null;
  title: string;
  notes: string | null;
  appointmentDate: Date;
  duration: number;
  type: string;
  status: string;
  isLiveVideoCall: boolean;
  meetingLink: string | null;
  place: string | null;
  callEndedAt: Date | null;
  waivedAt: Date | null;
  paymentId: string | null;
  paymentStatus: string;
  paymentAmountCents: number | null;
  payments: { amountCents: number; refundedCents: number }[];
  consultationRequestId: number | null;
  toldAt: Date | null;
  user: { firstName: string; lastName: string } | null;
};

export type AdminRow = ReturnType<typeof toAdminAppointmentRow>;

/** Converts an appointment to a row of the consultant's lists at `now`. The start is ISO 8601 UTC. */
export function toAdminAppointmentRow(appointment: ListedAppointment, now: Date) {
  const { id, userId, title, notes, appointmentDate, duration, type, user } = appointment;
  const { unpaidCents } = computeBalance(appointment);
  const hasStarted = appointmentDate <= now;
  const nameFields = { title, notes, userId, clientFirstName: user?.firstName, clientLastName: user?.lastName };
  return {
    id,
    title,
    duration,
    start: appointmentDate.toISOString(),
    end: endTime({ start: appointmentDate, duration }).toISOString(),
    visitKind: visitKind(appointment),
    /** Null where the visit has no place of its own. */
    ownPlace: ownPlace(appointment),
    status: appointment.status,
    hasStarted,
    isCancelled: appointment.status === "cancelled",
    type,
    /** Null where the service already implies it. */
    typeLabel: distinctTypeLabel(appointment),
    badge: adminBadge(appointment, now),
    isCustomTitle: isCustomTitle(titleWithoutClientName(appointment)),
    exceedsServiceDuration: exceedsServiceDuration(appointment),
    isPaid: hasPaidBadge(appointment),
    money: balanceText(appointment, now),
    /** US cents that are not paid, whether the visit has begun or not. */
    unpaidCents,
    /** US cents that are not paid of a visit that has begun. */
    dueCents: hasStarted ? unpaidCents : 0,
    isOngoing: timeStatus(appointment, now) === "now" && isMovable(appointment),
    isOver: timeStatus(appointment, now) === "past",
    canCancel: canCancel(appointment, now),
    needsOutcome: isMissingOutcome(appointment, now),
    client: { id: userId, ...resolveClientName(nameFields) },
    lacksAccountForVideo: lacksAccountForVideo(appointment, now),
    pendingNotificationText: pendingNotificationText(appointment, now),
    callLabel: callLabel(appointment, now),
    isRoomOpen: isRoomOpen(appointment, now),
    canReopenCall: canReopenCall(appointment, now),
    offeredMeetingLink: offeredMeetingLink(appointment, now),
  };
}

/** Checks whether a live video visit that is not over has no account, so that only the consultant can join it. */
function lacksAccountForVideo(appointment: ListedAppointment, now: Date): boolean {
  const { isLiveVideoCall, userId, status } = appointment;
  return isLiveVideoCall && userId === null && status !== "cancelled" && timeStatus(appointment, now) !== "past";
}

/** Checks whether the consultant can enter the open room again after she ended the call or marked the visit as no-show. */
function canReopenCall(appointment: ListedAppointment, now: Date): boolean {
  return isRoomOpen(appointment, now) && (appointment.callEndedAt !== null || appointment.status === "no-show");
}

/**
 * Returns the label of the consultant's link to the call of a live video visit; null after the room closed, she ended
 * the call or marked the visit as no-show.
 */
function callLabel(
  { isLiveVideoCall, status, appointmentDate, duration, callEndedAt }: ListedAppointment,
  now: Date,
): string | null {
  if (!isLiveVideoCall || status === "cancelled" || status === "no-show" || callEndedAt) return null;
  if (now < appointmentDate) return ROOM_LINK_LABELS["waiting-room"];
  const end = endTime({ start: appointmentDate, duration });
  return now.getTime() <= end.getTime() + ROOM_CLOSES_MINUTES_AFTER * MINUTE_MS ? ROOM_LINK_LABELS["join-now"] : null;
}
