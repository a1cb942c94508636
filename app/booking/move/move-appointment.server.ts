import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { lockAccountRow } from "../../accounts/lock-account-row.server.ts";
import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { type Transaction } from "../../db/database-client.server.ts";
import { env } from "../../env.server.ts";
import { DAY_SECONDS } from "../../time-units.ts";
import { accepted, invalidField, type Outcome, type Refusal, refused } from "../../http/outcome.ts";
import { createRateLimiter } from "../../http/rate-limit.server.ts";
import { isMovable, FINAL_STATUSES, isCompletedOrNoShow } from "../appointment-status.ts";
import { isBeforeSelfServiceDeadline, SELF_SERVICE_DEADLINE_HOURS } from "../self-service-deadline.ts";
import { getCachedSchedulingRules } from "../../practice/practice-settings.server.ts";
import {
  type Appointment,
  findAppointment,
  getAppointmentUnchecked,
  accessibleAppointmentsCondition,
} from "../find-appointment.server.ts";
import { bookingRuleContext, hasConflict } from "../availability/availability.server.ts";
import { enqueueCalendarWrite } from "../availability/calendar-write-queue.server.ts";
import { releaseObsoleteHolds } from "../holds/release-holds.server.ts";
import { bookingNetworkHashes, checkNetworkVisitLimit, isSameWeek } from "../limits/network-limits.server.ts";
import { checkNewAccountBookingLimits, hasNewAccountLimits } from "../limits/new-account-limits.server.ts";
import { checkUnpaidVisitQuota } from "../limits/new-account-quota.server.ts";
import { notifyVisitMoved } from "../messages/visit-notifications.server.ts";
import { checkInPerson, setVisitPlace } from "../place/set-visit-place.server.ts";
import { rollbackIf, slotTakenRefusal, tryTransaction } from "../rollback.server.ts";
import {
  type AppointmentType,
  basicSlotError,
  INVALID_DURATION_MESSAGE,
  isValidDuration,
  slotError,
  type SlotRequest,
} from "../booking-rules.ts";
import { endWaitingListEntryForBooking } from "../waiting-list/waiting-list.server.ts";

/** Limits moves, because each one is mailed and recorded. Source: docs/product.md, Limits. */
const moveLimiter = createRateLimiter("moves", 20, DAY_SECONDS);

type AppointmentMove = { appointmentDate: Date; duration?: unknown; place?: string | null | undefined };

/**
 * Moves an appointment to another start (an instant), keeping its record, its payment and everything linked to it. A
 * family can move its own appointment until 24 hours before the current start, within its limits. The administrator may
 * also change the duration (minutes) and the place (see `setVisitPlace`) and, with `ignoresSchedulingRules`, move it outside
 * office hours or after it has begun. `ip` identifies the network. Refusals: notFound; conflict (slot taken; canceled,
 * completed, no-show or begun; changed concurrently); invalid (`appointmentDate`, `place`); tooMany (20 moves of a
 * family in a day; the limits of a new account and of its network). Source: docs/product.md, Moving.
 */
export async function moveAppointment(
  person: Person,
  id: number | null,
  { appointmentDate: start, duration: requestedDuration, place: requestedPlace }: AppointmentMove,
  { ip, ...options }: { ip: string; ignoresSchedulingRules?: boolean },
): Promise<Outcome<Appointment>> {
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  const appointment = found.value;
  const ignoresSchedulingRules = options.ignoresSchedulingRules === true && person.isAdmin;
  const refusal =
    checkMovableState(appointment, ignoresSchedulingRules) ?? (person.isAdmin ? null : checkMoveDeadline(appointment));
  if (refusal) return refusal;
  const duration = person.isAdmin && !isAbsent(requestedDuration) ? requestedDuration : appointment.duration;
  if (!isValidDuration(duration)) return invalidField("duration", INVALID_DURATION_MESSAGE);
  const setsPlace = person.isAdmin && requestedPlace !== undefined;
  const place = setsPlace ? requestedPlace : appointment.place;
  const placeRefusal = setsPlace ? checkInPerson(appointment) : null;
  if (placeRefusal) return placeRefusal;
  if (start.getTime() === appointment.appointmentDate.getTime() && duration === appointment.duration)
    return setsPlace
      ? setVisitPlace(person, id, place)
      : invalidField("appointmentDate", "That is when the visit is now. Choose another time.");
  const slot: SlotRequest = { start, duration, type: appointment.type as AppointmentType };
  const reason = ignoresSchedulingRules
    ? basicSlotError(slot, { now: now() })
    : slotError(slot, await bookingRuleContext(slot.start));
  if (reason) return invalidField("appointmentDate", reason);
  const pauseMinutes = ignoresSchedulingRules ? 0 : (await getCachedSchedulingRules()).pauseMinutes;
  const { userId } = appointment;
  if (await hasConflict(slot, { userId, excludedAppointmentId: appointment.id, pauseMinutes }))
    return slotTakenRefusal();
  const rateLimitRefusal = person.isAdmin ? null : await moveLimiter.consume(String(person.id));
  return rateLimitRefusal ?? enqueueCalendarWrite(() => saveMove(person, appointment, { ...slot, place }, ip));
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

async function saveMove(
  person: Person,
  appointment: Appointment,
  { start, duration, place }: SlotRequest & { place: string | null },
  ip: string,
): Promise<Outcome<Appointment>> {
  const { id, appointmentDate, userId } = appointment;
  const moved = await tryTransaction(async (transaction) => {
    if (userId !== null) await lockAccountRow(transaction, userId);
    await releaseObsoleteHolds(transaction, { appointmentDate: start, duration }, { userId });
    const { count } = await transaction.appointment.updateMany({
      // Matches no row if another request canceled or moved it meanwhile.
      where: { id, ...accessibleAppointmentsCondition(person), appointmentDate, status: { notIn: FINAL_STATUSES } },
      data: {
        appointmentDate: start,
        duration,
        // Not written otherwise, so that the place that the consultant sets meanwhile stays.
        ...(place !== appointment.place && { place }),
        status: "rescheduled",
        calendarSequence: { increment: 1 },
        callEndedAt: null,
        familyJoinedAt: null,
        ...(start.getTime() !== appointmentDate.getTime() && { movedAt: now() }),
        toldAt: null,
      },
    });
    rollbackIf(count === 1 ? null : staleAppointmentRefusal());
    if (!person.isAdmin) rollbackIf(await checkMoveLimits(transaction, appointment, start, ip));
    await endWaitingListEntryForBooking(transaction, userId, start);
    await notifyVisitMoved(transaction, id, appointment, person.isAdmin ? "practice" : "family");
    recordAuditInTransaction(transaction, { action: "appointment-moved", familyId: userId, objectId: id });
  });
  return moved.ok ? accepted(await getAppointmentUnchecked(id)) : moved;
}

/** Checks the limits of new accounts that depend on the time of their visits. A move does not add a visit. */
async function checkMoveLimits(
  transaction: Transaction,
  moved: Appointment,
  start: Date,
  ip: string,
): Promise<Refusal | null> {
  const { id, userId, type, appointmentDate: movedFrom, paymentMethod, paymentStatus, consultationRequestId } = moved;
  if (userId === null || !(await hasNewAccountLimits(transaction, userId))) return null;
  const requested = { appointmentDate: start, type, movedFrom };
  const countsForQuota = paymentMethod === "in-person" && paymentStatus === "pending" && consultationRequestId === null;
  const refusal = await checkNewAccountBookingLimits(transaction, userId, requested);
  if (refusal || !countsForQuota) return refusal;
  const isWithinWeek = isSameWeek(movedFrom, start);
  // Within the same week it keeps counting for the network that booked it, unless that was deleted meanwhile. In
  // another week it counts for the network that moved it.
  const where = isWithinWeek ? { id, network: null, wideNetwork: null } : { id };
  await transaction.appointment.updateMany({ where, data: bookingNetworkHashes(ip) });
  if (isWithinWeek) return null;
  return (await checkUnpaidVisitQuota(transaction, requested)) ?? checkNetworkVisitLimit(transaction, ip, requested);
}

/**
 * Returns the refusal for an appointment that can no longer be moved, otherwise null. With `canHaveBegun`, an
 * appointment that has begun can still be moved.
 */
function checkMovableState({ status, appointmentDate }: Appointment, canHaveBegun: boolean): Refusal | null {
  if (isCompletedOrNoShow(status))
    return refused("conflict", `This visit is marked ${status}. Change its status first, or schedule a new one.`);
  if (!isMovable({ status })) return refused("conflict", "This visit is canceled. Schedule a new one instead.");
  if (canHaveBegun || appointmentDate > now()) return null;
  return refused("conflict", "This visit has already begun, so it can't be moved.");
}

function checkMoveDeadline(appointment: Appointment): Refusal | null {
  return isBeforeSelfServiceDeadline(appointment, now())
    ? null
    : invalidField(
        "appointmentDate",
        `It starts in less than ${SELF_SERVICE_DEADLINE_HOURS} hours, so it can't be moved here. Please call us at ${env.practice.phone}.`,
      );
}

function staleAppointmentRefusal(): Refusal {
  return refused("conflict", "This visit was changed in the meantime. Please look at it again.");
}
