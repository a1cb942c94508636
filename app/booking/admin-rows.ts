import { ROOM_CLOSES_MINUTES_AFTER, rowBadge } from "./badges.ts";
import { clientName } from "./client-name.ts";
import { moneyText } from "./money.ts";
import { isOther } from "./prices.ts";
import { type AppointmentType, endOf, TYPE_LABELS } from "./rules.ts";

const MINUTE = 60_000;

type Listed = {
  id: number;
  userId: number | null;
  title: string;
  notes: string | null;
  appointmentDate: Date;
  duration: number;
  type: string;
  status: string;
  isLiveVideoCall: boolean;
  paymentId: string | null;
  paymentAmountCents: number | null;
  payments: { amountCents: number; refundedCents: number }[];
  consultationRequestId: number | null;
  user: { firstName: string; lastName: string } | null;
};

export type AdminRow = ReturnType<typeof adminRow>;

/** An appointment as the consultant's lists show it at `now`; the start is ISO 8601 UTC. */
export function adminRow(appointment: Listed, now: Date) {
  const { id, userId, title, notes, appointmentDate, duration, type, user } = appointment;
  const named = { title, notes, userId, clientFirstName: user?.firstName, clientLastName: user?.lastName };
  return {
    id,
    title,
    duration,
    start: appointmentDate.toISOString(),
    isOver: appointmentDate <= now,
    isCancelled: appointment.status === "cancelled",
    typeLabel: TYPE_LABELS[type as AppointmentType] ?? type,
    badge: rowBadge(appointment, now),
    isOther: isOther(serviceOf(appointment)),
    isPaid: appointment.paymentId !== null,
    money: moneyText(appointment),
    client: { id: userId, ...clientName(named) },
    call: callOf(appointment, now),
  };
}

/** What was booked, without the client's name that scheduling from a request adds to it. */
function serviceOf({ title, consultationRequestId }: Listed): string {
  if (consultationRequestId === null) return title;
  const at = title.lastIndexOf(" - ");
  return at === -1 ? title : title.slice(0, at);
}

/** The way to the call that a live video appointment offers the consultant; none once the room has closed. */
function callOf({ isLiveVideoCall, status, appointmentDate, duration }: Listed, now: Date): string | null {
  if (!isLiveVideoCall || status === "cancelled") return null;
  if (now < appointmentDate) return "Waiting Room";
  const end = endOf({ start: appointmentDate, duration });
  return now.getTime() <= end.getTime() + ROOM_CLOSES_MINUTES_AFTER * MINUTE ? "Join call now" : null;
}
