import type { Person } from "../../accounts/person.ts";
import { type AdminRow, toAdminAppointmentRow } from "../../booking/appointment-list/admin-appointment-row-data.ts";
import { type Appointment, findAppointmentWithAudit } from "../../booking/find-appointment.server.ts";
import { findFamilyPhone } from "../../booking/find-family-phone.server.ts";
import { roomOpensAt } from "../../booking/room-hours.ts";
import { agreedPlace } from "../../booking/meeting-place.server.ts";
import { checkSettablePlace } from "../../booking/place/set-visit-place.server.ts";
import { SHORT_VISIT_KIND_LABELS } from "../../booking/visit-kind.ts";
import { now } from "../../clock.ts";
import { toRequestRow } from "../../consultation-requests/request-rows.ts";
import { findConsultationRequestWithAudit } from "../../consultation-requests/consultation-requests.server.ts";
import { manualNotificationContact } from "../../consultation-requests/manual-notification-contacts.server.ts";
import { db } from "../../db/database-client.server.ts";
import { MINUTE_MS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { accepted, type Outcome } from "../../http/outcome.ts";
import { mailMode } from "../../mail/mail-transport.server.ts";
import { findChildren } from "../../intake/intake-child-details.server.ts";
import { formatShortDate, formatShortDateTime, formatTimeRange, zoneAbbreviation } from "../../ui/format-date-time.ts";
import { formatCents } from "../../ui/format-currency.ts";

export type AppointmentDetails = Extract<Awaited<ReturnType<typeof loadAppointmentDetails>>, { ok: true }>["value"];

/** Returns one appointment for the administrator, with the family's contact details. `price` is US dollars as text. */
export async function loadAppointmentDetails(person: Person, id: string | undefined): Promise<Outcome<DetailsValue>> {
  const outcome = await findAppointmentWithAudit(person, parseId(id));
  if (!outcome.ok) return outcome;
  return accepted(await loadDetails(person, outcome.value));
}

/** How many minutes before the start the details show the link to the room. */
const ROOM_OFFERED_MINUTES_BEFORE = 30;

type DetailsValue = Awaited<ReturnType<typeof loadDetails>>;

async function loadDetails(person: Person, appointment: Appointment) {
  const { cancelledBy, cancelReason } = appointment;
  const { userId, description, notes, meetingLink, status, urgency, paymentAmountCents } = appointment;
  const row = toAdminAppointmentRow(appointment, now());
  const [account, request, children] = await Promise.all([
    userId === null ? null : db.user.findUnique({ where: { id: userId }, select: { email: true, firstName: true } }),
    findConsultationRequestWithAudit(person, appointment.consultationRequestId),
    findChildren(person, userId === null ? [] : [userId]),
  ]);
  const child = children.get(userId ?? 0) ?? null;
  return {
    ...row,
    child,
    summary: formatAppointmentSummaryLine(row),
    roomOpensAt: roomOpeningText(appointment),
    request: request && toRequestRow(request, env.practice),
    contact: request && manualNotificationContact(request, appointment),
    toldAt: manualNotificationTime(appointment),
    cancellation: status === "cancelled" ? cancellationText(cancelledBy, cancelReason) : null,
    description,
    notes,
    meetingLink,
    status,
    urgency,
    account: account && {
      email: account.email,
      phone: await findFamilyPhone(person, userId),
      mailtoUrl: composeMailtoUrlIfMailDisabled(account, appointment),
      hasIntake: child !== null,
    },
    price: paymentAmountCents === null ? null : formatCents(paymentAmountCents, 2),
    payment: paymentText(appointment),
    isLiveVideoCall: appointment.isLiveVideoCall,
    calendarSequence: appointment.calendarSequence,
    /** Null if the place still has to be agreed on. */
    place: agreedPlace(appointment),
    canSetPlace: checkSettablePlace(appointment) === null,
    isInPerson: row.visitKind === "in-person",
  };
}

/** Returns a link to an email message about an upcoming visit that she sends herself, because this site sends none. */
function composeMailtoUrlIfMailDisabled(
  { email, firstName }: { email: string; firstName: string },
  visit: Appointment,
) {
  if (mailMode === "smtp" || visit.appointmentDate <= now()) return null;
  return manualNotificationContact({ email, firstName, phone: null }, visit).mailtoUrl;
}

/** Returns the time, the kind of visit and the amount due in one line. */
function formatAppointmentSummaryLine({ start, end, visitKind: kind, money }: AdminRow): string {
  const { timeZone } = env.practice;
  const when = `${formatShortDate(start, timeZone)}, ${formatTimeRange(start, end, timeZone)} ${zoneAbbreviation(start, timeZone)}`;
  return [when, SHORT_VISIT_KIND_LABELS[kind].toLowerCase(), money].filter(Boolean).join(" · ");
}

/**
 * Returns when the room of a video visit opens, in the practice's time zone; null if it opens soon, or if there is
 * none.
 */
function roomOpeningText({ isLiveVideoCall, appointmentDate, status }: Appointment): string | null {
  const isFar = appointmentDate.getTime() - now().getTime() > ROOM_OFFERED_MINUTES_BEFORE * MINUTE_MS;
  if (!isLiveVideoCall || !isFar || status === "cancelled") return null;
  const opensAt = roomOpensAt(appointmentDate);
  return `${formatShortDateTime(opensAt, env.practice.timeZone)} ${zoneAbbreviation(opensAt, env.practice.timeZone)}`;
}

/**
 * Returns when a person without an account was notified of an upcoming visit. Null for a canceled visit, because the
 * person may not have been notified.
 */
function manualNotificationTime({ userId, toldAt, appointmentDate, status }: Appointment): string | null {
  const isUpcoming = userId === null && appointmentDate > now() && status !== "cancelled";
  return isUpcoming ? (toldAt?.toISOString() ?? null) : null;
}

function paymentText({ paymentMethod, paymentStatus, waivedAt }: Appointment): string {
  if (waivedAt && paymentStatus === "pending") return "waived";
  const state = paymentStatus === "pending" ? "not paid yet" : paymentStatus;
  return paymentMethod === null ? state : `${paymentMethod === "online" ? "by card" : "in person"}, ${state}`;
}

function cancellationText(cancelledBy: string | null, reason: string | null): string | null {
  if (cancelledBy === "family") return "By the family";
  return cancelledBy === "practice" ? `By you${reason ? `: ${reason}` : ""}` : null;
}
