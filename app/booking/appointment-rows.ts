import {
  mayCancel,
  ROOM_CLOSES_MINUTES_AFTER,
  ROOM_OPENS_MINUTES_BEFORE,
  roomEntry,
  rowBadge,
  standing,
} from "./badges.ts";
import { moneyText } from "./money.ts";
import { type AppointmentType, TYPE_LABELS } from "./rules.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

type Shown = {
  id: number;
  title: string;
  description: string | null;
  notes: string | null;
  appointmentDate: Date;
  duration: number;
  type: string;
  status: string;
  meetingLink: string | null;
  isLiveVideoCall: boolean;
  paymentId: string | null;
  paymentAmountCents: number | null;
  payments: { id: number; amountCents: number; refundedCents: number }[];
};

/** The list as it is shown at `now`: what is upcoming ascending, what is past the latest first. */
export function appointmentRows(appointments: readonly Shown[], now: Date) {
  const rows = appointments.map((appointment) => ({
    ...rowOf(appointment, now),
    standing: standing(appointment, now),
  }));
  return {
    happening: rows.filter((row) => row.standing === "now" && !row.isCancelled),
    upcoming: rows.filter((row) => row.standing === "upcoming"),
    past: rows.filter((row) => row.standing !== "upcoming").toReversed(),
    changesInMs: nextChange(appointments, now),
  };
}

export type AppointmentRowData = ReturnType<typeof rowOf>;

function rowOf(appointment: Shown, now: Date) {
  const { id, title, description, notes, duration, type, meetingLink } = appointment;
  const isCancelled = appointment.status === "cancelled";
  return {
    id,
    title,
    description,
    notes,
    duration,
    type,
    typeLabel: TYPE_LABELS[type as AppointmentType] ?? type,
    start: appointment.appointmentDate.toISOString(),
    badge: rowBadge(appointment, now),
    isCancelled,
    isPaid: appointment.paymentId !== null,
    money: moneyText(appointment),
    receipts: appointment.payments.map((payment) => payment.id),
    meetingLink: isCancelled ? null : meetingLink,
    entry: roomEntry(appointment, now),
    mayCancel: mayCancel(appointment, now),
  };
}

/** When a row will next look different, within a day. */
function nextChange(appointments: readonly Shown[], now: Date): number | null {
  const moments = appointments.flatMap(({ appointmentDate, duration, status }) => {
    const start = appointmentDate.getTime();
    const end = start + duration * MINUTE;
    if (status === "cancelled") return [start];
    return [start - ROOM_OPENS_MINUTES_BEFORE * MINUTE, start, end, end + ROOM_CLOSES_MINUTES_AFTER * MINUTE + 1];
  });
  const ahead = moments.map((moment) => moment - now.getTime()).filter((left) => left > 0 && left < DAY);
  return ahead.length > 0 ? Math.min(...ahead) : null;
}
