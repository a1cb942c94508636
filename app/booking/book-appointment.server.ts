import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { lockAccountRow } from "../accounts/lock-account-row.server.ts";
import { ACTIVE_ACCOUNT_CONDITION, type Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db, type Transaction } from "../db/database-client.server.ts";
import { isId } from "../http/field-schemas.ts";
import { accepted, invalidField, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import { hasSubmittedIntakeForm } from "../intake/intake-forms.server.ts";
import { getCachedSchedulingRules } from "../practice/practice-settings.server.ts";
import { type Appointment, getAppointmentUnchecked } from "./find-appointment.server.ts";
import { bookingRuleError, hasConflict } from "./availability/availability.server.ts";
import { checkCancellationLimit } from "./limits/cancellation-limit.server.ts";
import { releaseObsoleteHolds } from "./holds/release-holds.server.ts";
import { bookingNetworkHashes, checkNetworkVisitLimit } from "./limits/network-limits.server.ts";
import { checkNewAccountBookingLimits, hasNewAccountLimits } from "./limits/new-account-limits.server.ts";
import { checkUnpaidVisitQuota } from "./limits/new-account-quota.server.ts";
import { checkUpcomingLimits } from "./limits/upcoming-visit-limits.server.ts";
import { notifyVisitBooked } from "./messages/visit-notifications.server.ts";
import { priceInCents } from "./prices/service-catalog.ts";
import { rollbackIf, slotTakenRefusal, tryTransaction } from "./rollback.server.ts";
import { basicSlotError, type SlotRequest } from "./booking-rules.ts";
import type { BookingValues } from "./booking-schemas.ts";
import { ownPlace } from "./visit-kind.ts";
import { endWaitingListEntryForBooking } from "./waiting-list/waiting-list.server.ts";
import { enqueueCalendarWrite } from "./availability/calendar-write-queue.server.ts";

export const INTAKE_REQUIRED_MESSAGE = "Intake Form must be filled out to proceed with appointment";

export const closedAccountRefusal = refused(
  "conflict",
  "This family's account is closed, so nothing can be booked for it.",
);

/**
 * Columns that the server sets. `service` determines the price when the title contains more than the service's name.
 */
type ServerFields = {
  userId: number | null;
  service?: string;
  paymentMethod?: "in-person" | "online";
  urgency?: string;
  consultationRequestId?: number;
  /**
   * IP address (see `clientIp`) of a family that books for itself. When it is set, the limits of new accounts apply.
   */
  bookingIp?: string;
  /** The payment of this booking. */
  paymentId?: number;
};

/**
 * Books an appointment to be paid in person. A client books for itself and needs an intake form. The administrator
 * books for the family `userId` and, with `ignoresSchedulingRules`, also outside office hours. `ip` identifies the
 * network. Refusals: invalid (a field, or no intake form), tooMany (60 upcoming visits, 20 canceled in seven days, or
 * the limits of a new account and of its network), conflict (slot taken, or account closed).
 */
export async function bookToPayInPerson(
  person: Person,
  fields: BookingValues & { userId?: unknown },
  { ip, ...options }: { ip: string; ignoresSchedulingRules?: boolean },
): Promise<Outcome<Appointment>> {
  const ignoresSchedulingRules = options.ignoresSchedulingRules === true && person.isAdmin;
  const refusal = await checkBookingRules(fields, person.id, ignoresSchedulingRules);
  if (refusal) return refusal;
  if (!person.isAdmin && !(await hasSubmittedIntakeForm(person))) return refused("invalid", INTAKE_REQUIRED_MESSAGE);
  const userId = person.isAdmin ? await findOpenClientId(fields.userId) : person.id;
  if (userId === null) return invalidField("userId", "Say for which family: userId must be the id of a client.");
  return enqueueCalendarWrite(
    async () =>
      (await checkSlot(fields, userId, ignoresSchedulingRules)) ??
      insertAppointmentAndNotify(fields, {
        userId,
        paymentMethod: "in-person",
        ...(person.isAdmin ? {} : { bookingIp: ip }),
      }),
  );
}

/**
 * Returns why the slot can't be booked now, or null when it is free or held for this family. With
 * `ignoresSchedulingRules`, office hours, notice and pause are not checked.
 */
export async function checkSlot(
  fields: BookingValues,
  userId: number,
  ignoresSchedulingRules = false,
): Promise<Refusal | null> {
  const pauseMinutes = ignoresSchedulingRules ? 0 : (await getCachedSchedulingRules()).pauseMinutes;
  return (
    (await checkBookingRules(fields, userId, ignoresSchedulingRules)) ??
    ((await hasConflict(toSlotRequest(fields), { userId, pauseMinutes })) ? slotTakenRefusal() : null)
  );
}

async function checkBookingRules(
  fields: BookingValues,
  userId: number,
  ignoresSchedulingRules: boolean,
): Promise<Refusal | null> {
  const slot = toSlotRequest(fields);
  const reason = ignoresSchedulingRules ? basicSlotError(slot, { now: now() }) : await bookingRuleError(slot, userId);
  return reason === null ? null : invalidField("appointmentDate", reason);
}

function toSlotRequest({ appointmentDate, duration, type }: BookingValues): SlotRequest {
  return { start: appointmentDate, duration, type };
}

/**
 * Inserts the appointment at the server's price, after running `beforeInsert` in the same transaction. The caller must have
 * validated the slot; the database rejects concurrent overlaps. Refusals: conflict, tooMany, and the refusal of
 * `beforeInsert`.
 */
export async function insertAppointmentAndNotify(
  fields: BookingValues,
  serverFields: ServerFields,
  beforeInsert: (transaction: Transaction) => Promise<Refusal | null> = async () => null,
): Promise<Outcome<Appointment>> {
  const creation = await tryTransaction(async (transaction) => {
    if (
      serverFields.userId !== null &&
      !(await lockAccountRow(transaction, serverFields.userId, { isOpen: true, hasNoErasureRequest: true }))
    )
      rollbackIf(closedAccountRefusal);
    await releaseObsoleteHolds(transaction, fields, serverFields);
    rollbackIf(await beforeInsert(transaction));
    const { userId, bookingIp } = serverFields;
    if (userId !== null && bookingIp !== undefined) rollbackIf(await checkCancellationLimit(transaction, userId));
    const isLimited = userId !== null && bookingIp !== undefined && (await hasNewAccountLimits(transaction, userId));
    const { id } = await transaction.appointment.create({
      data: { ...appointmentRow(fields, serverFields), ...(isLimited ? bookingNetworkHashes(bookingIp) : {}) },
      select: { id: true },
    });
    rollbackIf(await checkUpcomingLimits(transaction, userId, { isByFamily: bookingIp !== undefined }));
    await endWaitingListEntryForBooking(transaction, userId, fields.appointmentDate);
    if (isLimited)
      rollbackIf(
        (await checkNewAccountBookingLimits(transaction, userId, fields)) ??
          (await checkUnpaidVisitQuota(transaction, fields)) ??
          (await checkNetworkVisitLimit(transaction, bookingIp, fields)),
      );
    const isByFamily = bookingIp !== undefined || serverFields.paymentMethod === "online";
    await notifyVisitBooked(transaction, id, isByFamily ? "family" : "practice");
    recordAuditInTransaction(transaction, { action: "appointment-booked", familyId: userId, objectId: id });
    return id;
  });
  return creation.ok ? accepted(await getAppointmentUnchecked(creation.value)) : creation;
}

function appointmentRow(fields: BookingValues, serverFields: ServerFields) {
  const { title, appointmentDate, duration, type, isLiveVideoCall } = fields;
  const meetingLink = fields.meetingLink ?? null;
  return {
    title,
    appointmentDate,
    duration,
    type,
    isLiveVideoCall,
    description: fields.description ?? null,
    meetingLink,
    place: ownPlace({ isLiveVideoCall, meetingLink, place: fields.place ?? null }),
    notes: fields.notes ?? null,
    userId: serverFields.userId,
    urgency: serverFields.urgency ?? null,
    paymentMethod: serverFields.paymentMethod ?? null,
    paymentAmountCents: priceInCents(serverFields.service ?? title),
    consultationRequestId: serverFields.consultationRequestId ?? null,
    status: "scheduled",
    paymentStatus: "pending",
    createdAt: now(),
    ...(serverFields.paymentId === undefined ? {} : { payments: { connect: { id: serverFields.paymentId } } }),
  };
}

/** Returns the id of an open client account, otherwise null. */
export async function findOpenClientId(id: unknown): Promise<number | null> {
  if (!isId(id)) return null;
  const family = await db.user.findFirst({
    where: { id, isClient: true, isAdmin: false, ...ACTIVE_ACCOUNT_CONDITION },
    select: { id: true },
  });
  return family?.id ?? null;
}
