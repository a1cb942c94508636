import { createTextShortener } from "../../excerpt.ts";
import { canCancel, familyBadge, effectiveNowForFamily, timeStatus } from "../appointment-status.ts";
import { canFamilyMove, isMovableByPhoneOnly } from "../self-service-deadline.ts";
import { msUntilNextVisitChange } from "../ms-until-next-visit-change.ts";
import { offeredRoomLink } from "../room-hours.ts";
import { computeBalance, balanceTextBesidePaidBadge, hasPaidBadge } from "../prices/appointment-balance.ts";
import { offlinePaymentTextWithoutAmount } from "../prices/offline-payment-text.ts";
import { visitLengthText, titleWithoutClientName } from "../prices/service-catalog.ts";
import { buildServiceBookingPath } from "../../practice/site-links.ts";
import { MAX_PAST_OR_CANCELED_ROWS } from "./appointment-list-limits.ts";
import { customDescription, distinctTypeLabel, ownPlace, VISIT_KIND_LABELS, visitKind } from "../visit-kind.ts";

type ListedAppointment = {
  id: number;
  title: string;
  description: string | null;
  notes: string | null;
  appointmentDate: Date;
  duration: number;
  type: string;
  status: string;
  meetingLink: string | null;
  place: string | null;
  isLiveVideoCall: boolean;
  callEndedAt: Date | null;
  paymentId: string | null;
  paymentStatus: string;
  waivedAt: Date | null;
  paymentAmountCents: number | null;
  consultationRequestId: number | null;
  cancelledBy: string | null;
  cancelReason: string | null;
  payments: { id: number; amountCents: number; refundedCents: number }[];
};

/**
 * Groups the client's list at `now`: upcoming visits ascending, past visits descending and limited to the newest 100.
 * `hasOlderVisits` is set when there are more.
 */
export function groupFamilyAppointmentsByTime(appointments: readonly ListedAppointment[], now: Date) {
  const rows = appointments.map((appointment) => {
    const time = effectiveNowForFamily(appointment, now);
    return { ...toFamilyAppointmentRow(appointment, time), timeStatus: timeStatus(appointment, time) };
  });
  const past = rows.filter((row) => row.timeStatus !== "upcoming").toReversed();
  const shortenTexts = createRowShortener();
  return {
    inProgress: rows.filter((row) => row.timeStatus === "now" && !row.isCancelled).map(shortenTexts),
    upcoming: rows.filter((row) => row.timeStatus === "upcoming" && !row.isCancelled).map(shortenTexts),
    cancelled: rows
      .filter((row) => row.timeStatus === "upcoming" && row.isCancelled)
      .slice(0, MAX_PAST_OR_CANCELED_ROWS)
      .map(shortenTexts),
    past: past.slice(0, MAX_PAST_OR_CANCELED_ROWS).map(shortenTexts),
    hasOlderVisits: past.length > MAX_PAST_OR_CANCELED_ROWS,
    refreshInMs: msUntilNextVisitChange(appointments, now),
  };
}

/** Returns a function that shortens the long texts of the page's rows. Must be called in the order of the rows. */
function createRowShortener() {
  const shorten = createTextShortener();
  return <Row extends Pick<AppointmentRowData, "description" | "notes" | "cancellation">>(row: Row): Row => ({
    ...row,
    cancellation: row.cancellation && shorten(row.cancellation),
    description: row.description && shorten(row.description),
    notes: row.notes && shorten(row.notes),
  });
}

export type AppointmentRowData = ReturnType<typeof toFamilyAppointmentRow>;

function toFamilyAppointmentRow(appointment: ListedAppointment, now: Date) {
  const { id, title, description, notes, appointmentDate, duration, type, meetingLink } = appointment;
  const isCanceled = appointment.status === "cancelled";
  const isOpen = !isCanceled && appointmentDate > now;
  const isOver = timeStatus(appointment, now) === "past";
  return {
    id,
    title,
    description: customDescription({ title, description }),
    notes,
    length: isOpen ? visitLengthText(appointment) : `${duration} minutes`,
    type,
    isVideo: visitKind(appointment) === "video",
    kindLabel: [VISIT_KIND_LABELS[visitKind(appointment)], ownPlace(appointment)].filter(Boolean).join(", "),
    typeLabel: distinctTypeLabel(appointment),
    start: appointment.appointmentDate.toISOString(),
    badge: familyBadge(appointment, now),
    isCancelled: isCanceled,
    cancellation: isCanceled ? cancellationText(appointment) : null,
    isPaid: hasPaidBadge(appointment),
    balanceText: balanceTextBesidePaidBadge(appointment, now),
    paymentInstructions:
      computeBalance(appointment).unpaidCents > 0
        ? offlinePaymentTextWithoutAmount(visitKind(appointment), isOver)
        : null,
    receipts: appointment.payments.map((payment) => payment.id),
    meetingLink: isCanceled ? null : meetingLink,
    offeredRoomLink: offeredRoomLink(appointment, now),
    canCancel: canCancel(appointment, now),
    canMove: canFamilyMove(appointment, now),
    isMovableByPhoneOnly: isMovableByPhoneOnly(appointment, now),
    /** Whether the visit has its own page. The page of a past or canceled visit redirects to the list. */
    hasPage: !isCanceled && !isOver,
    bookAgainPath: isCanceled || isOver ? buildServiceBookingPath(titleWithoutClientName(appointment)) : null,
  };
}

/** Returns who canceled a visit, and why; null where that was not recorded. */
function cancellationText({ cancelledBy, cancelReason }: ListedAppointment): string | null {
  if (cancelledBy === "family") return "You canceled this visit.";
  if (cancelledBy !== "practice") return null;
  return `Your consultant canceled this visit${cancelReason ? `: ${cancelReason}` : "."}`;
}
