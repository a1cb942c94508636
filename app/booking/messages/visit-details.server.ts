import type { Transaction } from "../../db/database-client.server.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import type { PlaceChange, PreviousTimeAndLength, VisitDetails } from "../../mail/messages/visit-messages.ts";
import { readMeetingPlaceWithSharedLock } from "../../practice/practice-details.server.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";
import { CALENDAR_SELECT } from "../confirmation/calendar-file.server.ts";
import {
  agreedPlace,
  pendingExactPlaceText,
  isAgreedPlaceChanged,
  meetingPlace,
  type Places,
} from "../meeting-place.server.ts";
import { APPOINTMENTS_PATH, bookingConfirmationPath } from "../appointment-paths.ts";
import { moveAndCancellationTerms } from "../prices/cancellation-policy.ts";
import { ownPlace, VISIT_KIND_LABELS, visitKind } from "../visit-kind.ts";

const VISIT_NOTIFICATION_SELECT = {
  ...CALENDAR_SELECT,
  userId: true,
  movedAt: true,
  paymentMethod: true,
  paymentAmountCents: true,
  payments: { where: { state: "paid" }, select: { amountCents: true, refundedCents: true } },
  visitAnswers: { select: { appointmentId: true } },
} as const;

export type Visit = NonNullable<Awaited<ReturnType<typeof loadVisitForNotification>>> & Places;

/** `isConfirmed` is false for an address that nobody has proven; it gets nothing that anybody typed. */
export type Recipient = { firstName: string; isConfirmed: boolean };

export type PreviousVisit = Places & { appointmentDate: Date; duration: number };

export function loadVisitForNotification(transaction: Transaction, id: number) {
  return transaction.appointment.findUnique({ where: { id }, select: VISIT_NOTIFICATION_SELECT });
}

/**
 * Returns a visit whose family is told of it, with the practice's place as it stays until the transaction has ended, or
 * with the `practicePlace` that this transaction sets.
 */
export async function loadVisitAndPlaceForNotification(
  transaction: Transaction,
  id: number,
  practicePlace?: string | null,
): Promise<Visit | null> {
  const visit = await loadVisitForNotification(transaction, id);
  if (!visit) return null;
  return {
    ...visit,
    practicePlace: practicePlace === undefined ? await readMeetingPlaceWithSharedLock(transaction) : practicePlace,
  };
}

export function describePreviousTimeAndLength(
  before: { appointmentDate: Date; duration: number },
  { appointmentDate, duration }: Visit,
): PreviousTimeAndLength {
  const isMoved = before.appointmentDate.getTime() !== appointmentDate.getTime();
  return {
    when: isMoved ? formatPracticeDateTime(before.appointmentDate) : null,
    length: before.duration === duration ? null : `${before.duration} minutes`,
  };
}

/** Returns the change of the place, as told to the recipient; null if families are told the same place as before. */
export function describePlaceChange(
  visit: Visit,
  former: Places,
  { isConfirmed }: Pick<Recipient, "isConfirmed">,
): PlaceChange | null {
  if (!isAgreedPlaceChanged(visit, former)) return null;
  const agreed = agreedPlace(visit);
  if (agreed === null) return { text: "The place of your visit is to be agreed on again.", isRemoved: true };
  const isHidden = !isConfirmed && ownPlace(visit) !== null;
  const text = isHidden
    ? "We set the place of your visit. It is on the page of your visit."
    : `We set the place of your visit: ${agreed.replace(/\.$/, "")}.`;
  return { text, isRemoved: false };
}

function visitLocationText(visit: Visit, { isConfirmed }: Recipient): string {
  const kind = visitKind(visit);
  if (!isConfirmed && ownPlace(visit) !== null)
    return `${VISIT_KIND_LABELS[kind]}. The place is on the page of your visit.`;
  if (kind === "in-person") return `${VISIT_KIND_LABELS[kind]}, ${meetingPlace(visit)}`;
  return kind === "link"
    ? `${VISIT_KIND_LABELS[kind]}. The link is on the page of your visit.`
    : VISIT_KIND_LABELS[kind];
}

export function toVisitDetails(visit: Visit, recipient: Recipient): VisitDetails {
  const kind = visitKind(visit);
  return {
    firstName: recipient.firstName,
    when: formatPracticeDateTime(visit.appointmentDate),
    length: `${visit.duration} minutes`,
    where: visitLocationText(visit, recipient),
    exactPlace: kind === "in-person" ? pendingExactPlaceText(visit, now(), "it") : null,
    moveAndCancellationTerms: moveAndCancellationTerms(visit, now(), env.practice.timeZone),
    path: visit.appointmentDate > now() ? bookingConfirmationPath(visit.id) : APPOINTMENTS_PATH,
  };
}
